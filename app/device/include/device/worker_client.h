// The lab's side of a worker: starts it, sends it jobs, and restarts it after a kernel has killed
// it or the connection was lost.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/stop.h"
#include "device/protocol.h"

namespace warpshop::device {

// The worker's GPU number `index`, or its first usable one for -1. Error: why there is none.
Result<GpuInfo> usable_gpu(const Hello& hello, int index);

// The stage reported by run() when it retries.
inline constexpr std::string_view kConnectionLost = "connection lost, trying again";

// The stage reported by run() while others' jobs go first, with the job's place after it.
inline constexpr std::string_view kWaiting = "waiting, place ";

struct WorkerOptions {
  // The command that starts it: empty for this program's own `worker`, or {"ssh", "HOST",
  // "warpshop", "worker"}.
  std::vector<std::string> command;
  double start_limit_s = 60;    // time until its hello; a cluster's queue may need more
  double compile_limit_s = 60;  // on top of the job's own limit
  int retries = 2;              // after a lost connection; never after a fault or a timeout
};

class WorkerClient {
 public:
  explicit WorkerClient(WorkerOptions options = {});
  WorkerClient(WorkerClient&&) noexcept;
  WorkerClient& operator=(WorkerClient&&) noexcept;
  ~WorkerClient();

  // Starts the worker unless it is running. Error: why it cannot run, or that it speaks another
  // version.
  Result<Hello> hello(const StopFlag* stop = nullptr);

  // Why the idle worker has exited; none while it is running or before one was started. The next
  // hello() or run() starts another.
  std::optional<Diagnostic> ended();

  // Runs one job. Retries after a lost connection. A stop kills the worker, since nothing else ends
  // a kernel. docs/worker-protocol.md lists the kinds of errors.
  Result<JobResult> run(const Job& job, const StopFlag* stop = nullptr,
                        const std::function<void(std::string_view stage)>& on_stage = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpshop::device
