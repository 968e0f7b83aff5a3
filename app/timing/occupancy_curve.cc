#include "timing/occupancy_curve.h"

#include <algorithm>

namespace warpshop::timing {

uint32_t value_of(const OccupancyInput& input, OccupancyAxis axis) {
  switch (axis) {
    case OccupancyAxis::kThreads:
      return static_cast<uint32_t>(input.threads_per_block);
    case OccupancyAxis::kRegisters:
      return static_cast<uint32_t>(input.registers_per_thread);
    case OccupancyAxis::kShared:
      return input.static_shared_bytes + input.dynamic_shared_bytes;
  }
  return 0;
}

OccupancyInput with_value(OccupancyInput input, OccupancyAxis axis, uint32_t value) {
  switch (axis) {
    case OccupancyAxis::kThreads:
      input.threads_per_block = static_cast<int>(value);
      break;
    case OccupancyAxis::kRegisters:
      input.registers_per_thread = static_cast<int>(value);
      break;
    case OccupancyAxis::kShared:
      input.static_shared_bytes = std::min(input.static_shared_bytes, value);
      input.dynamic_shared_bytes = value - input.static_shared_bytes;
      break;
  }
  return input;
}

std::vector<OccupancyPoint> occupancy_curve(const models::GpuProfile& gpu,
                                            const OccupancyInput& input, OccupancyAxis axis) {
  uint32_t first = 0, last = 0, step = 1;
  switch (axis) {
    case OccupancyAxis::kThreads:
      first = step = 32;
      last = static_cast<uint32_t>(gpu.max_threads_per_block);
      break;
    case OccupancyAxis::kRegisters:
      first = 1;
      last = static_cast<uint32_t>(gpu.max_registers_per_thread);
      break;
    case OccupancyAxis::kShared:
      step = std::max<uint32_t>(gpu.shared_unit_bytes, 256);
      last = gpu.max_shared_bytes_per_block();
      break;
  }
  std::vector<OccupancyPoint> points;
  for (uint32_t value = first; value <= last; value += step) {
    points.push_back({value, occupancy(gpu, with_value(input, axis, value)).warps_per_sm});
  }
  return points;
}

}  // namespace warpshop::timing
