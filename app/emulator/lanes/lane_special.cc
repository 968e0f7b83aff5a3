#include "lanes/lane_special.h"

#include <array>
#include <bit>

#include "lanes/lane_special_tables.h"

namespace warpshop::emulator::lanes_base {
namespace {

constexpr uint32_t kSign = 0x80000000u;
constexpr uint32_t kInfinity = 0x7f800000u;
constexpr uint32_t kNan = 0x7fffffffu;
constexpr uint32_t kOne = 0x3f800000u;

constexpr int kOffsetBits = 17;  // of t

// Parts of each function are inlined, although they are long: it computes 32 lanes one by one.

// t² in units of 2^-15, without the partial products of a weight below 2^19. Of the bits h from 9
// up, all products are kept except the square of the lowest; of the lower bits, those with high
// enough bits: bit i with h >> (9 - i). Bits 5 to 8 and bits 1 to 4 are looked up together.
constexpr std::array<uint8_t, 4096> lower_products(int lowest_bit) {
  std::array<uint8_t, 4096> sums{};
  for (uint32_t i = 0; i < sums.size(); ++i) {
    const uint32_t h = i >> 4;
    uint32_t sum = 0;
    for (int bit = 0; bit < 4; ++bit) sum += (i >> bit & 1) * (h >> (9 - lowest_bit - bit));
    sums[i] = static_cast<uint8_t>(sum);  // at most 127 + 63 + 31 + 15
  }
  return sums;
}
constexpr std::array<uint8_t, 4096> kBits5To8 = lower_products(5);
constexpr std::array<uint8_t, 4096> kBits1To4 = lower_products(1);

[[gnu::always_inline]] inline int64_t truncated_square(uint32_t t) {
  const uint32_t h = t >> 9;
  return int64_t{(h * h >> 1) + kBits5To8[t >> 5] + kBits1To4[h << 4 | (t >> 1 & 15)]};
}

// The parabola's value at t / 2^17, in units of the function's unit / 2^17; `bias` in the same.
[[gnu::always_inline]] inline int64_t interpolated(const Parabola& p, uint32_t t, int bias) {
  return (int64_t{p.a} << (kOffsetBits - 3)) + bias + int64_t{p.b} * t +
         int64_t{p.c} * 4 * truncated_square(t);
}

// The value for an argument of `bits` bits, of which the highest `interval_bits` select the
// parabola.
[[gnu::always_inline]] inline int64_t looked_up(const Parabola* table, uint32_t argument, int bits,
                                                int interval_bits, int bias) {
  const int rest = bits - interval_bits;
  const uint32_t inside = argument & ((1u << rest) - 1);
  const uint32_t t =
      rest >= kOffsetBits ? inside >> (rest - kOffsetBits) : inside << (kOffsetBits - rest);
  return interpolated(table[argument >> rest], t, bias);
}

// A value in units of 2^scale as an f32, truncated to 24 bits; too small values become zero.
[[gnu::always_inline]] inline uint32_t cut_to_float(int64_t value, int scale) {
  if (value <= 0) return 0;
  const int top = 63 - std::countl_zero(static_cast<uint64_t>(value));
  const int64_t mantissa = top >= 23 ? value >> (top - 23) : value << (23 - top);
  const int exponent = top + scale + 127;
  if (exponent <= 0) return 0;
  if (exponent >= 255) return kInfinity;
  return static_cast<uint32_t>(exponent) << 23 | (static_cast<uint32_t>(mantissa) & 0x7fffffu);
}

uint32_t mantissa_of(uint32_t magnitude) { return magnitude & 0x7fffffu; }
int exponent_of(uint32_t magnitude) { return static_cast<int>(magnitude >> 23) - 127; }

}  // namespace

uint32_t special_rcp(uint32_t bits) {
  const uint32_t sign = bits & kSign;
  const uint32_t magnitude = bits & ~kSign;
  if (magnitude > kInfinity) return kNan;
  if (magnitude == kInfinity) return sign;
  if (magnitude < 0x00800000u) return sign | kInfinity;
  const int exponent = exponent_of(magnitude);
  if (mantissa_of(magnitude) == 0) {
    return sign | (exponent == 127 ? 0 : static_cast<uint32_t>(127 - exponent) << 23);
  }
  const int64_t value = looked_up(kRcp, mantissa_of(magnitude), 23, 7, 8093);
  return sign | cut_to_float(value >> kOffsetBits, -24 - exponent);
}

uint32_t special_rsqrt(uint32_t bits) {
  const uint32_t magnitude = bits & ~kSign;
  if (magnitude > kInfinity) return kNan;
  if (magnitude < 0x00800000u) return (bits & kSign) | kInfinity;
  if (bits != magnitude) return kNan;
  if (magnitude == kInfinity) return 0;
  const int exponent = exponent_of(magnitude);
  const bool odd = (exponent & 1) == 0;  // mantissas from 1 to 2; otherwise from 2 to 4
  const int half = (exponent - (odd ? 0 : 1)) / 2;
  if (odd && mantissa_of(magnitude) == 0) return static_cast<uint32_t>(127 - half) << 23;
  const int64_t value = looked_up(odd ? kRsqrtOdd : kRsqrtEven, mantissa_of(magnitude), 23, 6, -1);
  return cut_to_float(value, -23 - kOffsetBits - half);
}

uint32_t special_sqrt(uint32_t bits) {
  const uint32_t magnitude = bits & ~kSign;
  if (magnitude > kInfinity) return kNan;
  if (magnitude < 0x00800000u) return bits & kSign;
  if (bits != magnitude) return kNan;
  if (magnitude == kInfinity) return kInfinity;
  const int exponent = exponent_of(magnitude);
  const bool odd = (exponent & 1) == 0;
  const int half = (exponent - (odd ? 0 : 1)) / 2;
  if (odd && mantissa_of(magnitude) == 0) return static_cast<uint32_t>(127 + half) << 23;
  const int64_t value = looked_up(odd ? kSqrtOdd : kSqrtEven, mantissa_of(magnitude), 23, 6, -2);
  return cut_to_float(value, -24 - kOffsetBits + half);
}

uint32_t special_ex2(uint32_t bits) {
  const uint32_t magnitude = bits & ~kSign;
  const bool negative = bits != magnitude;
  if (magnitude > kInfinity) return kNan;
  if (magnitude >= 0x43800000u) return negative ? 0 : kInfinity;  // from 256
  if (magnitude < 0x00800000u) return kOne;
  // In units of 2^-23, truncated; negative values use the complement unless they are integers.
  const int shift = exponent_of(magnitude);
  const int64_t significand = mantissa_of(magnitude) | 0x800000u;
  const int64_t size =
      shift >= 0 ? significand << shift : (shift > -24 ? significand >> -shift : 0);
  const int64_t opposite = (size & 0x7fffff) == 0 ? -size : ~size;
  const int64_t fixed = negative ? opposite : size;
  const int whole = static_cast<int>(fixed >> 23);
  const int64_t value = looked_up(kEx2, static_cast<uint32_t>(fixed & 0x7fffff), 23, 6, 24457);
  return cut_to_float(value, -23 - kOffsetBits + whole);
}

uint32_t special_lg2(uint32_t bits) {
  const uint32_t magnitude = bits & ~kSign;
  if (magnitude > kInfinity) return kNan;
  if (magnitude < 0x00800000u) return kSign | kInfinity;
  if (bits != magnitude) return kNan;
  if (magnitude == kInfinity) return kInfinity;
  if (magnitude == kOne) return 0;
  const int64_t fraction = looked_up(kLg2, mantissa_of(magnitude), 23, 6, 3349);
  const int64_t value = exponent_of(magnitude) * (int64_t{1} << (23 + kOffsetBits)) + fraction;
  const int64_t size = (value >= 0 ? value : -value) >> 4 << 4;  // nothing below 2^-36
  return (value >= 0 ? 0 : kSign) | cut_to_float(size, -23 - kOffsetBits);
}

namespace {

// sin of `turns` plus `quarters` quarter turns. The sign of the argument only matters for sin.
uint32_t sine(uint32_t turns, uint32_t quarters) {
  const uint32_t magnitude = turns & ~kSign;
  if (magnitude >= kInfinity) return kNan;
  // The fraction of a turn in units of 2^-25, truncated.
  const int shift = exponent_of(magnitude) + 2;
  const uint64_t significand = mantissa_of(magnitude) | 0x800000u;
  const uint64_t fixed = magnitude < 0x00800000u || shift <= -24 ? 0
                         : shift < 0                             ? significand >> -shift
                         : shift < 25                            ? significand << shift
                                                                 : 0;
  const uint32_t quadrant = (static_cast<uint32_t>(fixed >> 23) + quarters) & 3;
  const uint32_t inside = static_cast<uint32_t>(fixed) & 0x7fffffu;
  const int64_t value =
      looked_up(kSin, (quadrant & 1) != 0 ? ~inside & 0x7fffffu : inside, 23, 6, 0);
  const uint32_t sign = (quadrant & 2) << 30;
  return sign | cut_to_float(value, -23 - kOffsetBits);
}

}  // namespace

uint32_t special_sin(uint32_t turns) {
  const uint32_t result = sine(turns, 0);
  return result == kNan ? kNan : result ^ (turns & kSign);
}

uint32_t special_cos(uint32_t turns) { return sine(turns, 1); }

uint32_t special_tanh(uint32_t bits) {
  // From 2^-8 to 8, by binary exponent.
  static constexpr int kIntervalBits[] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3};
  static constexpr int kFirst[] = {0, 1, 2, 3, 5, 7, 11, 15, 19, 27, 43};
  const uint32_t sign = bits & kSign;
  const uint32_t magnitude = bits & ~kSign;
  if (magnitude > kInfinity) return kNan;
  if (magnitude >= 0x41000000u) return sign | kOne;  // from 8
  if (magnitude < 0x3b800000u) return bits;          // below 2^-8
  const int binade = exponent_of(magnitude) + 8;
  const int64_t value =
      looked_up(kTanh + kFirst[binade], mantissa_of(magnitude), 23, kIntervalBits[binade], 0);
  return sign | cut_to_float(value, -23 - kOffsetBits);
}

// f64's high word has 20 bits of mantissa and a wider exponent.
uint32_t special_rcp64(uint32_t high) {
  const uint32_t sign = high & kSign;
  const uint32_t magnitude = high & ~kSign;
  if (magnitude > 0x7ff00000u) return kNan;
  if (magnitude == 0x7ff00000u) return sign;
  if (magnitude < 0x00100000u) return sign | 0x7ff00000u;
  const uint32_t mantissa = magnitude & 0xfffffu;
  const int exponent = static_cast<int>(magnitude >> 20) - 1023;
  if (mantissa == 0)
    return sign | (exponent == 1023 ? 0 : static_cast<uint32_t>(1023 - exponent) << 20);
  const int64_t value = looked_up(kRcp, mantissa << 3, 23, 7, 8093) >> (kOffsetBits + 3);  // 2^-21
  const int result = 1022 - exponent;
  return result <= 0 ? sign
                     : sign | static_cast<uint32_t>(result) << 20 |
                           (static_cast<uint32_t>(value) & 0xfffffu);
}

uint32_t special_rsqrt64(uint32_t high) {
  const uint32_t magnitude = high & ~kSign;
  if (magnitude > 0x7ff00000u) return kNan;
  if (magnitude < 0x00100000u) return (high & kSign) | 0x7ff00000u;
  if (high != magnitude) return kNan;
  if (magnitude == 0x7ff00000u) return 0;
  const uint32_t mantissa = magnitude & 0xfffffu;
  const int exponent = static_cast<int>(magnitude >> 20) - 1023;
  const bool odd = (exponent & 1) == 0;
  const int half = (exponent - (odd ? 0 : 1)) / 2;
  if (odd && mantissa == 0) return static_cast<uint32_t>(1023 - half) << 20;
  const int64_t value = looked_up(odd ? kRsqrtOdd : kRsqrtEven, mantissa << 3, 23, 6, -1) >>
                        (kOffsetBits + 2);  // 2^-21
  return static_cast<uint32_t>(1022 - half) << 20 | (static_cast<uint32_t>(value) & 0xfffffu);
}

}  // namespace warpshop::emulator::lanes_base
