// Occupancy as one of a kernel's figures changes and the others stay: the curves of NVIDIA's occupancy calculator.
#pragma once

#include <vector>

#include "timing/occupancy.h"

namespace warpshop::timing {

enum class OccupancyAxis { kThreads, kRegisters, kShared };

struct OccupancyPoint {
  uint32_t value = 0;  // threads a block, registers a thread, or bytes of shared memory a block
  int warps_per_sm = 0;
};

// From the least to the most that the GPU allows: threads by warps, registers one by one, shared memory (static and
// dynamic together) by the GPU's allocation unit, at least 256 bytes.
std::vector<OccupancyPoint> occupancy_curve(const models::GpuProfile& gpu, const OccupancyInput& input,
                                            OccupancyAxis axis);

// The input with that figure changed. Shared memory changes its dynamic part, and the static one where less is asked
// for than it takes.
OccupancyInput with_value(OccupancyInput input, OccupancyAxis axis, uint32_t value);
uint32_t value_of(const OccupancyInput& input, OccupancyAxis axis);

}  // namespace warpshop::timing
