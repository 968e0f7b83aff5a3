// What a run found wrong, over all of its sizes: each thing once. The window, the command line, the checks and reports
// tell and count the same list.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "lab/run_result.h"

namespace warpshop::lab {

// At some size there were more findings than are kept: KernelRun::more_findings.
inline bool more_findings(const RunResult& result) {
  return std::any_of(result.sizes.begin(), result.sizes.end(), [](const SizeResult& size) { return size.student.more_findings; });
}

// Whether there is more than notes.
inline bool has_faults(const std::vector<emulator::Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(), [](const emulator::Finding& f) { return f.severity != Severity::kNote; });
}

// A finding of the emulator, and the smallest of the exercise's sizes at which it appears.
struct FoundAt {
  const emulator::Finding* finding = nullptr;
  size_t size = 0;
};
// Errors first, then warnings and notes. What is found at one place at several sizes is there once.
std::vector<FoundAt> findings_of(const std::vector<SizeResult>& sizes);

// Diagnostics of the compiler and of refused launches: RunResult::diagnostics, and problems of sizes that are not there.
struct ProblemAt {
  const Diagnostic* problem = nullptr;
  size_t size = 0;
};
std::vector<ProblemAt> problems_of(const RunResult& result);

// Notes, and warnings of the compiler, are not counted.
struct FindingCounts {
  size_t errors = 0;    // of the compiler, refused launches and findings
  size_t warnings = 0;  // findings
  size_t all() const { return errors + warnings; }
  // "1 error, 2 warnings"; "none".
  Sentence words() const;
};
FindingCounts count_findings(const std::vector<SizeResult>& sizes);  // of the emulator alone
FindingCounts count_findings(const RunResult& result);

// Errors fail an exercise. A warning may be meant so: it fails where the lab's file says that this is what to learn.
bool findings_fail(const Exercise& exercise, const FindingCounts& counts);

}  // namespace warpshop::lab
