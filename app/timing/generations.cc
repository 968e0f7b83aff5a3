#include "timing/generations.h"

namespace warpshop::timing {

using models::ComputeCapability;

bool is_first_generation(ComputeCapability c) { return c.major < 2; }

bool has_machine_code(const models::GpuProfile& gpu) { return gpu.capability.major >= 7; }

bool is_data_centre_chip(ComputeCapability c) {
  return c.minor == 0 && c.major >= 7 && c.major <= 10;
}

bool is_hopper(ComputeCapability c) { return c.major == 9; }
bool is_hopper_or_newer(ComputeCapability c) { return c.major >= 9; }

int schedulers_per_sm(ComputeCapability c) {
  if (is_first_generation(c)) return 1;
  if (c.major == 2) return 2;
  return c == ComputeCapability{6, 0} ? 2 : 4;
}

int cycles_per_issue(ComputeCapability c) { return is_first_generation(c) ? 4 : 1; }

int fp32_lanes_per_sm(ComputeCapability c) {
  switch (c.major) {
    case 1:
      return 8;
    case 2:
      return c.minor == 0 ? 32 : 48;
    case 3:
      return 192;
    case 5:
      return 128;
    case 6:
      return c.minor == 0 ? 64 : 128;
    case 7:
      return 64;
    case 8:
      return c.minor == 0 ? 64 : 128;
    default:
      return 128;
  }
}

}  // namespace warpshop::timing
