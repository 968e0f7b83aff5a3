// Writes a report, or the script of a lecture, in the background.
#pragma once

#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>

#include "core/result.h"
#include "core/stop.h"
#include "lab/lab.h"
#include "models/gpu_profile.h"

namespace warpshop::ui {

struct ReportJob {
  // kReport: the student's kernels of all exercises, as saved in their files.
  enum class Of { kReport, kLecture, kLectureWithNotes };
  std::shared_ptr<const lab::LabLibrary> labs;  // keeps `lab` alive
  const lab::Lab* lab = nullptr;
  models::GpuProfile gpu;
  std::filesystem::path file;
  Of of = Of::kReport;
};

class ReportWorker {
 public:
  // `wake` is called on a background thread when a report is done.
  explicit ReportWorker(std::function<void()> wake) : wake_(std::move(wake)) {}
  ~ReportWorker() { stop_.request(); }
  ReportWorker(const ReportWorker&) = delete;
  ReportWorker& operator=(const ReportWorker&) = delete;

  bool busy() const { return written_.valid(); }
  void write(ReportJob job);  // not while busy
  // Returns a finished report once: its file, or the error.
  std::optional<Result<std::filesystem::path>> take();

 private:
  std::function<void()> wake_;
  StopFlag stop_;
  // Last, since its destructor waits for its thread, which uses the other members.
  std::future<Result<std::filesystem::path>> written_;
};

}  // namespace warpshop::ui
