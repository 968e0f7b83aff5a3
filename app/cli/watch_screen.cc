#include "watch_screen.h"

#include <algorithm>

#include "core/expression.h"
#include "lab/findings.h"
#include "report.h"
#include "task_text.h"

namespace warpshop::cli {
namespace {

// The cost that a check's formula is about.
const timing::SiteCounters* cost_of(const lab::LineCost& line, const std::string& metric) {
  if (metric.find("global_load") != std::string::npos) return &line.load;
  if (metric.find("global_store") != std::string::npos) return &line.store;
  if (metric.find("shared") != std::string::npos) return &line.shared;
  return nullptr;
}

// The line that costs the most beyond its ideal, for a check that counts accesses to memory.
std::string costly_line(const lab::RunResult& result, const lab::CheckResult& check,
                        const Paint& paint) {
  const lab::KernelRun* run = result.student();
  if (run == nullptr) return {};
  const lab::LineCost* worst = nullptr;
  uint64_t most = 0;
  for (const lab::LineCost& line : run->lines) {
    const timing::SiteCounters* cost = cost_of(line, check.metric);
    if (cost == nullptr) continue;
    const bool shared = cost == &line.shared;
    const uint64_t got = shared ? cost->wavefronts : cost->sectors;
    const uint64_t ideal = shared ? cost->wavefronts_ideal : cost->sectors_ideal;
    if (got <= ideal || got - ideal <= most) continue;
    most = got - ideal;
    worst = &line;
  }
  if (worst == nullptr) return {};
  const timing::SiteCounters& cost = *cost_of(*worst, check.metric);
  const bool shared = &cost == &worst->shared;
  const auto number = [](uint64_t n) { return number_text(static_cast<double>(n)); };
  const std::string said =
      shared ? number(cost.wavefronts) + " wavefronts, where " + number(cost.wavefronts_ideal) +
                   " would do"
             : number(cost.sectors) + " sectors, where " + number(cost.sectors_ideal) + " would do";
  Diagnostic place;
  place.severity = Severity::kNote;
  place.place = {result.file_name, worst->line};
  place.message = "this line takes " + said;
  return diagnostics_report({place}, result.file_name, result.source, paint);
}

const lab::CheckResult* first_failing(const lab::RunResult& result) {
  const lab::CheckResult* first = nullptr;
  for (const lab::CheckResult& check : result.checks) {
    if (check.passed) continue;
    if (check.evaluated) return &check;
    if (first == nullptr) first = &check;
  }
  return first;
}

size_t count_failing(const lab::RunResult& result) {
  return static_cast<size_t>(
      std::count_if(result.checks.begin(), result.checks.end(),
                    [](const lab::CheckResult& c) { return !c.passed && c.evaluated; }));
}

std::string others(size_t count, const char* one, const char* more, const Paint& paint) {
  if (count == 0) return {};
  return paint.quiet("… and " + std::to_string(count) + " other " + (count == 1 ? one : more) +
                     ", which may have the same cause") +
         "\n";
}

std::string first_problem(const lab::RunResult& result, const Paint& paint) {
  Diagnostics errors;
  for (const lab::ProblemAt& at : lab::problems_of(result)) {
    if (at.problem->severity == Severity::kError) errors.push_back(*at.problem);
  }
  if (errors.empty()) return {};
  return diagnostics_report({errors.front()}, result.file_name, result.source, paint) +
         others(errors.size() - 1, "error", "errors", paint);
}

std::string first_finding(const lab::RunResult& result, const Paint& paint) {
  const std::vector<lab::FoundAt> found = lab::findings_of(result.sizes);
  const auto clean =
      std::find_if(result.checks.begin(), result.checks.end(),
                   [](const lab::CheckResult& check) { return check.id == "no-findings"; });
  if (found.empty() || clean == result.checks.end() || clean->passed) return {};
  return findings_report({*found.front().finding}, result.file_name, result.source, paint) +
         others(lab::count_findings(result.sizes).all() - 1, "finding", "findings", paint);
}

}  // namespace

std::string WatchScreen::heading(size_t exercise) const {
  const WatchedExercise& at = exercises[exercise];
  std::string out = paint.strong(lab.title + " › " + at.step->title) + "\n  " +
                    paint.quiet("exercise " + std::to_string(exercise + 1) + " of " +
                                std::to_string(exercises.size()) + " · " + at.shown) +
                    "\n";
  const std::string task = task_text(*at.step);
  return task.empty() ? out : out + "\n" + wrapped(task, std::min<size_t>(width, 100), "  ");
}

std::string WatchScreen::verdict(const lab::RunResult& result) const {
  if (result.passed) {
    std::string out =
        paint.good("✓ passed") + ": all " + std::to_string(result.checks.size()) + " checks pass\n";
    const lab::Step* step = lab.find_step(result.step);
    if (step != nullptr && !step->learned.empty()) out += "\n";
    for (const std::string& line : step != nullptr ? step->learned : std::vector<std::string>{})
      out += wrapped(line, std::min<size_t>(width, 100), "  ");
    return out;
  }
  if (std::string problem = first_problem(result, paint); !problem.empty()) return problem;
  if (std::string finding = first_finding(result, paint); !finding.empty()) return finding;
  const lab::CheckResult* check = first_failing(result);
  if (check == nullptr) return paint.bad("✗ not passed") + "\n";
  std::string out = paint.bad("✗ ") + check->title.english() + "\n  " +
                    paint.bad("got " + check->got.english()) + ", wanted " +
                    check->wanted.english() + "\n";
  if (check->id == "correct") out += "\n" + mismatch_report(result, paint);
  const std::string line = costly_line(result, *check, paint);
  if (!line.empty()) out += "\n" + line;
  if (!check->message.empty())
    out += "\n" + wrapped(check->message, std::min<size_t>(width, 100), "  ");
  const size_t failing = count_failing(result);
  if (failing > 1) out += others(failing - 1, "check fails", "checks fail", paint);
  return out;
}

std::string WatchScreen::hints(const lab::Step& step) const {
  const std::vector<std::string>& all = step.exercise->hints;
  const auto shown =
      std::min(all.size(), static_cast<size_t>(std::max(0, progress.of(step).hints_shown)));
  std::string out;
  for (size_t i = 0; i < shown; ++i) {
    out += paint.strong("Hint " + std::to_string(i + 1) + " of " + std::to_string(all.size())) +
           "\n" + wrapped(all[i], std::min<size_t>(width, 100), "  ");
  }
  return out;
}

std::string WatchScreen::bar() const {
  size_t all = 0;
  size_t done = 0;
  for (const lab::Step& step : lab.steps) {
    if (!step.exercise) continue;
    ++all;
    done += progress.passed(step) ? 1 : 0;
  }
  const size_t cells = std::clamp<size_t>(width - 30, 10, 40);
  const size_t full = cells * done / std::max<size_t>(all, 1);
  return "[" + paint.good(std::string(full, '#')) + paint.quiet(std::string(cells - full, '-')) +
         "]  " + std::to_string(done) + " of " + std::to_string(all) + " exercises passed\n";
}

std::string WatchScreen::list(size_t chosen) const {
  std::string out = paint.strong(lab.title) + "\n\n";
  size_t longest = 0;
  for (const WatchedExercise& exercise : exercises)
    longest = std::max(longest, screen_width(exercise.step->title));
  for (size_t i = 0; i < exercises.size(); ++i) {
    const bool done = progress.passed(*exercises[i].step);
    const std::string title = pad_right(exercises[i].step->title, longest);
    out += std::string(i == chosen ? "> " : "  ") + (done ? paint.good("✓") : std::string(" ")) +
           " " + (i == chosen ? paint.strong(title) : title) + "  " +
           paint.quiet(exercises[i].shown) + "\n";
  }
  return out;
}

std::string WatchScreen::all_passed() const {
  return paint.good("✓ Every exercise of " + lab.title + " is passed.") + "\n  " +
         paint.quiet("warpshop report " + lab.id + " writes it up; warpshop labs lists more") +
         "\n";
}

}  // namespace warpshop::cli
