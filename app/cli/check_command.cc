#include "cli/main_cli.h"
#include "commands.h"
#include "exercise_text.h"
#include "lab/profile_comparison.h"
#include "lab/runner.h"
#include "profile_report.h"
#include "report.h"
#include "report/run_fragment.h"
#include "run_json.h"
#include "terminal.h"

namespace warpshop::cli {
namespace {

// The exercises that the command names. Error: a reading step, or --file without a single step.
Result<std::vector<const lab::Step*>> steps_of(const CheckOptions& options, const lab::Lab& lab,
                                               const std::string& step_id) {
  std::vector<const lab::Step*> steps;
  if (!step_id.empty()) {
    const Result<const lab::Step*> step = step_named(lab, step_id);
    if (!step.ok()) return step.errors();
    if (!(*step)->exercise) {
      return make_error("usage", "the step " + lab.id + "/" + step_id +
                                     " is for reading: there is nothing to check");
    }
    steps.push_back(*step);
    return steps;
  }
  std::string known;
  for (const lab::Step& step : lab.steps) {
    if (!step.exercise) continue;
    steps.push_back(&step);
    known += (known.empty() ? "" : ", ") + lab.id + "/" + step.id;
  }
  if (steps.empty()) return make_error("usage", "the lab '" + lab.id + "' has no exercise");
  if (!options.file.empty() && steps.size() > 1) {
    return make_error("usage", "--file needs the step that the file is for",
                      "the exercises are " + known);
  }
  if (!options.profile.empty() && steps.size() > 1) {
    return make_error("usage", "--profile needs the step whose kernel was profiled",
                      "the exercises are " + known);
  }
  return steps;
}

// Checks one exercise, with a progress line if it takes long.
lab::RunResult run_one(lab::Runner& runner, const lab::Lab& lab, const lab::Step& step,
                       const ExerciseText& text, const models::GpuProfile& gpu,
                       const CheckOptions& options, const WorkerChoice& worker,
                       const Interrupt& interrupt) {
  lab::RunRequest request;
  request.lab = &lab;
  request.step = &step;
  request.source = text.source;
  request.file_name = text.file_name;
  request.gpu = gpu;
  request.instruction_budget = options.budget;
  request.order_seed = options.seed;
  request.predict = options.predict || !options.profile.empty();
  request.timeline_warps = 0;  // unused by the report and the JSON
  request.stop = interrupt.flag();
  request.worker = worker.client.get();
  request.worker_gpu = worker.gpu;
  request.worker_required = worker.required;
  request.worker_time_limit_s = options.device.time_limit_s;
  ProgressLine progress(lab.id + "/" + step.id);
  request.on_stage = [&](const std::array<lab::StageReport, lab::kStageCount>& stages) {
    for (int i = 0; i < lab::kStageCount; ++i) {
      if (stages[static_cast<size_t>(i)].state != lab::StageState::kRunning) continue;
      progress.say(lab.id + "/" + step.id + ": " +
                   std::string(lab::name_of(static_cast<lab::Stage>(i))));
    }
  };
  return runner.run(request);
}

}  // namespace

int check_command(const CheckOptions& options) {
  const Result<WorkerChoice> worker = choose_worker(options.device);
  if (!worker.ok()) return fail(worker.errors());
  const LabPlace place = split_place(options.place);
  Result<lab::Lab> lab = lab_named(place.lab);
  if (!lab.ok()) return fail(lab.errors());
  *lab = lab::with_inputs(std::move(*lab), options.inputs);
  const Result<std::vector<const lab::Step*>> steps = steps_of(options, *lab, place.step);
  if (!steps.ok()) return fail(steps.errors());
  const Result<models::GpuProfile> gpu = gpu_named(options.gpu);
  if (!gpu.ok()) return fail(gpu.errors());
  std::optional<Result<lab::Profile>> profile;
  if (!options.profile.empty()) {
    profile = lab::load_profile(options.profile);
    if (!profile->ok()) return fail(profile->errors());
  }
  Result<lab::Runner> runner = lab::Runner::create();
  if (!runner.ok()) {
    print_error(render(runner.errors()) + "\n");
    return kToolFailed;
  }

  const TextChoice choice{options.place, options.file, options.solution, options.start};
  const Paint paint = Paint::for_standard_output();
  const Interrupt interrupt;
  Json runs = Json::array();
  std::string html;
  size_t passed = 0;
  bool broken_lab = false;
  bool tool_failed = false;
  Diagnostics profile_problems;
  for (const lab::Step* step : *steps) {
    const Result<ExerciseText> text = exercise_text(choice, *lab, *step);
    if (!text.ok()) return fail(text.errors());
    const lab::RunResult result =
        run_one(*runner, *lab, *step, *text, *gpu, options, *worker, interrupt);
    for (const Diagnostic& diagnostic : result.diagnostics) {
      if (diagnostic.severity != Severity::kError) continue;
      broken_lab |= diagnostic.kind == "lab-file";
      tool_failed |= is_machines_fault(diagnostic);
    }
    // Without a usable GPU there is no verdict on the kernel.
    for (const Diagnostic& problem : result.measure_problems) {
      tool_failed |= problem.severity == Severity::kError && is_tools_fault(problem) &&
                     !lab::is_kernels_fault(problem);
    }
    passed += result.passed ? 1 : 0;
    std::optional<Result<std::vector<lab::ProfiledSize>>> compared;
    if (profile) compared = lab::compare_profile(**profile, result);
    if (compared && !compared->ok()) profile_problems = compared->errors();
    if (!options.html.empty()) html += report::run_fragment(result, lab->id + "/" + step->id);
    if (options.json) {
      runs.push_back(json_of(result));
      if (compared) add_profiles(*compared, runs.back());
    } else {
      if (step != steps->front()) print("\n");
      if (!text->note.empty()) print(paint.quiet(text->note) + "\n");
      print(check_report(*lab, *step, result, paint));
      for (size_t i = 0; compared && compared->ok() && i < (*compared)->size(); ++i) {
        const lab::ProfiledSize& at = (**compared)[i];
        print("\n" + profile_report(at.comparison, at.size->size.label, paint));
      }
    }
    if (interrupt.requested()) break;
  }

  const bool all = passed == steps->size();
  if (options.json) {
    print(dumped({{"lab", lab->id}, {"gpu", gpu->id}, {"passed", all}, {"runs", runs}}));
  } else if (steps->size() > 1) {
    print("\n" + lab->id + ": " + std::to_string(passed) + " of " + std::to_string(steps->size()) +
          " exercises passed\n");
  }
  if (!options.html.empty() && write_result(options.html, html) != kAllPassed) return kToolFailed;
  if (interrupt.requested()) return kInterrupted;
  if (broken_lab) return kInputError;
  if (tool_failed) return kToolFailed;
  if (!profile_problems.empty()) {
    const int status = options.json ? kInputError : fail(profile_problems);
    if (all) return status;
  }
  return all ? kAllPassed : kCheckFailed;
}

}  // namespace warpshop::cli
