// NVRTC for untrusted texts. Each text is read by a process of its own, which compiles through a
// channel. At the other end of the channel, each run of NVRTC is a locked process (core/sandbox.h),
// a copy of one that was started at fixed addresses (compile/child.h), so that a text compiles to
// the same machine code as in a window.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "compile/no_answer.h"
#include "core/child_process.h"
#include "core/descriptor.h"
#include "core/result.h"
#include "core/sandbox.h"

namespace warpshop::compile {

struct LockedLimits {
  uint64_t memory_bytes = uint64_t{2} << 30;    // of each run of NVRTC
  uint64_t cpu_seconds = 60;                    // of all runs for one channel
  std::vector<std::filesystem::path> readable;  // beside the prelude and the toolkit
};

// For single-threaded processes. A fork shares the channel that is open.
class LockedNvrtc {
 public:
  // Returns when NVRTC is ready and the lock has been proved; `forbidden`: see prove_sandbox().
  // Error: NVRTC is missing, a lock that this Linux has does not hold, or this program has not
  // called compile_if_child().
  static Result<LockedNvrtc> start(const LockedLimits& limits,
                                   const std::filesystem::path& forbidden);

  // Compiles through whatever channel is open.
  const Compiler& compiler() const { return *compiler_; }
  // The lock of each run of NVRTC, for other processes that need the same.
  const SandboxRules& rules() const { return rules_; }
  const SandboxReport& report() const { return report_; }

  // Replaces the open channel. Relative names start at the open folder `working`, and what is
  // below `readable` can be read as well; -1: none.
  Status open(int working = -1, int readable = -1);
  void close();
  int channel() const;
  // Call after a fork that has moved the channel to another descriptor.
  void channel_is_at(int fd);
  // The process at the other end, whose only child runs NVRTC.
  pid_t holder() const { return holder_; }
  // Why the channel's last run had no answer.
  const std::optional<NoAnswer>& no_answer() const;
  const std::string& end_line() const;  // compile/job_end.h, where it came; else empty

 private:
  class Channel;
  LockedNvrtc() = default;
  Status start_child();

  std::shared_ptr<Channel> channel_;
  std::optional<Compiler> compiler_;
  std::optional<ChildProcess> child_;
  SandboxRules rules_;
  SandboxReport report_;
  std::filesystem::path forbidden_;
  pid_t holder_ = 0;
};

}  // namespace warpshop::compile
