// The lab's side of a worker: starts it, gives it jobs, starts it again when a kernel has ended it
// or the connection was lost.
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

// The GPU `index` of a worker, or the first that can be used for -1. Error: why there is none.
Result<GpuInfo> usable_gpu(const Hello& hello, int index);

// The stage that run() tells of when it tries again.
inline constexpr std::string_view kConnectionLost = "connection lost, trying again";

struct WorkerOptions {
  // What starts it: empty for this program's own `worker`; or {"ssh", "HOST", "warpshop",
  // "worker"}.
  std::vector<std::string> command;
  double start_limit_s = 60;    // until its hello; a cluster's queue may need more
  double compile_limit_s = 60;  // on top of a job's own limit
  int retries = 2;              // after a lost connection; never after a fault or a time limit
};

class WorkerClient {
 public:
  explicit WorkerClient(WorkerOptions options = {});
  WorkerClient(WorkerClient&&) noexcept;
  WorkerClient& operator=(WorkerClient&&) noexcept;
  ~WorkerClient();

  // Starts it unless it runs. Error: why there is none, or that it speaks another version.
  Result<Hello> hello(const StopFlag* stop = nullptr);

  // Why the worker that waits for work is not there any more; none while it is, or before one was
  // started. The next hello() or run() starts another one.
  std::optional<Diagnostic> ended();

  // Does one job. A lost connection is retried; a stop kills the worker, since nothing else ends a
  // kernel. Errors have the kinds of docs/worker-protocol.md.
  Result<JobResult> run(const Job& job, const StopFlag* stop = nullptr,
                        const std::function<void(std::string_view stage)>& on_stage = {});

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpshop::device
