#include "work/device_link.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/charconv.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

constexpr int kRestarts = 2;  // in a row, of a worker that had started before
constexpr std::chrono::milliseconds kWatch(500);
constexpr std::chrono::milliseconds kPause(1000);  // before a worker is restarted

bool ended_the_worker(const Diagnostic& problem) {
  return problem.kind == "gpu-fault" || problem.kind == "gpu-timeout";
}

lab::StageReport stage_of(const Diagnostic& problem) {
  if (problem.kind == "stopped") return {lab::StageState::kStopped, 0, "stopped"};
  return {lab::StageState::kFailed, 0,
          problem.kind == "gpu-none" ? tr_later("no GPU") : tr_later("not run")};
}

}  // namespace

std::string_view name_of(LinkState state) {
  switch (state) {
    case LinkState::kOff:
      return tr_later("not started");
    case LinkState::kStarting:
      return tr_later("starting");
    case LinkState::kReady:
      return tr_later("ready");
    case LinkState::kMeasuring:
      return tr_later("measuring");
    case LinkState::kRetrying:
      return tr_later("lost, starting again");
    case LinkState::kRefused:
      return tr_later("cannot be used");
  }
  return "";
}

DeviceLink::DeviceLink(device::WorkerOptions options, std::function<void()> wake)
    : wake_(std::move(wake)),
      options_(std::move(options)),
      client_(options_),
      thread_([this] { work(); }) {}

DeviceLink::~DeviceLink() {
  {
    std::lock_guard lock(mutex_);
    quit_ = true;
    next_.reset();
    stop_.request();
  }
  changed_.notify_all();
  thread_.join();
}

void DeviceLink::connect() {
  {
    std::lock_guard lock(mutex_);
    connect_ = true;
  }
  changed_.notify_all();
}

void DeviceLink::measure(MeasureJob job) {
  {
    std::lock_guard lock(mutex_);
    // More sizes of the run being measured: let its job finish, and do not measure its sizes twice.
    if (job.run != running_run_) superseded_ = running_;
    next_ = std::move(job);
  }
  changed_.notify_all();
}

void DeviceLink::drop() {
  std::lock_guard lock(mutex_);
  next_.reset();
  updates_.clear();
  superseded_ = running_;
}

void DeviceLink::stop() {
  std::lock_guard lock(mutex_);
  next_.reset();
  connect_ = false;
  if (running_) stop_.request();
}

LinkStatus DeviceLink::status() const {
  std::lock_guard lock(mutex_);
  return status_;
}

bool DeviceLink::busy() const {
  std::lock_guard lock(mutex_);
  return running_ || connect_ || next_.has_value() || !updates_.empty();
}

std::vector<MeasureUpdate> DeviceLink::poll() {
  std::lock_guard lock(mutex_);
  return std::exchange(updates_, {});
}

void DeviceLink::set(LinkState state, std::string stage, std::optional<Diagnostic> problem) {
  {
    std::lock_guard lock(mutex_);
    if (state == LinkState::kRetrying && status_.state != LinkState::kRetrying) ++status_.restarts;
    status_.state = state;
    status_.place_in_queue =
        stage.starts_with(device::kWaiting)
            ? parse_number<int>(stage.substr(device::kWaiting.size())).value_or(0)
            : 0;
    status_.stage = std::move(stage);
    if (problem) status_.problem = std::move(problem);
  }
  wake_();
}

void DeviceLink::post(MeasureUpdate update) {
  {
    std::lock_guard lock(mutex_);
    if (superseded_) return;
    updates_.push_back(std::move(update));
  }
  wake_();
}

void DeviceLink::work() {
  for (;;) {
    std::optional<MeasureJob> job;
    bool connect = false;
    {
      std::unique_lock lock(mutex_);
      const auto wanted = [this] { return quit_ || connect_ || next_.has_value(); };
      // Check an idle worker regularly; otherwise there is nothing to check.
      if (status_.state == LinkState::kReady) {
        changed_.wait_for(lock, kWatch, wanted);
      } else {
        changed_.wait(lock, wanted);
      }
      if (quit_) return;
      job = std::exchange(next_, std::nullopt);
      connect = std::exchange(connect_, false);
      superseded_ = false;
      stop_.reset();
      running_ = job.has_value() || connect;
      running_run_ = job ? job->run : 0;
    }
    if (job) {
      measure_now(std::move(*job));
    } else if (connect) {
      // One that had no GPU would say so for ever.
      if (status().state == LinkState::kRefused) client_ = device::WorkerClient(options_);
      ready();
    } else {
      watch();
    }
    {
      std::lock_guard lock(mutex_);
      running_ = false;
    }
    wake_();
  }
}

bool DeviceLink::ready() {
  bool was_there = false;
  {
    std::lock_guard lock(mutex_);
    was_there = status_.hello.has_value() && status_.state != LinkState::kRefused;
  }
  for (int restarts = 0;; ++restarts) {
    LinkState before = LinkState::kOff;
    {
      std::lock_guard lock(mutex_);
      before = status_.state;
    }
    if (before == LinkState::kOff || before == LinkState::kRefused) set(LinkState::kStarting);
    const Result<device::Hello> hello = client_.hello(&stop_);
    if (hello.ok()) {
      const Result<device::GpuInfo> usable = device::usable_gpu(hello.value(), -1);
      {
        std::lock_guard lock(mutex_);
        status_.hello = hello.value();
      }
      if (usable.ok()) {
        set(LinkState::kReady);
        return true;
      }
      set(LinkState::kRefused, {}, usable.errors().front());
      return false;
    }
    const Diagnostic& problem = hello.errors().front();
    if (problem.kind == "stopped") {
      set(LinkState::kOff);
      return false;
    }
    if (!was_there || problem.kind != "gpu-lost" || restarts >= kRestarts) {
      set(LinkState::kRefused, {}, problem);
      return false;
    }
    set(LinkState::kRetrying, {}, problem);
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kPause, [this] { return quit_ || stop_.requested(); });
  }
}

void DeviceLink::watch() {
  std::optional<Diagnostic> ended = client_.ended();
  if (!ended) return;
  set(LinkState::kRetrying, {}, std::move(ended));
  ready();
}

void DeviceLink::measure_now(MeasureJob job) {
  if (job.run != measured_run_) measured_ = {};
  measured_run_ = job.run;
  {
    std::lock_guard lock(mutex_);
    if (status_.state != LinkState::kRefused) status_.problem.reset();
  }
  if (!ready()) {
    const LinkStatus now = status();
    const Diagnostic why =
        now.problem ? *now.problem
                    : make_error("stopped", sentence("stopped while the GPU worker started"));
    measured_.problems = {why};
    measured_.stage = stage_of(why);
    post({job.run, measured_, true});
    return;
  }
  set(LinkState::kMeasuring);
  // Do not retry a kernel at other sizes after it faulted at one.
  const bool tried = has_errors(measured_.problems);
  if (!tried) measured_.stage = {lab::StageState::kRunning, 0, ""};
  if (measured_.sizes.empty()) post({job.run, measured_, false});
  lab::MeasureOptions options;
  options.worker = &client_;
  options.gpu = job.gpu;
  options.stop = &stop_;
  options.counters = true;
  options.enough = [this] {
    std::lock_guard lock(mutex_);
    return superseded_ || quit_;
  };
  options.on_stage = [this](std::string_view stage) {
    const bool lost = stage.starts_with(device::kConnectionLost);
    set(lost ? LinkState::kRetrying : LinkState::kMeasuring, std::string(stage));
  };
  if (!tried) {
    measure_run(*job.step->exercise, job.of->result, options, measured_, [&] {
      post({job.run, measured_, false});
    });
  }
  post({job.run, measured_, true});
  for (const Diagnostic& problem : measured_.problems) {
    if (ended_the_worker(problem)) set(LinkState::kRetrying, {}, problem);
    if (problem.kind == "gpu-lost") {
      std::lock_guard lock(mutex_);
      status_.problem = problem;
    }
  }
  // Have the worker ready for the next run, whatever happened to this one.
  ready();
}

}  // namespace warpshop::ui
