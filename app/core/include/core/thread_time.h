#pragma once

namespace warpshop {

// Processor time that this thread has used, in seconds.
double thread_cpu_seconds();

}  // namespace warpshop
