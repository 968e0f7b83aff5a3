#include "lab/proof.h"

#include <algorithm>

#include "core/expression.h"
#include "core/fixed.h"
#include "lab/scene_run.h"
#include "lab/shown_access.h"
#include "proof/cheats.h"
#include "proof/leaks.h"

namespace warpshop::lab {
namespace {

constexpr uint64_t kOtherInputs = 1;  // any seed but 0, the lab's own

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

// Whether it compiled, launched and was judged: a kernel that does not even start proves nothing.
bool was_judged(const RunResult& result) {
  return !has_errors(result.diagnostics) && !result.sizes.empty();
}

// Why a scene's text disagrees with what it shows; empty: all is well. A scene may fail the lab's
// own checks (most exist to do so), but its results must be correct.
std::string scene_problem(const Scene& scene, const RunResult& result) {
  if (!was_judged(result)) return first_failure(result);
  for (const char* id : {"correct", "no-findings"}) {
    const CheckResult* check = find_check(result, id);
    if (check == nullptr || !check->passed) return std::string(id) + " does not hold";
  }
  const auto expected = [&](std::string_view what, double value, double wanted) -> std::string {
    const std::string shown = said_number(scene, value), said = said_number(scene, wanted);
    if (shown == said) return {};
    return std::string(what) + " is " + shown + ", and 'expect' says " + said;
  };
  if (!scene.number.empty()) {
    const Result<SceneNumber> number = scene_number(scene, result);
    if (!number.ok()) return number.errors().front().message;
    if (number->expect) {
      if (std::string problem = expected("the number", number->value, *number->expect);
          !problem.empty())
        return problem;
    }
  }
  const auto value_of_expect = [&]() -> Result<double> {
    const Result<Expression> expect = Expression::parse(scene.expect);
    if (!expect.ok()) return expect.errors();
    return expect->evaluate(lookup_in(result.sizes.front().size.variables));
  };
  if (scene.show == Scene::Show::kPanel) {
    if (const std::string why = nothing_to_show(scene.panel, result); !why.empty())
      return "the panel " + scene.panel + " has nothing to show: " + why;
    if (scene.number.empty() && !scene.expect.empty()) {
      const Result<double> wanted = value_of_expect();
      if (!wanted.ok()) return wanted.errors().front().message;
      const double shown = panel_number(scene.panel, result).value();  // the file says it has one
      if (std::string problem = expected("the panel's number", shown, *wanted); !problem.empty())
        return problem;
    }
  }
  const bool map = scene.show == Scene::Show::kBanks || scene.show == Scene::Show::kTransactions;
  if (scene.whole_run || (!map && scene.line == 0)) return {};
  const KernelRun& kernel = *result.student();
  const std::optional<ShownAccess> shown = shown_access(scene, kernel, result.gpu);
  if (!shown) {
    return scene.line == 0 ? "nothing to show: the kernel makes no such access in its first block"
                           : "nothing to show: the line makes no such access in the first block";
  }
  if (!map) return {};
  if (std::string problem = contradiction(scene, kernel, *shown); !problem.empty()) return problem;
  if (scene.expect.empty()) return {};
  const Result<double> wanted = value_of_expect();
  if (!wanted.ok()) return wanted.errors().front().message;
  return expected("the map's number", shown->cost.shown, *wanted);
}

// Runs the cheats from cheats_of at the first size. Adds one item listing them all, plus one per
// cheat that passes.
std::vector<ProofItem> prove_cheats(Runner& runner, const Lab& lab, const Step& step,
                                    const RunResult& solution, const StopFlag* stop) {
  const SizeResult& size = solution.sizes.front();
  Cheats cheats = cheats_of(*step.exercise, size);
  // Stop counting at what the whole-kernel bounds allow.
  uint64_t instructions = size.reference.warp_instructions;
  for (const auto& run : {size.start, size.solution}) {
    if (run != nullptr) instructions = std::max(instructions, run->warp_instructions);
  }
  const double most = step.exercise->whole_kernel.instructions * static_cast<double>(instructions);
  RunRequest request;
  request.gpu = solution.gpu;
  request.record_blocks = {};
  request.explain = false;
  request.instruction_budget = static_cast<uint64_t>(64 * most) + 1'000'000;
  request.stop = stop;
  std::vector<ProofItem> items;
  std::string tried, last;
  for (const Cheat& cheat : cheats.tried) {
    Lab one;
    one.id = lab.id;
    one.steps = {step};
    if (cheat.other_inputs) {
      one = with_inputs(std::move(one), kOtherInputs);
    } else {
      one.steps[0].exercise->sizes.resize(1);
    }
    request.lab = &one;
    request.step = &one.steps[0];
    request.source = cheat.source;
    request.file_name = step.id + ".cu";
    const RunResult result = runner.run(request);
    const bool compiles = result.stage(Stage::kCompile).state == StageState::kPassed;
    if (result.passed)
      items.push_back(
          {step.id, cheat.name + " (" + cheat.of + ")", false, "passes, and should not"});
    if (!compiles && last != cheat.name &&
        std::none_of(cheats.tried.begin(), cheats.tried.end(), [&](const Cheat& other) {
          return &other > &cheat && other.name == cheat.name;
        })) {
      cheats.left_out.push_back(cheat.name);
    }
    if (!compiles || last == cheat.name) continue;
    tried += (tried.empty() ? "" : ", ") + cheat.name;
    last = cheat.name;
  }
  std::string left_out;
  for (const std::string& name : cheats.left_out) left_out += (left_out.empty() ? "" : ", ") + name;
  const std::string found =
      (tried.empty() ? "none can be tried"
                     : (items.empty() ? "none passes: " : "tried: ") + tried) +
      (left_out.empty() ? "" : "; not for this kernel: " + left_out);
  items.insert(items.begin(), {step.id, "cheats", items.empty(), found});
  return items;
}

ProofItem prove_questions(const Step& step) {
  std::string found;
  for (const std::string& leak : leaks_of(step)) found += (found.empty() ? "" : "; ") + leak;
  const bool holds = found.empty();
  return {step.id, "questions", holds, holds ? "no answer is given away" : found};
}

std::string task_size(const Lab& lab, const Step& step, const models::GpuProfile& gpu) {
  const int lines = new_lines(*step.exercise);
  std::string text = std::to_string(lines) + (lines == 1 ? " new line" : " new lines");
  if (const std::optional<double> gain = recorded_gain(lab, step, gpu.id)) {
    text += "; " + fixed(*gain, 2) + " times as fast as the start on an " + gpu.name;
  }
  return text;
}

}  // namespace

std::vector<ProofItem> prove_lab(Runner& runner, const Lab& lab, const models::GpuProfile& gpu,
                                 const StopFlag* stop,
                                 const std::function<void(const ProofItem&)>& on_item) {
  std::vector<ProofItem> items;
  const auto run = [&](const Step& step, const std::string& source, const std::string& file_name) {
    RunRequest request;
    request.lab = &lab;
    request.step = &step;
    request.source = source;
    request.file_name = file_name;
    request.gpu = gpu;
    request.record_blocks = {};
    request.stop = stop;
    return runner.run(request);
  };
  const auto add = [&](ProofItem item) {
    if (stop != nullptr && stop->requested()) return;
    if (on_item) on_item(item);
    items.push_back(std::move(item));
  };
  for (const Step& step : lab.steps) {
    if (!step.questions.empty()) add(prove_questions(step));
    if (!step.exercise) continue;
    add({step.id, "task", true, task_size(lab, step, gpu)});
    const RunResult solution = run(step, step.exercise->solution, step.id + ".cu");
    add({step.id, "solution", solution.passed, first_failure(solution)});
    const RunResult skeleton = run(step, step.exercise->skeleton, step.id + ".cu");
    add({step.id, "skeleton", was_judged(skeleton) && !skeleton.passed, first_failure(skeleton),
         first_message(skeleton)});
    if (solution.passed && (stop == nullptr || !stop->requested())) {
      for (ProofItem& item : prove_cheats(runner, lab, step, solution, stop)) add(std::move(item));
    }
    // The reference is honest: it may fail a check, but not on total cost.
    const RunResult reference =
        run(step, step.exercise->reference, step.exercise->reference_file.filename().string());
    const CheckResult* cost = find_check(reference, "whole-kernel");
    if (cost != nullptr && cost->evaluated && !cost->passed) {
      add({step.id, "reference", false,
           first_failure(reference) + "; loosen the exercise's whole_kernel",
           cost->message.english()});
    }
    for (const WrongKernel& wrong : step.exercise->wrong) {
      const RunResult result = run(step, wrong.source, wrong.file.filename().string());
      const CheckResult* check = find_check(result, wrong.fails);
      const bool fails = was_judged(result) && check != nullptr && !check->passed;
      const bool helps = fails && !check->message.empty();
      add({step.id, wrong.file.filename().string(), helps,
           fails ? wrong.fails + " fails: " + check->got + ", wanted " + check->wanted +
                       (helps ? "" : ", and says nothing about it")
                 : first_failure(result) + "; \"" + wrong.fails + "\" should have failed",
           fails ? check->message.english() : std::string()});
    }
  }
  for (size_t i = 0; lab.demo && i < lab.demo->scenes.size(); ++i) {
    const Scene& scene = lab.demo->scenes[i];
    RunRequest request = scene_request(lab, scene, gpu);
    request.stop = stop;
    const RunResult result = runner.run(request);
    const std::string problem = scene_problem(scene, result);
    add({"demo", std::to_string(i + 1) + " " + scene.title, problem.empty(),
         problem.empty() ? "right results, and it shows what its words say"
                         : "demo.toml:" + std::to_string(scene.toml_line) + ": " + problem});
  }
  return items;
}

}  // namespace warpshop::lab
