// Shapes and types from the bits of machine code (nvdisasm 13.2 names them), and published rates.
#include "one_sm/tensor_rates.h"

#include <gtest/gtest.h>

namespace warpshop::timing {
namespace {

struct TensorCase {
  const char* text;
  uint64_t opcode;
  uint64_t high;
  TensorType type;
  bool sums_in_f32;
  double products;
  int factor_bits;
};

const TensorCase kTensorCases[] = {
    {"HMMA.1688.F16", 0x03c, 0x0, TensorType::kHalf, false, 1024, 64},
    {"HMMA.1688.F32", 0x03c, 0x1000, TensorType::kHalf, true, 1024, 64},
    {"HMMA.16816.F16", 0x03c, 0x800, TensorType::kHalf, false, 2048, 128},
    {"HMMA.16816.F32", 0x03c, 0x1800, TensorType::kHalf, true, 2048, 128},
    {"HMMA.16816.F32.BF16", 0x03c, 0x41800, TensorType::kHalf, true, 2048, 128},
    {"HMMA.1688.F32.TF32", 0x03c, 0x81000, TensorType::kTf32, true, 1024, 128},
    {"HMMA.1684.F32.TF32", 0x03c, 0x85000, TensorType::kTf32, true, 512, 64},
    {"HMMA.SP.16832.F32", 0x03c, 0x5a00, TensorType::kHalf, true, 2048, 128},
    {"IMMA.8816.S8.S8", 0x037, 0x5400, TensorType::kInt8, false, 1024, 32},
    {"IMMA.16816.S8.S8", 0x037, 0x405400, TensorType::kInt8, false, 2048, 64},
    {"IMMA.16832.S8.S8", 0x037, 0x405c00, TensorType::kInt8, false, 4096, 128},
    {"IMMA.8832.S4.S4", 0x037, 0x385400, TensorType::kInt4, false, 2048, 32},
    {"IMMA.16832.S4.S4", 0x037, 0x585c00, TensorType::kInt4, false, 4096, 64},
    {"IMMA.16864.S4.S4", 0x037, 0x785400, TensorType::kInt4, false, 8192, 128},
    {"BMMA.88128.XOR.POPC", 0x03d, 0x10400, TensorType::kBit, false, 8192, 32},
    {"BMMA.168128.XOR.POPC", 0x03d, 0x10c00, TensorType::kBit, false, 16384, 64},
    {"BMMA.168256.AND.POPC", 0x03d, 0x15400, TensorType::kBit, false, 32768, 128},
    {"DMMA.8x8x4", 0x03f, 0x0, TensorType::kDouble, false, 256, 64},
    {"DMMA.16x8x16", 0x03f, 0x3000, TensorType::kDouble, false, 2048, 512},
    {"QMMA.16832.F16.E4M3.E4M3", 0x07a, 0xc00, TensorType::kFp8, false, 4096, 128},
    {"QMMA.16832.F32.E4M3.E4M3", 0x07a, 0x2c00, TensorType::kFp8, true, 4096, 128},
};

TEST(TensorRates, ShapesAndTypesAreReadFromTheMachineCode) {
  for (const TensorCase& c : kTensorCases) {
    const TensorOp op = tensor_op_of({.low = c.opcode | 0x7000, .high = c.high});
    EXPECT_EQ(op.type, c.type) << c.text;
    EXPECT_EQ(op.sums_in_f32, c.sums_in_f32) << c.text;
    EXPECT_EQ(op.products, c.products) << c.text;
    EXPECT_EQ(op.factor_bits, c.factor_bits) << c.text;
  }
}

// Peaks of data sheets, in TFLOP/s: SMs × clock × 2 × multiply-adds per cycle.
TEST(TensorRates, PeaksAreTheVendors) {
  struct Peak {
    const char* gpu;
    models::ComputeCapability capability;
    uint64_t opcode;
    uint64_t high;
    double f32_pct;
    double sms_times_ghz;
    double tflops;
  };
  const Peak peaks[] = {
      {"V100, FP16", {7, 0}, 0x03c, 0x1000, 100, 80 * 1.53, 125},
      {"T4, FP16", {7, 5}, 0x03c, 0x1000, 100, 40 * 1.59, 65},
      {"T4, INT8", {7, 5}, 0x037, 0x5400, 100, 40 * 1.59, 130},
      {"A100, FP16", {8, 0}, 0x03c, 0x1800, 100, 108 * 1.41, 312},
      {"A100, TF32", {8, 0}, 0x03c, 0x81000, 100, 108 * 1.41, 156},
      {"A100, FP64", {8, 0}, 0x03f, 0x0, 100, 108 * 1.41, 19.5},
      {"A100, INT8", {8, 0}, 0x037, 0x405c00, 100, 108 * 1.41, 624},
      {"RTX 3080, FP16 with sums in FP16", {8, 6}, 0x03c, 0x800, 50, 68 * 1.71, 119},
      {"RTX 3080, FP16 with sums in FP32", {8, 6}, 0x03c, 0x1800, 50, 68 * 1.71, 59.5},
      {"RTX 3080, TF32", {8, 6}, 0x03c, 0x81000, 50, 68 * 1.71, 29.8},
      {"RTX A6000, FP16", {8, 6}, 0x03c, 0x1800, 100, 84 * 1.8, 154.8},
      {"RTX 4090, FP8 with sums in FP32", {8, 9}, 0x07a, 0x2c00, 50, 128 * 2.52, 330.3},
      {"RTX 5090, FP16 with sums in FP16", {12, 0}, 0x03c, 0x800, 50, 170 * 2.407, 419},
  };
  for (const Peak& p : peaks) {
    const TensorOp op = tensor_op_of({.low = p.opcode | 0x7000, .high = p.high});
    const double per_cycle = 4 * op.products / tensor_cycles(p.capability, op, p.f32_pct);
    EXPECT_NEAR(p.sms_times_ghz * 2 * per_cycle / 1000, p.tflops, 0.015 * p.tflops) << p.gpu;
  }
}

// On 9.0 the time of mma.sync depends on the size of the factor alone.
TEST(TensorRates, HopperCountsRegisters) {
  const auto cycles = [](uint64_t opcode, uint64_t high) {
    return tensor_cycles({9, 0}, tensor_op_of({.low = opcode | 0x7000, .high = high}), 100);
  };
  EXPECT_DOUBLE_EQ(cycles(0x03c, 0x1800), 6.2);
  EXPECT_DOUBLE_EQ(cycles(0x037, 0x405c00), 6.2);
  EXPECT_DOUBLE_EQ(cycles(0x03c, 0x1000), 4.1);
  EXPECT_DOUBLE_EQ(cycles(0x03f, 0x0), 16);
  EXPECT_DOUBLE_EQ(cycles(0x03f, 0x3000), 64);
}

}  // namespace
}  // namespace warpshop::timing
