// What the timing models ask of a compute capability, one question per function, so that a new
// generation has one place to be added at. Rates of units are in one_sm/arithmetic_rates.h and
// one_sm/tensor_rates.h; what only one model asks is there, with its source.
#pragma once

#include "models/gpu_profile.h"

namespace warpshop::timing {

// 1.x: 32-bit addresses, 24-bit multiplications, operands in shared memory, registers allocated per
// block, and a back end that executes the PTX's accesses as they are written.
bool is_first_generation(models::ComputeCapability capability);

// True if a current compiler can produce machine code for the GPU; times are then predicted from
// it. Older chips (before 7.0) are predicted from PTX.
bool has_machine_code(const models::GpuProfile& gpu);

// From 7.0 on. Chips for data centres have many FP64 lanes and a wide L1; all others have two such
// lanes per SM.
bool is_data_centre_chip(models::ComputeCapability capability);

// 9.0, on which the constants of the model for one SM were measured.
bool is_hopper(models::ComputeCapability capability);
bool is_hopper_or_newer(models::ComputeCapability capability);

// Schedulers per SM, each issuing one warp instruction per cycle. 2.x to 6.x can dual-issue from a
// warp, which a roof for sustained issue ignores.
int schedulers_per_sm(models::ComputeCapability capability);

// Cycles that a scheduler takes for a warp instruction: on 1.x four, on the SM's 8 lanes.
int cycles_per_issue(models::ComputeCapability capability);

// Single-precision lanes per SM: CUDA C++ Programming Guide, "Throughput of Native Arithmetic
// Instructions" (add, multiply, multiply-add), and guide 4.2 for 1.x and 2.x.
int fp32_lanes_per_sm(models::ComputeCapability capability);

}  // namespace warpshop::timing
