// Texels and coordinates used to measure the chip, computed from indices
// so that the test can regenerate them. Plain C++ that nvcc compiles too; all arithmetic
// is IEEE and rounds identically everywhere.
#pragma once

#include <cstdint>
#include <cstring>

#include "../matrix_truth/elements.h"

namespace texture_truth {

using matrix_truth::mix;

inline float float_of(uint32_t bits) {
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}
inline uint32_t bits_of(float f) {
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  return bits;
}

enum Format { kU8, kS8, kU16, kS16, kU32, kS32, kF16, kF32 };
inline int bytes_of(Format f) { return f <= kS8 ? 1 : f <= kS16 || f == kF16 ? 2 : 4; }

enum Texels {
  kNoise,  // integers: any bits; floats: any sign and fraction, similar exponents
  kRamp,   // texel i of a row is i (f32 only)
  kWild,   // floats: any bits, including infinities, NaNs and subnormals
};

// Element `channel` of texel `index`, as bits.
inline uint32_t texel(Format format, Texels kind, uint32_t index, uint32_t channel) {
  const uint32_t noise = mix(index * 4 + channel + 77u);
  if (kind == kRamp) return bits_of(static_cast<float>(index));
  if (format == kF32) {
    if (kind == kWild)
      return index % 5 == 0 ? (noise & 0x807fffffu) | (index % 2 ? 0x7f800000u : 0) : noise;
    return (noise & 0x807fffffu) | (120u + (mix(noise) & 15u)) << 23;
  }
  if (format == kF16) {
    if (kind == kWild) return noise & 0xffffu;
    return (noise & 0x83ffu) | (8u + (mix(noise) & 15u)) << 10;
  }
  return noise & (bytes_of(format) == 1 ? 0xffu : bytes_of(format) == 2 ? 0xffffu : 0xffffffffu);
}

// Coordinate number `i` along an axis of `size` texels; in texels unless normalised.
inline float coordinate(uint32_t i, uint32_t axis, uint32_t size, bool normalised) {
  const uint32_t r = mix(i * 3 + axis + 1000u);
  const uint32_t s = mix(r + 5u);
  const float n = static_cast<float>(size);
  const float unit = static_cast<float>(s >> 8) / 16777216.0f;  // 0 … 1
  const float whole = static_cast<float>(r % size);
  float x = 0;
  switch (i % 8) {
    case 0:
      x = (unit * 5.0f - 2.0f) * n;
      break;
    case 1:
      x = whole + static_cast<float>(s % 1024) / 512.0f;
      break;
    case 2:
      x = float_of(bits_of(whole + static_cast<float>(s % 1024) / 512.0f) +
                   (r & 0x40000000u ? 1u : 0xffffffffu));
      break;
    case 3:
      x = static_cast<float>(s % 9) * 0.25f - 1.0f + (r & 0x10000u ? n : 0.0f);
      break;
    case 4:
      x = unit * n;
      break;
    case 5:
      x = float_of((r & 0x80000000u) | (100u + (s & 63u)) << 23 | (r & 0x7fffffu));
      break;
    case 6: {
      const uint32_t special[8] = {0x7f800000u, 0xff800000u, 0x7fc00000u, 0x80000000u,
                                   0x00000001u, 0x807fffffu, 0x7f7fffffu, 0xff7fffffu};
      x = r & 0x700000u ? whole + static_cast<float>(s % 8192) / 4096.0f
                        : float_of(special[s & 7u]);
      break;
    }
    default:
      x = whole + static_cast<float>(s % 8192) / 8192.0f;
      break;
  }
  return normalised ? x / n : x;
}

// Component `axis` of direction number `i` into a cube, as bits: any, of equal size, on a grid,
// tiny, special.
inline uint32_t direction(uint32_t i, uint32_t axis) {
  const uint32_t r = mix(i * 3 + axis + 3000u);
  const float unit = static_cast<float>(r >> 8) / 8388608.0f - 1.0f;  // -1 … 1
  switch (i % 8) {
    case 0:
      return bits_of(static_cast<float>(static_cast<int>(r % 3) - 1));
    case 1:
      return bits_of(static_cast<float>(static_cast<int>(r % 257) - 128) / 128.0f);
    case 2:
      return (r & 0x80000000u) | (120u + (r >> 8 & 15u)) << 23 | (mix(r) & 0x7fffffu);
    case 3:
      return i % 64 == 3 ? r : bits_of(unit * 1e-20f);
    case 4:
      return bits_of(axis == mix(i) % 3 ? (r & 1 ? 1.0f : -1.0f) : unit);
    default:
      return bits_of(unit);
  }
}

inline int32_t whole_coordinate(uint32_t i, uint32_t axis, uint32_t size) {
  const uint32_t r = mix(i * 3 + axis + 2000u);
  switch (i % 4) {
    case 0:
      return static_cast<int32_t>(r % size);
    case 1:
      return static_cast<int32_t>(r % (3 * size)) - static_cast<int32_t>(size);
    case 2:
      return static_cast<int32_t>(size) - 1 + static_cast<int32_t>(r % 3) - 1;
    default:
      return i % 64 == 3 ? static_cast<int32_t>(r) : static_cast<int32_t>(r % 3) - 1;
  }
}

}  // namespace texture_truth
