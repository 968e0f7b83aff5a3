// The worker: a process that runs kernels on this machine's GPUs for a lab connected to its
// standard streams. A kernel that hangs or faults kills this process and nothing else.
#pragma once

namespace warpshop::device {

// Sends hello, then runs jobs until "quit" or the end of standard input. Returns the exit status:
// 0, or 1 after a fault, since a faulted context cannot be recovered.
int serve_worker();

// True if this machine has an NVIDIA driver library; only a worker can tell whether it works.
bool driver_is_installed();
// In a browser: what is there is the GPU of the class, which its students share.
bool driver_is_of_a_class();

}  // namespace warpshop::device
