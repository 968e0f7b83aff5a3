#include "report/lab_report.h"

#include <chrono>
#include <ctime>
#include <utility>

#include "lab/runner.h"
#include "report/report.h"

namespace warpshop::report {
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

Result<KernelText> own_text(const lab::Lab& lab, const lab::Step& step,
                            const lab::Progress& progress) {
  Result<lab::StandingText> text = lab::standing_text(lab, step);
  if (!text.ok()) return text.errors();
  using Version = lab::StandingText::Version;
  std::string whose = "The kernel";
  if (text->version == Version::kPassed && text->changed_since) {
    const lab::StepProgress* done = progress.find(lab, step);
    const std::string when = done ? done->version_passed_at.substr(0, 10) : "";
    whose = "The last version that passed" + (when.empty() ? "" : ", on " + when) +
            " (the text has been changed since)";
  }
  return KernelText{std::move(text->source), step.id + ".cu", std::move(whose),
                    text->version != Version::kNotBegun};
}

Result<std::string> lab_report(const LabReportRequest& request) {
  Result<lab::Runner> runner = lab::Runner::create();
  if (!runner.ok()) return runner.errors();
  Report page;
  page.lab = request.lab;
  page.progress = request.progress;
  page.gpu = request.gpu.name;
  page.author = request.author;
  page.written = today();
  for (const lab::Step* step : request.steps) {
    StepReport part;
    part.step = step;
    if (step->exercise) {
      Result<KernelText> text = request.text_of(*step);
      if (!text.ok()) return text.errors();
      part.begun = text->begun;
      if (!part.begun) {
        page.steps.push_back(std::move(part));
        continue;
      }
      if (request.on_step) request.on_step(*step);
      lab::RunRequest run;
      run.lab = request.lab;
      run.step = step;
      run.source = std::move(text->source);
      run.file_name = std::move(text->file_name);
      run.gpu = request.gpu;
      run.stop = request.stop;
      // An estimate is scored by the predicted time.
      const lab::StepProgress* progress =
          request.progress ? request.progress->find(*request.lab, *step) : nullptr;
      run.predict = step->exercise->estimate && progress && progress->estimate;
      part.result = runner->run(run);
      part.whose = std::move(text->whose);
    }
    if (request.stop && request.stop->requested())
      return Diagnostics{make_error("stopped", "the report was stopped")};
    page.steps.push_back(std::move(part));
  }
  return html_page(page);
}

}  // namespace warpshop::report
