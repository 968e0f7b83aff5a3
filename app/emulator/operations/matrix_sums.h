// Summation in the tensor cores of compute capability 9.0: rules that reproduce an H200 bit for bit
// in each floating-point form of mma.sync (tests/emulator/matrix_truth). docs/emulator.md explains
// them.
#pragma once

#include <cstdint>

namespace warpshop::emulator::matrix {

// A row of A or a column of B. Exponents are those of the elements' leading bits; subnormal numbers
// have the exponent of the smallest normal one, zeros a lower one than any number.
struct Factors {
  static constexpr int kMost = 64;
  static constexpr int kZero = -100000;
  float value[kMost];
  int32_t exponent[kMost];
  bool has_special = false;  // infinities, NaNs

  void set(int k, float x, int lowest_exponent);
};

// c plus the products [first, end): exact products and c are aligned at the largest exponent among
// them, truncated `places` after it, and added exactly. The double holds the full sum.
inline constexpr int kFusedPlaces = 25;
double fused_sum(const Factors& a, const Factors& b, int first, int end, double c,
                 int places = kFusedPlaces);

// Final rounding of a sum: f32 truncates (towards zero; overflow gives infinity), f16 rounds to
// nearest even. NaN is 0x7fffffff and 0x7fff; an f32 zero is positive.
uint32_t f32_bits(double sum);
uint16_t f16_bits(double sum);
float f16_value(uint16_t bits);

}  // namespace warpshop::emulator::matrix
