// The thread that compiles and emulates, so that the window never waits. The newest request wins:
// it stops the running one.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/stop.h"
#include "lab/runner.h"
#include "maps/prepared_result.h"
#include "state/gpu_times.h"

namespace warpshop::ui {

struct RunJob {
  std::shared_ptr<const lab::LabLibrary> labs;  // keeps `lab` and `step` alive
  const lab::Lab* lab = nullptr;
  const lab::Step* step = nullptr;
  std::string source;
  std::string file_name;
  models::GpuProfile gpu;
  bool preview_first = false;                 // run the first size alone first, then all sizes
  std::vector<uint64_t> record_blocks = {0};  // linear indices: blocks whose accesses the maps show
  // Receives the kernel's output while it runs; may be null.
  std::shared_ptr<emulator::LivePrints> prints;
  bool predict = false;  // follow the result with predicted times and memory over time
  // If not empty: only predicts times, one GPU after another; `gpu` does not count.
  std::vector<models::GpuProfile> times_on;
};

struct RunUpdate {
  uint64_t job = 0;
  Stages stages;
  std::shared_ptr<const PreparedResult> result;  // null: only the stages have changed
  bool finished = false;                         // only predictions will follow for this job
  bool predictions = false;  // `result` is the previous one with more predictions
  std::string gpu{};         // of RunJob::times_on, which has a time now; "": none
  GpuTime time{};
};

class RunWorker {
 public:
  using RunFunction = std::function<lab::RunResult(const lab::RunRequest&)>;
  // Called once, on the worker's thread, since loading the compiler takes a moment.
  using Factory = std::function<Result<RunFunction>()>;

  // `wake` is called on the worker's thread whenever there is something to poll.
  RunWorker(Factory factory, std::function<void()> wake);
  ~RunWorker();
  RunWorker(const RunWorker&) = delete;
  RunWorker& operator=(const RunWorker&) = delete;

  uint64_t submit(RunJob job);  // returns its number, > 0
  // Asks the thread to end. False if it is still running after
  // that time, since the compiler cannot be interrupted.
  bool ends_within(double seconds);
  void stop();  // stops the running and the waiting job; keeps results so far

  // Updates since the last call, oldest first.
  std::vector<RunUpdate> poll();
  bool busy() const;
  // True once after each time that the worker has become idle: what was refused while it was busy
  // can be asked for again. The last update comes while it is still busy.
  bool take_idle();
  // Why kernels cannot run on this machine; none while loading, or if all is well.
  std::optional<Diagnostics> missing() const;

 private:
  void work();
  void predict_times(const RunFunction& run, const RunJob& job, uint64_t number, StopFlag& stop);
  void run_job(const RunFunction& run, const RunJob& job, uint64_t number, StopFlag& stop);
  void post(RunUpdate update);

  Factory factory_;
  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::condition_variable ready_;
  std::optional<RunJob> next_;
  uint64_t next_number_ = 0;
  uint64_t submitted_ = 0;
  std::shared_ptr<StopFlag> running_;  // null while idle
  std::vector<RunUpdate> updates_;
  std::optional<Diagnostics> missing_;
  bool became_idle_ = false;
  bool quit_ = false;
  bool ended_ = false;
  std::thread thread_;
};

// The worker's factory for the program: lab::Runner.
RunWorker::Factory make_lab_runner();

}  // namespace warpshop::ui
