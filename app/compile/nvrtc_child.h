// Runs NVRTC in child processes (compile/child.h): this program itself, started again. A child has
// loaded NVRTC before a job comes, and serves each job in a copy of itself as it was before the
// first.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>

#include "core/child_process.h"
#include "core/result.h"
#include "nvrtc_runner.h"

namespace warpshop::compile {

// Memory that a child may use for one job, beyond what it has when the job starts.
inline constexpr uint64_t kMostChildBytes = uint64_t{4} << 30;

// Thread-safe. NVRTC compiles one text at a time in a process: further children start when jobs
// come at the same time, up to one per core, or two.
class NvrtcChild : public NvrtcRunner {
 public:
  // Starts a child, which loads the library that load_nvrtc() finds while the caller goes on.
  explicit NvrtcChild(uint64_t most_bytes = kMostChildBytes);
  // A child that has ended is replaced.
  NvrtcOutcome run(const NvrtcJob& job, const StopFlag* stop) override;
  uint64_t most_bytes() const override { return most_bytes_; }

 private:
  struct Child {
    std::optional<Result<ChildProcess>> process;
    bool busy = false;
  };
  void start(Child& child) const;
  // A child that is busy from now on; null: stopped before one was free.
  Child* take(const StopFlag* stop);
  void give_back(Child& child);
  NvrtcOutcome run_in(Child& child, const NvrtcJob& job, const StopFlag* stop);
  NvrtcOutcome ask(ChildProcess& child, const NvrtcJob& job, const StopFlag* stop);

  uint64_t most_bytes_;
  std::mutex mutex_;
  std::condition_variable free_;
  std::list<Child> children_;
};

}  // namespace warpshop::compile
