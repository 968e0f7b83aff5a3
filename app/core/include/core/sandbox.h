// Locks this process in before it reads what somebody else wrote. Linux only: Landlock for files,
// seccomp for system calls, limits for the rest. Sources: landlock(7), seccomp(2), setrlimit(2).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace warpshop {

struct SandboxRules {
  std::vector<std::filesystem::path> readable;  // files and folders; the only ones
  uint64_t memory_bytes = uint64_t{2} << 30;    // of address space, on top of what is in use now
  uint64_t cpu_seconds = 60;
};

// What the kernel gave.
struct SandboxReport {
  int landlock_abi = 0;  // 0: the kernel has none: files outside `readable` can be read
  bool seccomp = false;  // false: processes and sockets can be made
  bool limits = false;
  // "files: Landlock 7; system calls: seccomp; …", with what is not held back.
  std::string text() const;
};

// Of this kernel, without entering anything.
SandboxReport sandbox_support();

// No way back. Afterwards the process can read `readable`, write to descriptors that are open, and
// compute; it can open no socket, start no process or thread, write no file. Call it in a process
// with one thread.
SandboxReport enter_sandbox(const SandboxRules& rules);

}  // namespace warpshop
