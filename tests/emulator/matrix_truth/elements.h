// Matrix elements used to measure the chip, computed from indices so that the
// test can regenerate them. See README.md.
#pragma once

#include <cstdint>
#include <cstring>

namespace matrix_truth {

inline uint32_t mix(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  x ^= x >> 16;
  return x;
}

// Element `element` of matrix operand `operand` (0 A, 1 B, 2 C) in round `round`, as bits: a float
// of `bits` bits with an exponent field of `exponent_bits` bits, or an integer if that is 0.
inline uint32_t matrix_element(uint32_t round, uint32_t operand, uint32_t element, int bits,
                               int exponent_bits) {
  const uint32_t r = mix(round * 65537u + operand * 4099u + element * 7u + 31u);
  if (exponent_bits == 0) return bits == 32 ? r : r & ((1u << bits) - 1u);
  const int fraction_bits = bits - 1 - exponent_bits;
  const uint32_t fraction = r & ((1u << fraction_bits) - 1u);
  const uint32_t sign = r >> 31;
  const uint32_t bias = (1u << (exponent_bits - 1)) - 1u;
  const uint32_t s = mix(r);
  uint32_t exponent = bias;
  switch (round % 4) {
    case 0:
      exponent = bias - 2u + (s & 3u);
      break;
    case 1:
      exponent = bias > 64u ? bias - 16u + (s & 31u) : (s % (2u * bias)) + 1u;
      break;
    case 2:
      exponent = bias - (s & 1u);
      break;
    default:
      exponent = s % 11 == 0 ? (2u * bias + 1u) * (s >> 30 == 3)
                             : (s >> 8) % (2u * bias > 16u ? 16u : 2u * bias) +
                                   (s & 0x100000u ? 0u : bias / 2u);
      break;
  }
  // Round 2: sums that cancel.
  const uint32_t kept =
      round % 4 == 2 && (s & 6u) ? fraction & ~((1u << (fraction_bits / 2)) - 1u) : fraction;
  return sign << (bits - 1) | exponent << fraction_bits | kept;
}

// The f64 element in register `reg`: an f32 number near 1,
// times 1 plus a random fraction below 2^-8.
inline uint64_t double_element(uint32_t round, uint32_t operand, uint32_t reg, uint32_t lane) {
  const uint32_t high = matrix_element(round, operand, reg * 32 + lane, 32, 8);
  const uint32_t float_bits = (high & 0x807fffffu) | (118u + (mix(high) % 20)) << 23;
  float f;
  std::memcpy(&f, &float_bits, 4);
  const double value = static_cast<double>(f) * (1.0 + mix(high + lane) * 0x1p-40);
  uint64_t bits;
  std::memcpy(&bits, &value, 8);
  return bits;
}

}  // namespace matrix_truth
