// One submission compiled and run in a child that is locked in, and what it says.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

#include "core/sandbox.h"
#include "grade/grade.h"
#include "lab/runner.h"

namespace warpshop::grade {

// What the GPU needs, as the child compiled it: no source of a student is compiled outside.
struct LaunchedSize {
  emulator::Dim3 student_grid, student_block, reference_grid, reference_block;
  uint32_t student_shared_bytes = 0;
  uint32_t reference_shared_bytes = 0;
};
struct Judged {
  Grade grade;  // verdict, reason, checks, messages
  std::string ptx;
  std::vector<LaunchedSize> sizes;
};

class LockedRun {
 public:
  using Clock = std::chrono::steady_clock;

  // Forks; this process must have one thread. The child works in `folder`. Error: the system gives
  // no process.
  static Result<LockedRun> start(lab::Runner& runner, const lab::RunRequest& request,
                                 const SandboxRules& rules, const std::filesystem::path& folder,
                                 bool with_ptx);
  LockedRun(LockedRun&& other) noexcept;
  LockedRun& operator=(LockedRun&& other) noexcept;
  ~LockedRun();  // kills

  int descriptor() const { return pipe_; }
  // Reads what is there. True: it has ended, or written more than a result can be.
  bool read();
  double seconds() const;
  // Its result, once it has ended; `limit_s` passed means that the caller ended it.
  Judged take(const SandboxRules& rules, double limit_s);

 private:
  LockedRun() = default;
  void kill();

  pid_t pid_ = -1;
  int pipe_ = -1;
  Clock::time_point begin_;
  std::string output_;
  bool flooded_ = false;
};

// The verdict of a finished run.
Grade judge(const lab::RunResult& result);
CheckLine line_of(const lab::CheckResult& check);
std::string reason_of(const lab::CheckResult& failed);

}  // namespace warpshop::grade
