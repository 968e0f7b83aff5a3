#include "one_sm/tensor_rates.h"

#include <algorithm>

#include "timing/generations.h"

namespace warpshop::timing {
namespace {

constexpr double kSubPartitions = 4;

// Dense multiply-adds per cycle and SM. NVIDIA's white papers: V100, "64 FMA per clock" for each of
// 8 tensor cores; Turing, the same, and twice and four times that for 8 and 4 bits; A100, table 1
// and "1,024 FP16 FMA per clock"; GA102 and Ada, "512 FP16 FMA per SM" (with sums in FP16). 12.0:
// RTX Blackwell GPU architecture, appendix A: 419 TFLOP/s of an RTX 5090's 170 SMs at 2.41 GHz are
// 512. Types that a generation lacks have the rate of the next wider one.
struct TensorLanes {
  double f16 = 0;
  double tf32 = 0;
  double fp64 = 2;
  double fp8 = 0;
  double int8 = 0;
  double int4 = 0;
  double bit = 0;
};

TensorLanes tensor_lanes(models::ComputeCapability c) {
  if (c.major == 7 && c.minor < 5) return {512, 128, 32, 512, 512, 512, 512};
  if (c.major == 7) return {512, 128, 2, 512, 1024, 2048, 8192};
  if (c.major == 8 && c.minor == 0) return {1024, 512, 64, 1024, 2048, 4096, 16384};
  if (c.major == 8 && c.minor == 7) return {1024, 512, 2, 1024, 2048, 4096, 16384};
  return {512, 256, 2, 1024, 1024, 2048, 8192};
}

double lanes_of(const TensorLanes& lanes, TensorType type) {
  switch (type) {
    case TensorType::kHalf:
      return lanes.f16;
    case TensorType::kTf32:
      return lanes.tf32;
    case TensorType::kDouble:
      return lanes.fp64;
    case TensorType::kFp8:
      return lanes.fp8;
    case TensorType::kInt8:
      return lanes.int8;
    case TensorType::kInt4:
      return lanes.int4;
    case TensorType::kBit:
      return lanes.bit;
  }
  return lanes.f16;
}

// Measured on an H100 (tests/hardware/copies/rates.cu, 12 and 16 warps): whatever the types, 6.1 to
// 6.3 cycles if a thread's part of the first factor is four registers, 4.1 if it is one or two. So
// mma.sync reaches two thirds of the rate of wgmma at most. FP64: 16 cycles for each 512 products,
// and for the 256 of the smallest shape.
double cycles_of_hopper(const TensorOp& op) {
  if (op.type == TensorType::kDouble) return std::max(16.0, op.products / 32);
  return op.factor_bits > 64 ? 6.2 : 4.1;
}

}  // namespace

// Opcode and bits as disassembled by nvdisasm 13.2 for seven targets, 7.5 to 12.0.
TensorOp tensor_op_of(const MachineInstruction& i) {
  const auto bit = [&](int n) { return (i.high >> n & 1) != 0; };
  TensorOp op;
  double rows = 16;
  double depth = 0;
  double bits = 16;
  switch (i.low & 0x1ff) {
    case 0x03c:  // HMMA: bit 12 sums in FP32, 19 TF32, 9 sparse: half of the products are left out
      op.type = bit(19) ? TensorType::kTf32 : TensorType::kHalf;
      op.sums_in_f32 = bit(12);
      bits = bit(19) ? 32 : 16;
      depth = bit(19) ? (bit(14) ? 4 : 8) : bit(11) ? 16 : 8;
      break;
    case 0x037:  // IMMA: bit 22 sixteen rows, 20 factors of 4 bits
      op.type = bit(20) ? TensorType::kInt4 : TensorType::kInt8;
      rows = bit(22) ? 16 : 8;
      bits = bit(20) ? 4 : 8;
      depth = bit(20) ? (bit(22) && bit(21) ? 64 : 32) : bit(11) ? 32 : 16;
      break;
    case 0x03d:  // BMMA
      op.type = TensorType::kBit;
      rows = bit(11) || bit(12) ? 16 : 8;
      bits = 1;
      depth = bit(12) ? 256 : 128;
      break;
    case 0x03f: {  // DMMA: 8x8x4, 16x8x4, 16x8x8, 16x8x16
      op.type = TensorType::kDouble;
      const auto shape = static_cast<int>(i.high >> 12 & 3);
      rows = shape == 0 ? 8 : 16;
      bits = 64;
      depth = shape < 2 ? 4 : shape == 2 ? 8 : 16;
      break;
    }
    default:  // QMMA
      op.type = TensorType::kFp8;
      op.sums_in_f32 = bit(13);
      bits = 8;
      depth = bit(11) ? 32 : 16;
      break;
  }
  op.products = rows * 8 * depth;
  op.factor_bits = static_cast<int>(rows * depth * bits / 32);
  return op;
}

// 512 products of 16 bits per cycle: an H100 takes 128 cycles for m64n256k16. k holds 32 bytes of
// any type, so that only n counts. It is in bits 53 to 57, of integers 53 to 58, as disassembled by
// nvdisasm 13.2: n / 8
// - 1, but for integers 3 n / 16 + 3 from 16 on.
double warpgroup_cycles(const MachineInstruction& i) {
  constexpr uint64_t kIntegers = 0x1f1;
  const bool integers = (i.low & 0x1ff) == kIntegers;
  const auto field = static_cast<double>(i.low >> 53 & (integers ? 0x3f : 0x1f));
  const double columns = integers && field >= 6 ? (field - 3) / 3 * 16 : 8 * (field + 1);
  return columns / 2;
}

// 10.0 is assumed to be like 9.0: its white paper gives rates for tcgen05 alone.
double tensor_cycles(models::ComputeCapability c, const TensorOp& op, double f32_pct) {
  if (is_hopper(c) || c.major == 10) return cycles_of_hopper(op);
  double lanes = lanes_of(tensor_lanes(c), op.type);
  const bool wide =
      op.type == TensorType::kTf32 ||
      (op.sums_in_f32 && (op.type == TensorType::kHalf || op.type == TensorType::kFp8));
  if (wide) lanes *= f32_pct / 100;
  return std::max(1.0, op.products / (lanes / kSubPartitions));
}

}  // namespace warpshop::timing
