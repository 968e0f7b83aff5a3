// Rates of an SM's units on each generation, relative to compute capability 9.0, on which the
// rates of the opcode table were measured.
#pragma once

#include <vector>

#include "models/gpu_profile.h"
#include "one_sm/machine_code.h"

namespace warpshop::timing {

// Lanes of an SM: results per cycle. CUDA C++ Programming Guide, "Arithmetic Instructions",
// throughput of native instructions.
struct ArithmeticLanes {
  double fp32 = 128;
  double integer = 64;   // addition, logic, comparison
  double multiply = 64;  // 32-bit integer multiply-add
  double fp64 = 64;
  double special = 16;
};
ArithmeticLanes arithmetic_lanes(models::ComputeCapability capability);

// True where integer multiplications run on the unit of FP32: one set of 16 lanes for both in each
// sub-partition (7.x and 8.0: Jia et al. 2019, section 2; NVIDIA's white paper on the A100). Later
// chips have a second set for FP32 alone.
bool multiplies_on_fp32_unit(models::ComputeCapability capability);

// Sets each instruction's unit and cycles to those of the generation.
void apply_rates(models::ComputeCapability capability, std::vector<MachineOp>& ops);

// Cycles that the load/store unit takes at least for a warp's access, to shared memory or through
// L1: 2 where an SM has 16 such units, 1 where it has 32 (NVIDIA's white papers on V100, Turing,
// A100, GA102, Ada and H100). Measured with loads of 4 bytes that hit L1: 64 B/clk on an A40
// (te42kyfo/gpu-benches) and on an RTX 4090 (Luo et al. 2024, table V), 128 on V100, A100 and H100.
double access_cycles(models::ComputeCapability capability);

// Cycles that the data stage takes for a wavefront of 128 bytes: 2 on 7.5, which has half the
// bandwidth of all others (NVIDIA's white paper on GA102: "128 bytes/clock per SM versus 64").
double wavefront_cycles(models::ComputeCapability capability);

}  // namespace warpshop::timing
