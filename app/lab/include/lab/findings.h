// Everything wrong that a run found at any size, each item once. The window, the command line, the
// checks and the reports all show and count this list.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "lab/run_result.h"

namespace warpshop::lab {

// Whether some size had more findings than are kept: KernelRun::more_findings.
inline bool more_findings(const RunResult& result) {
  return std::any_of(result.sizes.begin(), result.sizes.end(),
                     [](const SizeResult& size) { return size.student.more_findings; });
}

// Whether anything is more severe than a note.
inline bool has_faults(const std::vector<emulator::Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const emulator::Finding& f) { return f.severity != Severity::kNote; });
}

// Whether two findings are one mistake in the source. Loop unrolling can turn one line into several
// instructions; but two buffers overrun on a line are two mistakes.
bool same_mistake(const emulator::Finding& a, const emulator::Finding& b);

// A finding of the emulator, and the smallest size of the exercise at which it appears.
struct FoundAt {
  const emulator::Finding* finding = nullptr;
  size_t size = 0;
};
// Errors first, then warnings and notes. A finding that recurs at several sizes is listed once.
std::vector<FoundAt> findings_of(const std::vector<SizeResult>& sizes);

// Diagnostics from the compiler and from refused launches: RunResult::diagnostics, plus the sizes'
// problems not among them.
struct ProblemAt {
  const Diagnostic* problem = nullptr;
  size_t size = 0;
};
std::vector<ProblemAt> problems_of(const RunResult& result);

// Neither notes nor compiler warnings are counted.
struct FindingCounts {
  size_t errors = 0;    // from the compiler, refused launches and findings
  size_t warnings = 0;  // from findings
  size_t all() const { return errors + warnings; }
  // "1 error, 2 warnings"; "none".
  Sentence words() const;
};
FindingCounts count_findings(const std::vector<SizeResult>& sizes);  // the emulator's only
FindingCounts count_findings(const RunResult& result);

// The first finding of that kind, at the smallest size; null: none, or only notes.
const emulator::Finding* find_finding(const std::vector<SizeResult>& sizes,
                                      emulator::FindingKind kind);

// Errors fail an exercise. A warning may be meant so: it fails where the lab's file says that this
// is what to learn.
bool findings_fail(const Exercise& exercise, const FindingCounts& counts);

}  // namespace warpshop::lab
