// From a kernel's text to a RunResult: compile, check, emulate, compare. Called from any thread but
// the window's; one Runner may be used by one thread at a time.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "core/result.h"
#include "core/stop.h"
#include "device/worker_client.h"
#include "lab/lab.h"
#include "lab/run_result.h"

namespace warpshop::lab {

struct RunRequest {
  const Lab* lab = nullptr;
  const Step* step = nullptr;  // must have an exercise
  std::string source;
  std::string file_name;  // "stride.cu"
  models::GpuProfile gpu;
  std::vector<uint64_t> record_blocks = {0};
  uint64_t instruction_budget = 500'000'000;
  double compile_seconds = 20;   // compile::CompileInput::most_seconds
  uint64_t order_seed = 0;       // emulator::LaunchOptions::order_seed
  int threads = 0;               // 0: every core
  bool first_size_only = false;  // for a preview while typing; `passed` stays false
  bool explain =
      true;  // search a debug build for the cause of a wrong result that nothing else explains
  // Times both kernels on this worker's GPU after the emulator; null: not measured.
  device::WorkerClient* worker = nullptr;
  int worker_gpu = -1;              // -1: the first that can be used
  bool worker_required = true;      // false: a missing GPU is not a problem
  double worker_time_limit_s = 10;  // per size
  // Predicts the times of both kernels on `gpu` at each size that was run, after everything else
  // (KernelRun::prediction). A stop during this leaves the rest of the result intact.
  bool predict = false;
  // Only predicts the student's kernel at the size for times; the reference, checks and other sizes
  // are left out. The result has that size as `timed`.
  bool only_predict_timed = false;
  // Delay before predicting at the size for times. Filling its buffers takes a while and cannot be
  // stopped, so nothing starts while edits keep coming.
  std::chrono::milliseconds pause_before_timed{0};
  uint32_t timeline_warps = 32;  // timelines to keep, per kernel at the first size
  // Also plays the student's accesses at the first size through the partitions and banks of `gpu`,
  // before the predictions (KernelRun::memory). Stops likewise.
  bool memory_timeline = false;
  // Receives what the student's kernel prints at the first size, while it runs.
  emulator::LivePrints* prints = nullptr;
  const StopFlag* stop = nullptr;
  // With `predict` or `memory_timeline`: called on the running thread with the result so far, once
  // everything else is known and before each of the later parts.
  std::function<void(const RunResult&)> on_partial;
  // Called on the running thread with the stages so far, whenever a stage changes.
  std::function<void(const std::array<StageReport, kStageCount>&)> on_stage;
};

class Runner {
 public:
  // Loads the compiler. Error: what is missing and how to get it.
  static Result<Runner> create();
  explicit Runner(compile::Compiler compiler);
  // Never throws and never fails as a whole: problems are in the result's diagnostics and stages.
  RunResult run(const RunRequest& request);
  Runner(Runner&&) noexcept;
  Runner& operator=(Runner&&) noexcept;
  ~Runner();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpshop::lab
