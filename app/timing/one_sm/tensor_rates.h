// Time that an SM's tensor cores take for a product of matrices, by its shape and types and by
// generation. Latencies are in the machine code, as stall cycles.
#pragma once

#include "models/gpu_profile.h"
#include "timing/predict.h"

namespace warpshop::timing {

enum class TensorType : uint8_t { kHalf, kTf32, kDouble, kFp8, kInt8, kInt4, kBit };

struct TensorOp {
  TensorType type = TensorType::kHalf;  // of the factors; kHalf: f16 and bf16
  bool sums_in_f32 = false;
  double products = 0;  // multiply-adds
  int factor_bits = 0;  // of a thread's part of the first factor
};

// Of HMMA, IMMA, DMMA, BMMA and QMMA instructions.
TensorOp tensor_op_of(const MachineInstruction& instruction);

// Cycles that a warp's part of a warpgroup's product, HGMMA for example, takes of its
// sub-partition.
double warpgroup_cycles(const MachineInstruction& instruction);

// Cycles of one of the SM's four sub-partitions. `f32_pct`: rate of sums in FP32 relative to sums
// in FP16, which GeForce chips halve.
double tensor_cycles(models::ComputeCapability capability, const TensorOp& op, double f32_pct);

}  // namespace warpshop::timing
