// Occupancy as a function of one kernel property: the curves of NVIDIA's occupancy calculator.
#pragma once

#include <vector>

#include "timing/occupancy.h"

namespace warpshop::timing {

enum class OccupancyAxis { kThreads, kRegisters, kShared };

struct OccupancyPoint {
  uint32_t value = 0;  // threads per block, registers per thread, or bytes of shared memory per
                       // block
  int warps_per_sm = 0;
};

// Covers the GPU's whole range: threads in steps of a warp, registers one by one, and shared memory
// (static + dynamic) in the GPU's allocation units, at least 256 bytes.
std::vector<OccupancyPoint> occupancy_curve(const models::GpuProfile& gpu,
                                            const OccupancyInput& input, OccupancyAxis axis);

// The input with this property set to `value`. Changes dynamic shared memory, and static shared
// memory only if `value` is smaller than it.
OccupancyInput with_value(OccupancyInput input, OccupancyAxis axis, uint32_t value);
uint32_t value_of(const OccupancyInput& input, OccupancyAxis axis);

}  // namespace warpshop::timing
