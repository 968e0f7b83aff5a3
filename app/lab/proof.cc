#include "lab/proof.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace warpshop::lab {
namespace {

const CheckResult* find_check(const RunResult& result, std::string_view id) {
  const auto found = std::find_if(result.checks.begin(), result.checks.end(),
                                  [&](const CheckResult& check) { return check.id == id; });
  return found == result.checks.end() ? nullptr : &*found;
}

std::string first_failure(const RunResult& result) {
  for (const Diagnostic& diagnostic : result.diagnostics) {
    if (diagnostic.severity == Severity::kError) return render(diagnostic);
  }
  for (const CheckResult& check : result.checks) {
    if (!check.passed) return check.id + " fails: " + check.got + ", wanted " + check.wanted;
  }
  return "every check passes";
}

std::string first_message(const RunResult& result) {
  const auto failed = std::find_if(result.checks.begin(), result.checks.end(),
                                   [](const CheckResult& check) { return !check.passed; });
  return failed == result.checks.end() ? std::string() : failed->message.english();
}

// Compiled, launched and judged: a kernel that does not even start proves nothing.
bool was_judged(const RunResult& result) {
  return !has_errors(result.diagnostics) && !result.sizes.empty();
}

// A rounded figure says a number if it is within half a percent of it.
bool says(double figure, double number) {
  return std::abs(figure - number) <= 0.005 * std::abs(number);
}

std::string plain(double number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

// Why a scene cannot be shown; empty: all is well. A scene may fail the lab's own checks, which is
// what most are for, but its results are right.
std::string scene_problem(const Scene& scene, const RunResult& result) {
  if (!was_judged(result)) return first_failure(result);
  for (const char* id : {"correct", "no-findings"}) {
    const CheckResult* check = find_check(result, id);
    if (check == nullptr || !check->passed) return std::string(id) + " does not hold";
  }
  if (scene.show == Scene::Show::kNumber) {
    const Result<SceneNumber> number = scene_number(scene, result);
    if (!number.ok()) return number.errors().front().message;
    if (!number->expect || says(*number->expect, number->value)) return {};
    return "the number is " + plain(number->value) + ", and 'expect' says " +
           plain(*number->expect);
  }
  const bool shared = scene.show == Scene::Show::kBanks;
  const KernelRun& kernel = *result.student();
  const bool there =
      std::any_of(kernel.records.begin(), kernel.records.end(), [&](const auto& record) {
        const emulator::AccessSite& site = kernel.sites[record.access.site];
        const int line = site.source.call_file > 0 ? site.source.call_line : site.source.line;
        return (record.access.space == ptx::Space::kShared) == shared &&
               (scene.line == 0 || (line == scene.line && site.kind == scene.access));
      });
  return there ? std::string() : "the line makes no such access in the first block";
}

}  // namespace

std::vector<ProofItem> prove_lab(Runner& runner, const Lab& lab, const models::GpuProfile& gpu,
                                 const StopFlag* stop,
                                 const std::function<void(const ProofItem&)>& on_item) {
  std::vector<ProofItem> items;
  const auto run = [&](const Step& step, const std::string& source, const std::string& file_name,
                       const std::vector<uint64_t>& record_blocks = {},
                       const std::string& other_gpu = {}) {
    RunRequest request;
    request.lab = &lab;
    request.step = &step;
    request.source = source;
    request.file_name = file_name;
    request.gpu = gpu;
    if (!other_gpu.empty()) {
      const auto profile =
          models::find_gpu_profile(lab.folder.parent_path().parent_path(), other_gpu);
      if (profile.ok()) request.gpu = *profile;
    }
    request.record_blocks = record_blocks;
    request.stop = stop;
    return runner.run(request);
  };
  const auto add = [&](ProofItem item) {
    if (stop != nullptr && stop->requested()) return;
    if (on_item) on_item(item);
    items.push_back(std::move(item));
  };
  for (const Step& step : lab.steps) {
    if (!step.exercise) continue;
    const RunResult solution = run(step, step.exercise->solution, step.id + ".cu");
    add({step.id, "solution", solution.passed, first_failure(solution)});
    const RunResult skeleton = run(step, step.exercise->skeleton, step.id + ".cu");
    add({step.id, "skeleton", was_judged(skeleton) && !skeleton.passed, first_failure(skeleton),
         first_message(skeleton)});
    for (const WrongKernel& wrong : step.exercise->wrong) {
      const RunResult result = run(step, wrong.source, wrong.file.filename().string());
      const CheckResult* check = find_check(result, wrong.fails);
      const bool fails = was_judged(result) && check != nullptr && !check->passed;
      const bool helps = fails && !check->message.empty();
      add({step.id, wrong.file.filename().string(), helps,
           fails ? wrong.fails + " fails: " + check->got + ", wanted " + check->wanted +
                       (helps ? "" : ", and says nothing about it")
                 : first_failure(result),
           fails ? check->message.english() : std::string()});
    }
  }
  for (size_t i = 0; lab.demo && i < lab.demo->scenes.size(); ++i) {
    const Scene& scene = lab.demo->scenes[i];
    const RunResult result =
        run(*lab.find_step(scene.step), scene.source, scene.file_name, {0}, scene.gpu);
    const std::string problem = scene_problem(scene, result);
    add({"demo", std::to_string(i + 1) + " " + scene.title, problem.empty(),
         problem.empty() ? "right results, and what it shows is there" : problem});
  }
  return items;
}

}  // namespace warpshop::lab
