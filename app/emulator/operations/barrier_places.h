// Checks that the warps at a block's barrier have reached it through one instruction of the source.
#pragma once

#include <span>

#include "state/warp.h"

namespace warpshop::emulator {

// Warns if they have not. Hardware only counts arrivals and releases such warps; CUDA allows
// __syncthreads() "in conditional code but only if the conditional evaluates identically across the
// entire thread block, otherwise the code execution is likely to hang or produce unintended side
// effects" (CUDA C++ Programming Guide, "Synchronization Functions").
void check_barrier_places(std::span<Warp* const> arrived);

// Flag of a barrier micro-op, in addition to control::BarrierFlag: after the barrier comes code
// that all threads of the kernel execute (analysis/common_code.h).
inline constexpr uint32_t kCommonCodeAfter = 1u << 13;

// Warns if the barrier opens only because other warps have ended, and these bypassed it: they
// executed code after the barrier instead of returning before it. Hardware releases the remaining
// warps ("__syncthreads() … will not succeed until reached by all non-exited threads in the block",
// CUDA C++ Programming Guide, "Compute Capability 7.x"), but the rule quoted above still applies.
// `ended`: bit mask of warps.
void check_barrier_skipped(std::span<Warp* const> arrived, uint32_t ended);

}  // namespace warpshop::emulator
