// The thread that compiles and emulates, so that the window never waits. The newest request wins:
// it stops the one that runs.
#pragma once

#include <array>
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

namespace warpshop::ui {

struct RunJob {
  std::shared_ptr<const lab::LabLibrary> labs;  // keeps `lab` and `step` alive
  const lab::Lab* lab = nullptr;
  const lab::Step* step = nullptr;
  std::string source;
  std::string file_name;
  models::GpuProfile gpu;
  bool preview_first = false;                 // first the first size alone, then all of them
  std::vector<uint64_t> record_blocks = {0};  // linear: whose accesses the maps show
  std::shared_ptr<emulator::LivePrints>
      prints;            // gets what the kernel prints while it runs; may be null
  bool predict = false;  // predicted times and the memory over time follow the result
};

using Stages = std::array<lab::StageReport, lab::kStageCount>;

struct RunUpdate {
  uint64_t job = 0;
  Stages stages;
  std::shared_ptr<const PreparedResult> result;  // null: only the stages have moved
  bool finished = false;                         // nothing but predictions will come of this job
  bool predictions = false;                      // `result` is the one before with more predictions
};

class RunWorker {
 public:
  using RunFunction = std::function<lab::RunResult(const lab::RunRequest&)>;
  // Called once on the worker's thread; loading the compiler takes a moment.
  using Factory = std::function<Result<RunFunction>()>;

  // `wake` is called from the worker's thread whenever there is something to poll.
  RunWorker(Factory factory, std::function<void()> wake);
  ~RunWorker();
  RunWorker(const RunWorker&) = delete;
  RunWorker& operator=(const RunWorker&) = delete;

  uint64_t submit(RunJob job);  // its number, > 0
  // Asks the thread to end. False: it still runs after that time, since the compiler cannot be
  // interrupted.
  bool ends_within(double seconds);
  void stop();  // what runs and what waits; results so far are kept

  // What has happened since the last call, oldest first.
  std::vector<RunUpdate> poll();
  bool busy() const;
  // Why nothing can be run on this machine; none while loading or when all is well.
  std::optional<Diagnostics> missing() const;

 private:
  void work();
  void run_job(const RunFunction& run, RunJob job, uint64_t number, StopFlag& stop);
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
  bool quit_ = false;
  bool ended_ = false;
  std::thread thread_;
};

// The worker's factory for the program: lab::Runner.
RunWorker::Factory make_lab_runner();

}  // namespace warpshop::ui
