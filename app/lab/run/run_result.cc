#include "lab/run_result.h"

namespace warpshop::lab {

std::string_view name_of(Stage stage) {
  switch (stage) {
    case Stage::kCompile:
      return "Compile";
    case Stage::kCheck:
      return "Check";
    case Stage::kEmulate:
      return "Emulate";
    case Stage::kCompare:
      return "Compare";
    case Stage::kMeasure:
      return "Measure";
  }
  return "";
}

const CheckResult* RunResult::main_check() const {
  const CheckResult* first = nullptr;
  for (const CheckResult& check : checks) {
    if (!check.value) continue;
    if (!check.passed) return &check;
    if (first == nullptr) first = &check;
  }
  return first;
}

Diagnostic with_emulators_finding(Diagnostic problem,
                                  const std::vector<emulator::Finding>& findings) {
  // For a hang, the loop; for a fault, the access.
  const auto rank = [&problem](const emulator::Finding& finding) {
    const bool endless = finding.kind == emulator::FindingKind::kTimeout ||
                         finding.kind == emulator::FindingKind::kDeadlock;
    const bool fits = problem.kind == "gpu-timeout"
                          ? endless
                          : finding.kind == emulator::FindingKind::kOutOfBounds ||
                                finding.kind == emulator::FindingKind::kMisaligned ||
                                finding.kind == emulator::FindingKind::kStackOverflow;
    return fits ? 2 : finding.severity == Severity::kError ? 1 : 0;
  };
  const emulator::Finding* first = nullptr;
  for (const emulator::Finding& finding : findings) {
    if (first == nullptr || rank(finding) > rank(*first)) first = &finding;
  }
  if (first == nullptr) {
    problem.help = sentence(
        "the emulator finds nothing wrong with this launch: does a block wait for another one?");
    return problem;
  }
  problem.place = first->place;
  const std::vector<SentencePart> parts = {{"kind", sentence(emulator::name_of(first->kind))},
                                           {"message", first->message},
                                           {"cause", first->cause}};
  problem.help = first->cause.empty()
                     ? sentence("the emulator finds: {kind}: {message}", parts)
                     : sentence("the emulator finds: {kind}: {message} ({cause})", parts);
  return problem;
}

bool is_kernels_fault(const Diagnostic& problem) {
  if (problem.kind == "stopped" || is_machines_fault(problem)) return false;
  return problem.kind == "gpu-fault" || problem.kind == "gpu-timeout" ||
         problem.kind == "gpu-launch" || !problem.kind.name().starts_with("gpu");
}

}  // namespace warpshop::lab
