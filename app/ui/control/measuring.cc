#include "control/measuring.h"

#include <algorithm>

#include "device/worker.h"
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

Measuring::Measuring(Shell& shell, Docks& docks, OpenWork& work, Results& results)
    : shell_(shell),
      docks_(docks),
      work_(work),
      results_(results),
      devices_(
          shell.options.driver.value_or(!shell.options.read_only && device::driver_is_installed()),
          [this] {
            changed_ = true;
            GlWindow::wake();
          },
          device::driver_is_of_a_class()) {
  use_devices();
  CommandTable& commands = shell.commands;
  commands.on([this](const command::SelectDevice& c) { select(c.place, c.gpu); });
  commands.on([this](const command::OpenDevices&) {
    shell_.dialog.open = Dialog::kDevices;
    // So that the list shows the available GPUs.
    for (const DeviceRow& row : devices_.rows()) {
      if (row.state == LinkState::kOff && row.place == kHere) devices_.connect(row.place);
    }
  });
  commands.on([this](const command::ConnectDevice& c) {
    devices_.connect(c.place);
    if (c.place != devices_.chosen().place || !results_.latest || shell_.view.latest_stale ||
        !results_.job.done)
      return;
    run_ = 0;  // a run that found no GPU is measured now
    measure();
  });
  commands.on([this](const command::AddWorker& c) {
    if (Result<std::vector<std::string>> words = worker_command(c.command); !words.ok()) {
      shell_.say(words.errors());
      return;
    }
    if (std::find(shell_.settings.workers.begin(), shell_.settings.workers.end(), c.command) ==
        shell_.settings.workers.end()) {
      shell_.settings.workers.push_back(c.command);
    }
    select(c.command, -1);
  });
  commands.on([this](const command::RemoveWorker& c) {
    std::erase(shell_.settings.workers, c.command);
    if (shell_.settings.measure_on == c.command) {
      select(kEmulatorAlone, -1);
    } else {
      use_devices();
    }
  });
}

void Measuring::use_devices() {
  devices_.use(shell_.settings.workers, shell_.settings.measure_on, shell_.settings.measure_gpu);
}

// Requires the newest result to be of the newest job, and not just its preview if there are more
// sizes.
void Measuring::measure() {
  if (!devices_.measures() || !results_.latest || results_.latest->result.sizes.empty() ||
      results_.latest->result.stopped) {
    return;
  }
  const lab::RunResult& result = results_.latest->result;
  if (run_ == results_.job.id) put(measured_);
  if (run_ == results_.job.id && sizes_ >= result.sizes.size()) return;
  if (run_ != results_.job.id) measured_ = {};
  run_ = results_.job.id;
  sizes_ = result.sizes.size();
  if (went_wrong(result) && !results_.job.asked) {
    lab::Measured skipped;
    skipped.stage = {lab::StageState::kSkipped, 0, tr_later("not while typing")};
    skipped.problems = {make_error(
        "not-measured", tr("the emulator found mistakes, so the kernel was not run on the GPU"),
        tr("Run (F6) does so all the same"))};
    skipped.problems.front().severity = Severity::kNote;
    put(std::move(skipped));
    return;
  }
  MeasureJob job;
  job.run = results_.job.id;
  job.labs = work_.labs;
  job.step = work_.session->step();
  job.of = results_.latest;
  devices_.measure(std::move(job));
}

void Measuring::take_measured() {
  if (changed_.exchange(false)) shell_.draw_frames(3);
  for (MeasureUpdate& update : devices_.poll()) {
    if (update.run != results_.job.id || update.run != run_) continue;  // belongs to an older text
    put(std::move(update.measured));
  }
}

void Measuring::put(lab::Measured measured) {
  measured_ = std::move(measured);
  const auto with_measured = [this](const std::shared_ptr<const PreparedResult>& of) {
    auto copy = std::make_shared<PreparedResult>(*of);
    lab::put_measured(measured_, copy->result);
    return copy;
  };
  const bool same = results_.prepared == results_.latest;
  if (results_.latest) results_.latest = with_measured(results_.latest);
  if (same) results_.prepared = results_.latest;
  results_.stages[static_cast<size_t>(lab::Stage::kMeasure)] = measured_.stage;
  shell_.draw_frames(3);
}

void Measuring::select(const std::string& place, int gpu) {
  shell_.settings.measure_on = place;
  shell_.settings.measure_gpu = gpu;
  devices_.drop();
  use_devices();
  run_ = 0;
  measured_ = {};
  if (devices_.measures()) docks_.show("times");
  if (results_.latest && !shell_.view.latest_stale && results_.job.done) {
    lab::Measured none;
    none.stage = {lab::StageState::kSkipped, 0, tr_later("not measured")};
    put(std::move(none));
    results_.job.asked = false;
    measure();
  }
}

void Measuring::put_again() {
  if (run_ == results_.job.id) put(measured_);
}

void Measuring::put_stage() {
  if (run_ == results_.job.id)
    results_.stages[static_cast<size_t>(lab::Stage::kMeasure)] = measured_.stage;
}

void Measuring::forget() {
  devices_.drop();
  run_ = 0;
}

}  // namespace warpshop::ui
