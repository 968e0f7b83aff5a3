// Occupancy: how many blocks and warps of a kernel fit on an SM, and what limits them. Source:
// cuda_occupancy.h of the CUDA 13.0 toolkit (the algorithm and its granularities) for compute
// capability 3.0 and newer; 2.x uses the same algorithm with Fermi's granularities (NVIDIA's
// occupancy calculator); 1.x: CUDA C Programming Guide 4.2, section 4.2. docs/models.md,
// "Occupancy".
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/sentence.h"
#include "models/gpu_profile.h"

namespace warpshop::timing {

struct OccupancyInput {
  int threads_per_block = 0;
  int registers_per_thread = 0;
  uint32_t static_shared_bytes = 0;
  uint32_t dynamic_shared_bytes = 0;
  bool operator==(const OccupancyInput&) const = default;
};

// The resource that allows the fewest blocks per SM.
enum class OccupancyLimiter { kNone, kWarps, kBlocks, kRegisters, kShared };
std::string_view name_of(OccupancyLimiter limiter);

// The limit of a resource that the kernel does not use.
inline constexpr int kUnlimited = std::numeric_limits<int>::max();

struct Occupancy {
  int blocks_per_sm = 0;  // 0: the block cannot be launched on this GPU
  int warps_per_sm = 0;
  double fraction = 0;  // active warps / max warps, 0 to 1 (theoretical_occupancy_pct / 100)
  int limit_warps = 0;  // blocks allowed by each resource alone; kUnlimited: not used
  int limit_blocks = 0;
  int limit_registers = 0;
  int limit_shared = 0;  // with the largest carveout
  // Per block, rounded up to the allocation units.
  uint32_t registers_per_block = 0;
  uint32_t shared_bytes_per_block = 0;
  // The smallest carveout that holds blocks_per_sm blocks; the driver may choose a larger one.
  uint32_t shared_config_bytes = 0;
  // Those it was computed for, and why they are not the compiler's; usually empty.
  int registers_per_thread = 0;
  Sentence registers_note;
  OccupancyLimiter limiter = OccupancyLimiter::kNone;  // the first one that applies
  Sentence reason;  // one sentence: "registers: 40 × 256 threads allow 6 blocks, 8 would fit
                    // otherwise"
};

Occupancy occupancy(const models::GpuProfile& gpu, const OccupancyInput& input);

}  // namespace warpshop::timing
