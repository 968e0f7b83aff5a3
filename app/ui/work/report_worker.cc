#include "work/report_worker.h"

#include <chrono>
#include <utility>

#include "core/files.h"
#include "report/handout.h"
#include "report/lab_report.h"

namespace warpshop::ui {
namespace {

Result<std::string> handout_of(const ReportJob& job, const StopFlag& stop) {
  report::HandoutRequest request;
  request.lab = job.lab;
  request.gpu = job.gpu;
  request.notes = job.of == ReportJob::Of::kLectureWithNotes;
  request.stop = &stop;
  return report::lecture_handout(request);
}

Result<std::string> report_of(const ReportJob& job, const StopFlag& stop) {
  const lab::LoadedProgress progress = lab::load_progress();
  report::LabReportRequest request;
  request.lab = job.lab;
  for (const lab::Step& step : job.lab->steps) request.steps.push_back(&step);
  request.progress = &progress.progress;
  request.gpu = job.gpu;
  request.text_of = [&](const lab::Step& step) {
    return report::own_text(*job.lab, step, progress.progress);
  };
  request.stop = &stop;
  return report::lab_report(request);
}

Result<std::filesystem::path> write_report(const ReportJob& job, const StopFlag& stop) {
  const Result<std::string> html =
      job.of == ReportJob::Of::kReport ? report_of(job, stop) : handout_of(job, stop);
  if (!html.ok()) return html.errors();
  if (const Status written = write_file_atomically(job.file, *html); !written.ok())
    return written.errors();
  return job.file;
}

}  // namespace

void ReportWorker::write(ReportJob job) {
  written_ = std::async(std::launch::async, [this, job = std::move(job)] {
    Result<std::filesystem::path> written = write_report(job, stop_);
    wake_();
    return written;
  });
}

std::optional<Result<std::filesystem::path>> ReportWorker::take() {
  if (!written_.valid() || written_.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return std::nullopt;
  return written_.get();
}

}  // namespace warpshop::ui
