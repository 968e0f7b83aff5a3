// 16-bit floats to f32 (exact) and back (rounded to nearest even). Both vectorise.
// PTX ISA §5.2.3 "Alternate Floating-Point Data Formats".
#pragma once

#include "lanes/lane_types.h"

namespace warpshop::emulator::WARPSHOP_LANES {

inline float float_from_half(F16 half) {
  const uint32_t magnitude = half.bits & 0x7fffu;
  const uint32_t sign = (half.bits & 0x8000u) << 16;
  // Exponent and mantissa, shifted into place, are too small by 2^112; the product is exact, even
  // for subnormals.
  const float scaled = from_bits<float>(magnitude << 13) * from_bits<float>(0x77800000u);
  const uint32_t special = magnitude >= 0x7c00u ? 0x7f800000u : 0u;  // infinity, NaN
  return from_bits<float>(bits_of(scaled) | special | sign);
}
inline float float_from_half(Bf16 half) {
  return from_bits<float>(static_cast<uint32_t>(half.bits) << 16);
}

template <typename H>
inline H half_from_float(float x);

template <>
inline F16 half_from_float<F16>(float x) {
  const uint32_t bits = bits_of(x);
  const uint32_t sign = bits >> 16 & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  // Normal: rebias the exponent, add half of the last place (minus one for even), truncate. Carries
  // into the exponent, up to infinity, give the right result.
  const uint32_t normal = (magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1)) >> 13;
  // Subnormal: the addition aligns and rounds. The last place of 0.5 is f16's smallest number.
  const uint32_t subnormal = bits_of(from_bits<float>(magnitude) + 0.5f) - 0x3f000000u;
  uint32_t result = magnitude < 0x38800000u ? subnormal : normal;
  result = magnitude >= 0x47800000u ? 0x7c00u : result;  // from 65536
  result = magnitude > 0x7f800000u ? 0x7fffu : result | sign;
  return {static_cast<uint16_t>(result)};
}
template <>
inline Bf16 half_from_float<Bf16>(float x) {
  const uint32_t bits = bits_of(x);
  const uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
  return {static_cast<uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? 0x7fffu : rounded)};
}

// Round to odd: moves an inexact result to the neighbour with an odd last bit; `error` has the sign
// of the lost part. A second rounding to fewer bits is then as good as a single one. (Uses
// selections of numbers, which vectorise; a zero has the error's sign.)
template <typename T>
inline T to_odd(T rounded, T error) {
  using Signed = SignedOf<T>;
  const Signed bits = static_cast<Signed>(bits_of(rounded));
  const Signed up = error > T(0) ? 1 : 0;
  const Signed down = error < T(0) ? 1 : 0;
  const Signed away = bits < 0 ? down - up : up - down;
  return from_bits<T>(static_cast<UnsignedOf<T>>(bits + (away & (0 - (~bits & 1)))));
}
template <typename T>
inline T sum_to_odd(T a,
                    T b) {  // Knuth's two-sum gives the exact error; NaN if a sum is infinite
  const T sum = a + b;
  const T part = sum - a;
  return to_odd(sum, (a - (sum - part)) + (b - part));
}

// a·b + c with a single rounding.
inline F16 fused(F16 a, F16 b, F16 c) {  // the product has 22 bits: exact in f32
  return half_from_float<F16>(
      sum_to_odd(float_from_half(a) * float_from_half(b), float_from_half(c)));
}
inline Bf16 fused(Bf16 a, Bf16 b, Bf16 c) {  // 16 bits, but they may exceed f32's exponent range
  const double product =
      static_cast<double>(float_from_half(a)) * static_cast<double>(float_from_half(b));
  const double sum = sum_to_odd(product, static_cast<double>(float_from_half(c)));
  const float rounded = static_cast<float>(sum);
  const double error = sum - static_cast<double>(rounded);
  return half_from_float<Bf16>(to_odd(rounded, error > 0.0 ? 1.0f : (error < 0.0 ? -1.0f : 0.0f)));
}

}  // namespace warpshop::emulator::WARPSHOP_LANES
