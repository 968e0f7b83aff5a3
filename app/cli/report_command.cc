#include "cli/main_cli.h"
#include "commands.h"
#include "exercise_text.h"
#include "report/handout.h"
#include "report/lab_report.h"
#include "terminal.h"

namespace warpshop::cli {
namespace {

int write_page(const std::string& html, const std::string& out, const std::string& usual) {
  if (out == "-") {
    print(html);
    return kAllPassed;
  }
  const std::string file = out.empty() ? usual : out;
  if (write_result(file, html) != kAllPassed) return kToolFailed;
  print("Written: " + file + "\n");
  return kAllPassed;
}

int write_handout(const ReportOptions& options, const lab::Lab& lab,
                  const models::GpuProfile& gpu) {
  const Interrupt interrupt;
  ProgressLine line("writing the handout of " + lab.id);
  report::HandoutRequest request;
  request.lab = &lab;
  request.gpu = gpu;
  request.notes = options.notes;
  request.on_scene = [&](const lab::Scene& scene) { line.say("running " + scene.title); };
  request.stop = interrupt.flag();
  const Result<std::string> html = report::lecture_handout(request);
  if (interrupt.requested()) return kInterrupted;
  if (!html.ok()) return fail(html.errors());
  return write_page(*html, options.out, lab.id + "-lecture.html");
}

}  // namespace

int report_command(const ReportOptions& options) {
  const LabPlace place = split_place(options.text.place);
  const Result<lab::Lab> lab = lab_named(place.lab);
  if (!lab.ok()) return fail(lab.errors());
  std::vector<const lab::Step*> steps;
  if (place.step.empty()) {
    if (!options.text.file.empty()) {
      return fail({make_error("usage", "--file needs the step that the file is for",
                              "write LAB/STEP in place of " + place.lab)});
    }
    for (const lab::Step& step : lab->steps) steps.push_back(&step);
  } else {
    const Result<const lab::Step*> step = step_named(*lab, place.step);
    if (!step.ok()) return fail(step.errors());
    steps.push_back(*step);
  }
  const Result<models::GpuProfile> gpu = gpu_named(options.gpu);
  if (!gpu.ok()) return fail(gpu.errors());
  if (options.lecture) {
    if (!place.step.empty()) {
      return fail({make_error("usage", "--lecture is for a whole lab, not for one step",
                              "write " + place.lab + " in place of " + options.text.place)});
    }
    return write_handout(options, *lab, *gpu);
  }
  const lab::LoadedProgress progress = lab::load_progress();
  if (!progress.problems.empty()) print_error(render(progress.problems) + "\n");

  const bool own = !options.text.solution && !options.text.start && options.text.file.empty();

  const Interrupt interrupt;
  ProgressLine line("writing the report of " + lab->id);
  report::LabReportRequest request;
  request.lab = &*lab;
  request.steps = steps;
  if (own) request.progress = &progress.progress;
  request.gpu = *gpu;
  request.author = options.author;
  request.text_of = [&](const lab::Step& step) -> Result<report::KernelText> {
    if (own) return report::own_text(*lab, step, progress.progress);
    Result<ExerciseText> text = exercise_text(options.text, *lab, step);
    if (!text.ok()) return text.errors();
    return report::KernelText{std::move(text->source), std::move(text->file_name),
                              options.text.solution ? "The worked solution"
                              : options.text.start  ? "The skeleton"
                                                    : "The kernel"};
  };
  request.on_step = [&](const lab::Step& step) { line.say("running " + lab->id + "/" + step.id); };
  request.stop = interrupt.flag();
  const Result<std::string> html = report::lab_report(request);
  if (interrupt.requested()) return kInterrupted;
  if (!html.ok()) return fail(html.errors());
  return write_page(*html, options.out, lab->id + "-report.html");
}

}  // namespace warpshop::cli
