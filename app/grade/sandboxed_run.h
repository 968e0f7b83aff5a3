// Compiles and runs one submission in a sandboxed child process and collects its result.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "compile/locked_nvrtc.h"
#include "core/sandbox.h"
#include "grade/grade.h"
#include "lab/runner.h"

namespace warpshop::grade {

// The GPU's input, compiled by the child: no student source is compiled outside the sandbox.
struct LaunchedSize {
  Dim3 student_grid, student_block, reference_grid, reference_block;
  uint32_t student_shared_bytes = 0;
  uint32_t reference_shared_bytes = 0;
};
struct Launches {
  std::string ptx;  // empty: too long to send
  std::vector<LaunchedSize> sizes;
};
struct Judged {
  Grade grade;  // verdict, reason, checks, messages
  std::optional<Launches> launches;
};

// The rules of a submission's sandbox, and what the proof showed that it enforces.
struct Walls {
  SandboxRules rules;
  SandboxReport promised;
  double cpu_limit_s = 60;
  double wall_limit_s = 240;
};

class SandboxedRun {
 public:
  using Clock = std::chrono::steady_clock;

  // Forks; this process must be single-threaded. The child works in the open folder, can read what
  // `walls.rules` allow, and compiles through `nvrtc`, which `runner` uses; if its sandbox is
  // weaker than proved, it reads nothing. Error: the system cannot create a process.
  static Result<SandboxedRun> start(lab::Runner& runner, compile::LockedNvrtc& nvrtc,
                                    const lab::RunRequest& request, const Walls& walls, int folder,
                                    bool with_ptx);
  SandboxedRun(SandboxedRun&& other) noexcept;
  SandboxedRun& operator=(SandboxedRun&& other) noexcept;
  ~SandboxedRun();  // kills

  int descriptor() const { return pipe_; }
  // Reads available output. True: it has ended, or written more than any valid result.
  bool read();
  double seconds() const;  // since its start
  // Its result, once it has ended or exceeded its wall time, in which case this kills it.
  Judged take(const Walls& walls);

 private:
  SandboxedRun() = default;
  void kill();
  Grade without_result(const Walls& walls, double took, bool ended, int status, double cpu_s) const;

  pid_t pid_ = -1;
  pid_t compiler_ = 0;  // compile::LockedNvrtc::holder()
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
