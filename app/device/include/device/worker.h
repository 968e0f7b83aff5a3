// The worker: a process that runs kernels on this machine's GPUs for a lab at the other end of its
// standard streams. A kernel that hangs or faults ends it and nothing else.
#pragma once

namespace warpshop::device {

// Says hello, then does jobs until "quit" or the end of standard input. Returns the exit status: 0,
// or 1 after a fault, which no process survives.
int serve_worker();

// True when this machine has an NVIDIA driver's library; whether it works, a worker says.
bool driver_is_installed();

}  // namespace warpshop::device
