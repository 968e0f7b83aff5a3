// Confines this process before it reads untrusted input. Linux only: Landlock for files, seccomp
// for system calls, resource limits for the rest. Sources: landlock(7), seccomp(2), setrlimit(2).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace warpshop {

struct SandboxRules {
  std::vector<std::filesystem::path> readable;  // the only readable files and folders, apart from
                                                // `folder`
  int folder = -1;                              // an open folder that is readable as well; -1: none
  uint64_t memory_bytes = uint64_t{2} << 30;    // of address space, beyond what is in use now
  uint64_t cpu_seconds = 60;
};

// The restrictions in force for this process.
struct SandboxReport {
  int landlock_abi = 0;  // 0: no Landlock, so files outside `readable` can be read
  bool seccomp = false;  // false: the process can create processes and sockets
  bool limits = false;   // memory, CPU time and output, as far as the rules set them
  std::string problem;   // which of these could not be enforced, and why; empty if all were

  // True if the sandbox is at least as strict as promised.
  bool holds(const SandboxReport& promised) const;
  // "files: Landlock 7; system calls: seccomp; …", including what is not restricted.
  std::string text() const;
  // One line for the parent process, and its inverse.
  std::string line() const;
  static std::optional<SandboxReport> of_line(std::string_view line);
};

// What this kernel supports, without entering a sandbox.
SandboxReport sandbox_support();

// Cannot be undone. From then on the process can read `readable`, write to open descriptors, and
// compute; it cannot open sockets, start processes or threads, write files, or signal other
// processes. Call it from a single-threaded process, and do not read untrusted input unless the
// report holds what was promised.
SandboxReport enter_sandbox(const SandboxRules& rules);

// Enters the sandbox in a child process and tests each restriction: files (`forbidden`, which this
// process can read and write, and others), sockets, processes, signals, memory. Call it from a
// single-threaded process before the first submission. Error: a restriction that the kernel
// supports could not be set up, or one that leaks, and what to do about it.
Result<SandboxReport> prove_sandbox(const SandboxRules& rules,
                                    const std::filesystem::path& forbidden);

// A confined compiler cannot read other files, and must not tell which exist: it states why it
// cannot open a file only if the file exists. Such a message without its reason.
Diagnostic without_reason(Diagnostic diagnostic);

}  // namespace warpshop
