// Compiles untrusted sources: a process that forks for each of them. The fork locks itself up
// (core/sandbox.h) before it reads the source, has NVRTC run in another locked process
// (compile/locked_nvrtc.h), and ends with its answer, so that a source reaches neither files nor
// the network nor the next source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "compile/no_answer.h"
#include "core/child_process.h"
#include "core/result.h"
#include "core/stop.h"

namespace warpshop::serve {

// The argument that makes this program such a process (serve/compile_child.h); the limits follow.
// After a line "ready" or "failed", it reads a line with a request's length and the request, and
// writes "answer LENGTH" and the answer, "ended STATUS BYTES" with the fork's wait status and
// memory, or "open WHY" if it could not be locked.
inline constexpr std::string_view kCompileChildArgument = "--compile-child";
inline constexpr size_t kMostAnswerBytes = size_t{64} << 20;

struct CompileLimits {
  uint64_t memory_bytes = uint64_t{2} << 30;  // of one compilation
  int seconds = 10;                           // of processor time
};

class CompileChild {
 public:
  // Returns when the process is ready. Error: NVRTC is missing, or a restriction that the kernel
  // offers fails its test.
  static Result<CompileChild> start(const CompileLimits& limits);

  // The bytes of compile::answer_of(), or why there are none. Afterwards, unless is_well(), the
  // process must be started again.
  std::variant<std::string, compile::NoAnswer> answer(const std::string& request,
                                                      const StopFlag* stop);
  bool is_well() const { return well_; }
  const std::string& locks() const { return locks_; }      // SandboxReport::text()
  const std::string& version() const { return version_; }  // NVRTC's: "13.0"
  const std::string& library() const { return library_; }  // its path

 private:
  CompileChild(ChildProcess process, const CompileLimits& limits)
      : process_(std::move(process)), limits_(limits) {}

  ChildProcess process_;
  CompileLimits limits_;
  bool well_ = true;
  std::string locks_, version_, library_;
};

}  // namespace warpshop::serve
