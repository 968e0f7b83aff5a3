#include "work/run_worker.h"

#include <chrono>
#include <utility>

namespace warpshop::ui {

RunWorker::RunWorker(Factory factory, std::function<void()> wake)
    : factory_(std::move(factory)), wake_(std::move(wake)), thread_([this] { work(); }) {}

RunWorker::~RunWorker() {
  ends_within(0);
  thread_.join();
}

bool RunWorker::ends_within(double seconds) {
  std::unique_lock lock(mutex_);
  quit_ = true;
  next_.reset();
  if (running_) running_->request();
  ready_.notify_all();
  return ready_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return ended_; });
}

uint64_t RunWorker::submit(RunJob job) {
  uint64_t number = 0;
  {
    std::lock_guard lock(mutex_);
    number = ++submitted_;
    next_ = std::move(job);
    next_number_ = number;
    if (running_) running_->request();
  }
  ready_.notify_all();
  return number;
}

void RunWorker::stop() {
  std::lock_guard lock(mutex_);
  next_.reset();
  if (running_) running_->request();
}

std::vector<RunUpdate> RunWorker::poll() {
  std::lock_guard lock(mutex_);
  return std::exchange(updates_, {});
}

bool RunWorker::busy() const {
  std::lock_guard lock(mutex_);
  return running_ != nullptr || next_.has_value();
}

bool RunWorker::take_idle() {
  std::lock_guard lock(mutex_);
  return std::exchange(became_idle_, false);
}

std::optional<Diagnostics> RunWorker::missing() const {
  std::lock_guard lock(mutex_);
  return missing_;
}

void RunWorker::post(RunUpdate update) {
  {
    std::lock_guard lock(mutex_);
    updates_.push_back(std::move(update));
  }
  wake_();
}

void RunWorker::work() {
  Result<RunFunction> run = factory_();
  if (!run.ok()) {
    {
      std::lock_guard lock(mutex_);
      missing_ = run.errors();
    }
    wake_();
  }
  for (;;) {
    RunJob job;
    uint64_t number = 0;
    auto stop = std::make_shared<StopFlag>();
    {
      std::unique_lock lock(mutex_);
      ready_.wait(lock, [this] { return quit_ || next_.has_value(); });
      if (quit_) {
        ended_ = true;
        ready_.notify_all();
        return;
      }
      job = std::move(*next_);
      next_.reset();
      number = next_number_;
      running_ = stop;
    }
    if (run.ok() && !job.times_on.empty()) {
      predict_times(*run, job, number, *stop);
    } else if (run.ok()) {
      run_job(*run, job, number, *stop);
    } else {
      Stages stages;
      stages.front() = {lab::StageState::kFailed, 0, "no compiler"};
      post({number, stages, nullptr, true, false});
    }
    {
      std::lock_guard lock(mutex_);
      running_.reset();
      became_idle_ = !next_.has_value();
    }
    wake_();
  }
}

void RunWorker::predict_times(const RunFunction& run, const RunJob& job, uint64_t number,
                              StopFlag& stop) {
  for (const models::GpuProfile& gpu : job.times_on) {
    lab::RunRequest request;
    request.lab = job.lab;
    request.step = job.step;
    request.source = job.source;
    request.file_name = job.file_name;
    request.gpu = gpu;
    request.only_predict_timed = true;
    request.stop = &stop;
    const lab::RunResult result = run(request);
    if (stop.requested()) return;
    RunUpdate update;
    update.job = number;
    update.gpu = gpu.id;
    update.time = gpu_time_of(result).value_or(GpuTime{});
    post(std::move(update));
  }
}

void RunWorker::run_job(const RunFunction& run, const RunJob& job, uint64_t number,
                        StopFlag& stop) {
  // The second run finds the kernel already compiled, so report the first run's compile time.
  std::optional<lab::StageReport> compiled;
  auto with_compile_time = [&compiled](Stages stages) {
    lab::StageReport& compile = stages[static_cast<size_t>(lab::Stage::kCompile)];
    if (compiled && compile.state == lab::StageState::kPassed) compile = *compiled;
    return stages;
  };
  const bool several = job.step->exercise && job.step->exercise->sizes.size() > 1;
  for (const bool preview : {true, false}) {
    if (preview && !(job.preview_first && several)) continue;
    lab::RunRequest request;
    request.lab = job.lab;
    request.step = job.step;
    request.source = job.source;
    request.file_name = job.file_name;
    request.gpu = job.gpu;
    request.record_blocks = job.record_blocks;
    request.first_size_only = preview;
    request.prints = job.prints.get();
    request.stop = &stop;
    request.on_stage = [&](const Stages& stages) {
      post({number, with_compile_time(stages), nullptr, false, false});
    };
    // This run's result, once everything except the predictions is known.
    std::shared_ptr<const PreparedResult> shown;
    if (job.predict && !preview) {
      request.predict = request.memory_timeline = true;
      request.pause_before_timed = std::chrono::milliseconds(300);
      request.on_partial = [&](const lab::RunResult& partial) {
        const bool first = shown == nullptr;
        shown = std::make_shared<PreparedResult>(first ? prepare(partial, false)
                                                       : with_predictions(*shown, partial));
        post({number, with_compile_time(partial.stages), shown, true, !first});
      };
    }
    lab::RunResult result = run(request);
    if (shown != nullptr) {
      // After a stop, it contains nothing new.
      if (stop.requested()) return;
      const Stages stages = with_compile_time(result.stages);
      post({number, stages, std::make_shared<PreparedResult>(with_predictions(*shown, result)),
            true, true});
      return;
    }
    auto prepared = std::make_shared<PreparedResult>(prepare(std::move(result), preview));
    const Stages stages = with_compile_time(prepared->result.stages);
    if (preview) compiled = prepared->result.stage(lab::Stage::kCompile);
    // If the compiler has rejected the text, the other sizes add nothing.
    const bool refused = prepared->result.sizes.empty();
    const bool last = !preview || stop.requested() || refused;
    if (refused) prepared->preview = false;
    post({number, stages, std::move(prepared), last, false});
    if (last) return;
  }
}

RunWorker::Factory make_lab_runner() {
  return []() -> Result<RunWorker::RunFunction> {
    Result<lab::Runner> runner = lab::Runner::create();
    if (!runner.ok()) return runner.errors();
    auto shared = std::make_shared<lab::Runner>(std::move(runner).value());
    return RunWorker::RunFunction(
        [shared](const lab::RunRequest& request) { return shared->run(request); });
  };
}

}  // namespace warpshop::ui
