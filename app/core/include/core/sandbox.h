// Locks this process in before it reads what somebody else wrote. Linux only: Landlock for files,
// seccomp for system calls, limits for the rest. Sources: landlock(7), seccomp(2), setrlimit(2).
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
  std::vector<std::filesystem::path> readable;  // files and folders; with `folder` the only ones
  int folder = -1;                              // an open folder that can be read, too; -1: none
  uint64_t memory_bytes = uint64_t{2} << 30;    // of address space, on top of what is in use now
  uint64_t cpu_seconds = 60;
};

// What holds this process.
struct SandboxReport {
  int landlock_abi = 0;  // 0: none: files outside `readable` can be read
  bool seccomp = false;  // false: processes and sockets can be made
  bool limits = false;   // memory, time and output, each as far as the rules say
  std::string problem;   // what could not be had of these, and why; empty: nothing

  // At least what was promised.
  bool holds(const SandboxReport& promised) const;
  // "files: Landlock 7; system calls: seccomp; …", with what is not held back.
  std::string text() const;
  // For the process that waits for this one: one line, and back.
  std::string line() const;
  static std::optional<SandboxReport> of_line(std::string_view line);
};

// What this kernel has, without entering anything.
SandboxReport sandbox_support();

// No way back. Afterwards the process can read `readable`, write to descriptors that are open, and
// compute; it can open no socket, start no process or thread, write no file, and signal no other
// process. Call it in a process with one thread, and read nothing of somebody else's when the
// report does not hold what was promised.
SandboxReport enter_sandbox(const SandboxRules& rules);

// Enters the sandbox in a child of this process and tries each wall: files (`forbidden`, a file
// that this process can read and write, and others), sockets, processes, signals, memory. Call it
// in a process with one thread, before the first submission. Error: what the kernel has could not
// be entered, or a wall lets something through, and what helps.
Result<SandboxReport> prove_sandbox(const SandboxRules& rules, const std::filesystem::path& forbidden);

}  // namespace warpshop
