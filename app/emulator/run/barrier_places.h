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

// Of a barrier micro-op, beside control::BarrierFlag: code that all threads of the kernel run lies behind it
// (decode/common_code.h).
inline constexpr uint32_t kAllGoOn = 1u << 13;

// A warning when the warps meet only because others have ended the kernel, and these went around the barrier: they have
// run what lies behind it, and did not leave the kernel before. Hardware lets those go on that are left ("__syncthreads()
// … will not succeed until reached by all non-exited threads in the block", CUDA C++ Programming Guide, "Compute
// Capability 7.x"); what is quoted above holds all the same. `ended`: a bit for each warp.
void check_barrier_skipped(std::span<Warp* const> meeting, uint32_t ended);

}  // namespace warpshop::emulator
