// How the tensor cores of compute capability 9.0 add up: the rules that reproduce what an H200 gave, bit for bit, in
// each floating-point form of mma.sync (tests/emulator/matrix_truth). docs/emulator.md tells them in words.
#pragma once

#include <cstdint>

namespace warpshop::emulator::matrix {

// A row of A or a column of B. Powers of two by which an element is at least as large as one of its own last place,
// so that subnormal numbers have the exponent of the smallest normal one; a zero's is lower than any.
struct Factors {
  static constexpr int kMost = 64;
  static constexpr int kZero = -100000;
  float value[kMost];
  int32_t exponent[kMost];
  bool has_special = false;   // infinities, NaNs

  void set(int k, float x, int lowest_exponent);
};

// c plus the products [first, end): exact products and c, aligned at the largest exponent among them, each cut off 25
// places behind it, added exactly. The double holds all of the sum.
double fused_sum(const Factors& a, const Factors& b, int first, int end, double c);

// What the units make of a sum: f32 cut off (towards zero, past the largest number infinity), f16 to the nearest even.
// NaN is 0x7fffffff and 0x7fff.
uint32_t f32_bits(double sum);
uint16_t f16_bits(double sum);
float f16_value(uint16_t bits);

}  // namespace warpshop::emulator::matrix
