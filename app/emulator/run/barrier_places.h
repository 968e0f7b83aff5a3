// Whether the warps that meet at a block's barrier came to it by one instruction of the student's file.
#pragma once

#include <span>

#include "run/warp.h"

namespace warpshop::emulator {

// A warning when they did not. Hardware counts arrivals only and lets such warps go on; CUDA allows __syncthreads() "in
// conditional code but only if the conditional evaluates identically across the entire thread block, otherwise the code
// execution is likely to hang or produce unintended side effects" (CUDA C++ Programming Guide, "Synchronization
// Functions").
void check_barrier_places(std::span<Warp* const> meeting);

}  // namespace warpshop::emulator
