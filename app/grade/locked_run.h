// One submission compiled and run in a child that is locked in, and what it says.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
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
struct Launches {
  std::string ptx;  // empty: too long to be sent
  std::vector<LaunchedSize> sizes;
};
struct Judged {
  Grade grade;  // verdict, reason, checks, messages
  std::optional<Launches> launches;
};

// How a submission is held: what the sandbox was proved to be before, and by which rules.
struct Walls {
  SandboxRules rules;
  SandboxReport promised;
  double cpu_limit_s = 60;
  double wall_limit_s = 240;
};

class LockedRun {
 public:
  using Clock = std::chrono::steady_clock;

  // Forks; this process must have one thread. The child works in the open folder and can read what
  // `walls.rules` name; it reads nothing when it gets less than was promised. Error: the system
  // gives no process.
  static Result<LockedRun> start(lab::Runner& runner, const lab::RunRequest& request,
                                 const Walls& walls, int folder, bool with_ptx);
  LockedRun(LockedRun&& other) noexcept;
  LockedRun& operator=(LockedRun&& other) noexcept;
  ~LockedRun();  // kills

  int descriptor() const { return pipe_; }
  // Reads what is there. True: it has ended, or written more than a result can be.
  bool read();
  double seconds() const;  // since it was started
  // Its result, once it has ended or its wall time has passed, which ends it.
  Judged take(const Walls& walls);

 private:
  LockedRun() = default;
  void kill();
  Grade without_result(const Walls& walls, double took, bool ended, int status, double cpu_s) const;

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
