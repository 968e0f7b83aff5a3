// Runs on a real GPU: once the emulator's result is shown, the same launch goes to the selected
// worker, and its measurements are added to the result when they arrive.
#include <algorithm>

#include "app/lab_app.h"
#include "core/files.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

// True if the emulator found errors. Such a kernel may hang the GPU or end its worker, so it is not
// run there while the student types.
bool went_wrong(const lab::RunResult& result) {
  for (const lab::SizeResult& size : result.sizes) {
    if (!size.student.completed) return true;
    for (const emulator::Finding& finding : size.student.findings) {
      if (finding.severity == Severity::kError) return true;
    }
  }
  return false;
}

}  // namespace

void App::use_devices() {
  devices_->use(settings_.workers, settings_.measure_on, settings_.measure_gpu);
}

// Requires `latest_` to be the newest result of `job_`,
// and not just its preview if there are more sizes.
void App::measure_result() {
  if (!devices_->measures() || !latest_ || latest_->result.sizes.empty() ||
      latest_->result.stopped) {
    return;
  }
  const lab::RunResult& result = latest_->result;
  if (measured_run_ == job_) put_measured(measured_);
  if (measured_run_ == job_ && measured_sizes_ >= result.sizes.size()) return;
  if (measured_run_ != job_) measured_ = {};
  measured_run_ = job_;
  measured_sizes_ = result.sizes.size();
  if (went_wrong(result) && !run_asked_) {
    lab::Measured skipped;
    skipped.stage = {lab::StageState::kSkipped, 0, tr_later("not while typing")};
    skipped.problems = {make_error(
        "not-measured", tr("the emulator found mistakes, so the kernel was not run on the GPU"),
        tr("Run (F6) does so all the same"))};
    skipped.problems.front().severity = Severity::kNote;
    put_measured(std::move(skipped));
    return;
  }
  MeasureJob job;
  job.run = job_;
  job.labs = labs_;
  job.step = session_->step();
  job.of = latest_;
  devices_->measure(std::move(job));
}

void App::take_measured() {
  if (devices_changed_.exchange(false)) frames_due_ = std::max(frames_due_, 3);
  for (MeasureUpdate& update : devices_->poll()) {
    if (update.run != job_ || update.run != measured_run_) continue;  // belongs to an older text
    put_measured(std::move(update.measured));
  }
}

void App::put_measured(lab::Measured measured) {
  measured_ = std::move(measured);
  const auto with_measured = [this](const std::shared_ptr<const PreparedResult>& of) {
    auto copy = std::make_shared<PreparedResult>(*of);
    lab::put_measured(measured_, copy->result);
    return copy;
  };
  const bool same = prepared_ == latest_;
  if (latest_) latest_ = with_measured(latest_);
  if (same) prepared_ = latest_;
  stages_[static_cast<size_t>(lab::Stage::kMeasure)] = measured_.stage;
  frames_due_ = std::max(frames_due_, 3);
}

void App::apply(const command::OpenDevices&) {
  dialog_.open = Dialog::kDevices;
  // So that the list shows the available GPUs.
  for (const DeviceRow& row : devices_->rows()) {
    if (row.state == LinkState::kOff && row.place == kHere) devices_->connect(row.place);
  }
}

void App::apply(const command::SelectDevice& c) {
  settings_.measure_on = c.place;
  settings_.measure_gpu = c.gpu;
  devices_->drop();
  use_devices();
  measured_run_ = 0;
  measured_ = {};
  if (devices_->measures()) show_panel("times");
  if (latest_ && !view_.latest_stale && job_done_) {
    lab::Measured none;
    none.stage = {lab::StageState::kSkipped, 0, tr_later("not measured")};
    put_measured(std::move(none));
    run_asked_ = false;
    measure_result();
  }
}

void App::apply(const command::ConnectDevice& c) {
  devices_->connect(c.place);
  if (c.place != devices_->chosen().place || !latest_ || view_.latest_stale || !job_done_) return;
  measured_run_ = 0;  // a run that found no GPU is measured now
  measure_result();
}

void App::apply(const command::AddWorker& c) {
  if (Result<std::vector<std::string>> words = worker_command(c.command); !words.ok()) {
    toasts_.say(words.errors(), now());
    return;
  }
  if (std::find(settings_.workers.begin(), settings_.workers.end(), c.command) ==
      settings_.workers.end()) {
    settings_.workers.push_back(c.command);
  }
  apply(command::SelectDevice{c.command, -1});
}

void App::apply(const command::RemoveWorker& c) {
  std::erase(settings_.workers, c.command);
  if (settings_.measure_on == c.command) {
    apply(command::SelectDevice{kEmulatorAlone, -1});
  } else {
    use_devices();
  }
}

}  // namespace warpshop::ui
