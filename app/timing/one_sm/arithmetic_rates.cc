#include "one_sm/arithmetic_rates.h"

#include <cmath>

#include "timing/generations.h"

namespace warpshop::timing {

ArithmeticLanes arithmetic_lanes(models::ComputeCapability c) {
  ArithmeticLanes lanes;
  lanes.fp32 = fp32_lanes_per_sm(c);
  if (!is_data_centre_chip(c)) {
    lanes.fp64 = 2;
  } else if (!is_hopper_or_newer(c)) {
    lanes.fp64 = 32;
  }
  return lanes;
}

bool multiplies_on_fp32_unit(models::ComputeCapability c) {
  return c < models::ComputeCapability{8, 6};
}

void apply_rates(models::ComputeCapability capability, std::vector<MachineOp>& ops) {
  const ArithmeticLanes measured = arithmetic_lanes({9, 0});
  const ArithmeticLanes lanes = arithmetic_lanes(capability);
  const auto factor_of = [&](MachinePipe pipe) {
    switch (pipe) {
      case MachinePipe::kFma:
        return measured.fp32 / lanes.fp32;
      case MachinePipe::kAlu:
        return measured.integer / lanes.integer;
      case MachinePipe::kImad:
        return measured.multiply / lanes.multiply;
      case MachinePipe::kFp64:
        return measured.fp64 / lanes.fp64;
      case MachinePipe::kXu:
        return measured.special / lanes.special;
      default:
        return 1.0;
    }
  };
  for (MachineOp& op : ops) {
    const double factor = factor_of(op.pipe);
    if (factor != 1) op.issue_cycles = static_cast<float>(std::lround(op.issue_cycles * factor));
    if (op.pipe == MachinePipe::kImad && multiplies_on_fp32_unit(capability))
      op.pipe = MachinePipe::kFma;
  }
}

double access_cycles(models::ComputeCapability c) { return is_data_centre_chip(c) ? 1 : 2; }

double wavefront_cycles(models::ComputeCapability c) {
  return c == models::ComputeCapability{7, 5} ? 2 : 1;
}

}  // namespace warpshop::timing
