// Runs NVRTC in a child process (compile/child.h): this program itself, started again. It has
// loaded NVRTC before a job comes, and serves each job in a copy of itself as it was before the
// first.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

#include "core/child_process.h"
#include "core/result.h"
#include "nvrtc_runner.h"

namespace warpshop::compile {

// Memory that a child may use for one job, beyond what it has when the job starts.
inline constexpr uint64_t kMostChildBytes = uint64_t{4} << 30;

// Thread-safe: jobs run one after another, as in NVRTC itself.
class NvrtcChild : public NvrtcRunner {
 public:
  // Starts the child, which loads the library that load_nvrtc() finds while the caller goes on.
  explicit NvrtcChild(uint64_t most_bytes = kMostChildBytes);
  // A child that has ended is replaced.
  NvrtcOutcome run(const NvrtcJob& job, const StopFlag* stop) override;
  uint64_t most_bytes() const override { return most_bytes_; }

 private:
  void start();
  NvrtcOutcome ask(ChildProcess& child, const NvrtcJob& job, const StopFlag* stop);

  uint64_t most_bytes_;
  std::mutex mutex_;
  std::optional<Result<ChildProcess>> child_;
};

}  // namespace warpshop::compile
