#include "lab/findings.h"

#include <utility>

namespace warpshop::lab {

bool same_mistake(const emulator::Finding& a, const emulator::Finding& b) {
  return a.kind == b.kind && a.place.file == b.place.file && a.place.line == b.place.line &&
         a.space == b.space && a.access == b.access && a.allocation == b.allocation &&
         a.other_place == b.other_place && (a.place.line > 0 || a.message == b.message);
}

std::vector<FoundAt> findings_of(const std::vector<SizeResult>& sizes) {
  std::vector<FoundAt> out;
  for (size_t n = 0; n < sizes.size(); ++n) {
    for (const emulator::Finding& finding : sizes[n].student.findings) {
      const auto known = std::find_if(out.begin(), out.end(), [&](const FoundAt& other) {
        return same_mistake(*other.finding, finding);
      });
      if (known == out.end()) {
        out.push_back({&finding, n});
      } else if (finding.severity < known->finding->severity) {
        *known = {&finding, n};
      }
    }
  }
  // A division by zero comes first: the wrong index is its consequence.
  const auto order = [](const FoundAt& at) {
    return std::pair(at.finding->severity,
                     at.finding->kind != emulator::FindingKind::kDivisionByZero);
  };
  std::stable_sort(out.begin(), out.end(),
                   [&](const FoundAt& a, const FoundAt& b) { return order(a) < order(b); });
  return out;
}

std::vector<ProblemAt> problems_of(const RunResult& result) {
  std::vector<ProblemAt> out;
  const auto add = [&out](const Diagnostic& problem, size_t size) {
    const bool known = std::any_of(out.begin(), out.end(), [&](const ProblemAt& other) {
      return other.problem->place == problem.place && other.problem->message == problem.message;
    });
    if (!known) out.push_back({&problem, size});
  };
  for (const Diagnostic& problem : result.diagnostics) add(problem, 0);
  for (size_t n = 0; n < result.sizes.size(); ++n) {
    for (const Diagnostic& problem : result.sizes[n].problems) add(problem, n);
  }
  return out;
}

Sentence FindingCounts::words() const {
  if (all() == 0) return sentence("none");
  Sentence words;
  if (errors > 0) words = counted(errors, "{count} error", "{count} errors");
  if (warnings > 0) words.then(counted(warnings, "{count} warning", "{count} warnings"), ", ");
  return words;
}

FindingCounts count_findings(const std::vector<SizeResult>& sizes) {
  FindingCounts counts;
  for (const FoundAt& found : findings_of(sizes)) {
    counts.errors += found.finding->severity == Severity::kError;
    counts.warnings += found.finding->severity == Severity::kWarning;
  }
  return counts;
}

FindingCounts count_findings(const RunResult& result) {
  FindingCounts counts = count_findings(result.sizes);
  for (const ProblemAt& at : problems_of(result))
    counts.errors += at.problem->severity == Severity::kError;
  return counts;
}

const emulator::Finding* find_finding(const std::vector<SizeResult>& sizes,
                                      emulator::FindingKind kind) {
  for (const SizeResult& size : sizes) {
    for (const emulator::Finding& finding : size.student.findings) {
      if (finding.kind == kind && finding.severity != Severity::kNote) return &finding;
    }
  }
  return nullptr;
}

bool findings_fail(const Exercise& exercise, const FindingCounts& counts) {
  return counts.errors > 0 || (exercise.warnings_fail && counts.warnings > 0);
}

}  // namespace warpshop::lab
