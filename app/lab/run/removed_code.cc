#include "run/removed_code.h"

#include <algorithm>
#include <utility>

#include "compile/cuda_tokens.h"
#include "core/lines.h"

namespace warpshop::lab {
namespace {

using emulator::Finding;
using emulator::FindingKind;

bool has_global_store(const KernelRun& run) {
  return std::any_of(run.sites.begin(), run.sites.end(), [](const emulator::AccessSite& site) {
    return site.kind != emulator::AccessKind::kLoad &&
           (site.space == ptx::Space::kGlobal || site.space == ptx::Space::kGeneric);
  });
}

bool stored_globally(const KernelRun& run) {
  return run.counters.global_store_requests + run.counters.global_reduction_requests +
             run.counters.global_atomic_requests >
         0;
}

// The compiler warns of `1 / 0.0f`, too, which is infinity.
bool divides_by_float(std::string_view source, const SourcePlace& place) {
  const std::string_view line = nth_line(source, place.line);
  if (place.column < 1 || static_cast<size_t>(place.column) > line.size()) return false;
  const auto tokens = compile::cuda_tokens(line.substr(static_cast<size_t>(place.column) - 1));
  return !tokens.empty() && tokens.front().kind == compile::TokenKind::kNumber &&
         tokens.front().text.find('.') != std::string_view::npos;
}

std::vector<Finding> told_by_compiler(const Diagnostics& warnings, std::string_view source) {
  std::vector<Finding> out;
  for (const Diagnostic& warning : warnings) {
    if (!tells_of_removed_code(warning, source)) continue;
    Finding finding;
    finding.place = warning.place;
    if (compile::warns_of_division_by_zero(warning)) {
      finding.kind = FindingKind::kDivisionByZero;
      finding.message = sentence("integer division by zero: the divisor is always 0");
      finding.cause =
          sentence("the compiler removes what depends on the quotient: check the divisor");
    } else {
      finding.kind = FindingKind::kUninitialised;
      finding.message = warning.message;
      finding.cause = sentence("give it a value first: the compiler may remove what depends on it");
    }
    out.push_back(std::move(finding));
  }
  return out;
}

// The line of the debug build's first store to a buffer, 0: none. `executed`: of those that were
// reached.
int line_of_first_store(const KernelRun& debug, bool executed) {
  for (size_t n = 0; n < debug.sites.size() && n < debug.site_costs.size(); ++n) {
    const emulator::AccessSite& site = debug.sites[n];
    if (site.kind != emulator::AccessKind::kLoad && site.param >= 0 &&
        (!executed || debug.site_costs[n].executions > 0))
      return site.source.line;
  }
  return 0;
}

// Placed at the line of the debug build's first store to a buffer.
Finding removed_stores(const KernelRun& debug) {
  Finding out;
  out.kind = FindingKind::kRemovedCode;
  out.place.file = debug.file_name;
  out.place.line = line_of_first_store(debug, true);
  out.message = sentence(
      "the compiled kernel stores nothing: the compiler has removed the store, since something "
      "that it depends on is undefined");
  out.cause = sentence(
      "look for a variable without a value, a division by zero, a shift by 32 or more, an index "
      "outside of an array of fixed size, or a loop that never ends");
  return out;
}

}  // namespace

void explain_endless_loop(KernelRun& run, const std::function<Result<KernelRun>()>& run_debug) {
  const bool endless = !run.completed && !run.findings.empty() &&
                       std::all_of(run.findings.begin(), run.findings.end(), [](const Finding& f) {
                         return f.kind == FindingKind::kTimeout;
                       });
  if (!endless || has_global_store(run)) return;
  const Result<KernelRun> debug = run_debug();
  const int line = debug.ok() ? line_of_first_store(*debug, false) : 0;
  for (Finding& finding : run.findings) {
    finding.message.then(
        line > 0
            ? sentence("the loop here never ends, so the compiler has removed the store in line "
                       "{line}, which is never reached",
                       {{"line", line}})
            : sentence("the compiled kernel stores nothing: what comes after a loop that never "
                       "ends is never reached"),
        "; ");
  }
}

bool tells_of_removed_code(const Diagnostic& warning, std::string_view source) {
  if (compile::warns_of_division_by_zero(warning)) return !divides_by_float(source, warning.place);
  return compile::warns_of_unset_variable(warning);
}

void explain_trap(KernelRun& run, std::string_view source) {
  // Headers of the user's own, and cooperative groups, may have traps of their own.
  for (const std::string_view word : {"trap", "#include \"", "cooperative_groups"}) {
    if (source.find(word) != std::string_view::npos) return;
  }
  for (Finding& finding : run.findings) {
    if (finding.kind != FindingKind::kTrap) continue;
    finding.message = sentence(
        "the thread executed a trap, which the compiler has put here in place of undefined "
        "behaviour");
    finding.cause =
        sentence("a null pointer that is read or written, or other undefined behaviour");
  }
}

std::vector<Finding> find_removed_code(const CompiledKernel& kernel, const KernelRun& run,
                                       const std::function<Result<KernelRun>()>& run_debug) {
  std::vector<Finding> out = told_by_compiler(kernel.file->warnings, kernel.file->source);
  const Result<KernelRun> debug = run_debug();
  if (!debug.ok()) return out;
  for (const Finding& finding : debug->findings) {
    const bool known = std::any_of(out.begin(), out.end(), [&](const Finding& other) {
      return other.kind == finding.kind && other.place.line == finding.place.line;
    });
    if (finding.kind != FindingKind::kDivisionByZero || known) continue;
    Finding& added = out.emplace_back(finding);
    added.cause = sentence(
        "the compiler takes it that this never happens, and has removed what depends on it; found "
        "in the kernel as it is without optimisation. Check where the divisor comes from, or "
        "divide only if it is not 0");
  }
  if (out.empty() && !has_global_store(run) && stored_globally(*debug))
    out.push_back(removed_stores(*debug));
  return out;
}

}  // namespace warpshop::lab
