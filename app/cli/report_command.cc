#include <chrono>
#include <ctime>

#include "cli/main_cli.h"
#include "commands.h"
#include "core/files.h"
#include "exercise_text.h"
#include "lab/runner.h"
#include "report/report.h"
#include "terminal.h"

namespace warpshop::cli {
namespace {

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm date{};
  localtime_r(&now, &date);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", &date);
  return text;
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
  Result<lab::Runner> runner = lab::Runner::create();
  if (!runner.ok()) return fail(runner.errors());
  const lab::LoadedProgress progress = lab::load_progress();
  if (!progress.problems.empty()) print_error(render(progress.problems) + "\n");

  report::Report page;
  page.lab = &*lab;
  page.gpu = gpu->name;
  page.author = options.author;
  page.written = today();
  const bool own = !options.text.solution && !options.text.start && options.text.file.empty();
  if (own) page.progress = &progress.progress;

  const Interrupt interrupt;
  ProgressLine line("writing the report of " + lab->id);
  for (const lab::Step* step : steps) {
    report::StepReport part;
    part.step = step;
    if (step->exercise) {
      const Result<ExerciseText> text = exercise_text(options.text, *lab, *step);
      if (!text.ok()) return fail(text.errors());
      lab::RunRequest request;
      request.lab = &*lab;
      request.step = step;
      request.source = text->source;
      request.file_name = text->file_name;
      request.gpu = *gpu;
      request.stop = interrupt.flag();
      line.say("running " + lab->id + "/" + step->id);
      part.result = runner->run(request);
      part.whose = options.text.solution ? "The worked solution"
                   : options.text.start  ? "The skeleton"
                   : own && !text->begun ? "The skeleton (nothing has been written yet)"
                                         : "The kernel";
    }
    if (interrupt.requested()) return kInterrupted;
    page.steps.push_back(std::move(part));
  }

  const std::string html = report::html_page(page);
  if (options.out == "-") {
    print(html);
    return kAllPassed;
  }
  const std::string file = options.out.empty() ? lab->id + "-report.html" : options.out;
  if (const Status written = write_file_atomically(file, html); !written.ok()) {
    print_error(render(written.errors()) + "\n");
    return kToolFailed;
  }
  print("Written: " + file + "\n");
  return kAllPassed;
}

}  // namespace warpshop::cli
