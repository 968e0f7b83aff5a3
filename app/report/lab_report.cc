#include "report/lab_report.h"

#include <chrono>
#include <ctime>
#include <filesystem>
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

Result<KernelText> own_text(const lab::Lab& lab, const lab::Step& step) {
  Result<std::string> source = lab::open_student_file(lab, step);
  if (!source.ok()) return source.errors();
  std::error_code ignored;
  const bool begun = std::filesystem::exists(lab::student_file(lab, step), ignored);
  return KernelText{std::move(*source), step.id + ".cu", begun ? "The kernel" : "The skeleton (nothing has been written yet)"};
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
      if (request.on_step) request.on_step(*step);
      lab::RunRequest run;
      run.lab = request.lab;
      run.step = step;
      run.source = std::move(text->source);
      run.file_name = std::move(text->file_name);
      run.gpu = request.gpu;
      run.stop = request.stop;
      part.result = runner->run(run);
      part.whose = std::move(text->whose);
    }
    if (request.stop && request.stop->requested()) return Diagnostics{make_error("stopped", "the report was stopped")};
    page.steps.push_back(std::move(part));
  }
  return html_page(page);
}

}  // namespace warpshop::report
