#include "lane_special.h"

#include <bit>

namespace warpshop::emulator::lanes_base {
namespace {

// a + b·t + c·t², in units of 2^-24, for t from 0 to 1 across an interval.
struct Parabola {
  int32_t a;
  int32_t b;
  int32_t c;
};

constexpr int kOffsetBits = 17;  // of t
constexpr int kDropped = 19;     // columns that the squarer leaves out

// t² in units of 2^-15: the partial products of weight 2^kDropped and more.
int64_t truncated_square(uint32_t t) {
  uint64_t sum = 0;
  for (int bit = 0; bit < kOffsetBits; ++bit) {
    if ((t >> bit & 1) == 0) continue;
    if (2 * bit >= kDropped) sum += uint64_t{1} << (2 * bit - kDropped);
    // Each product with a higher bit counts twice.
    const uint32_t higher = t >> (bit + 1) << (bit + 1);
    const int low = kDropped - bit - 1;  // the lowest bit whose product reaches the kept columns
    const uint32_t kept = low > 0 ? higher >> low << low : higher;
    sum += (uint64_t{kept} << (bit + 1)) >> kDropped;
  }
  return static_cast<int64_t>(sum);
}

// The parabola's value, in units of 2^-(24 + kOffsetBits).
int64_t interpolated(const Parabola& p, uint32_t t) {
  return (int64_t{p.a} << kOffsetBits) + int64_t{p.b} * t + int64_t{p.c} * 4 * truncated_square(t);
}

// A positive value in units of 2^scale as an f32, cut off after 24 bits.
uint32_t cut_to_float(int64_t value, int scale) {
  const int top = 63 - std::countl_zero(static_cast<uint64_t>(value));
  const int64_t mantissa = top >= 23 ? value >> (top - 23) : value << (23 - top);
  return static_cast<uint32_t>(top + scale + 127) << 23 |
         (static_cast<uint32_t>(mantissa) & 0x7fffffu);
}

// From 2^-8 to 8, by binary exponent: 1, 1, 1, 2, 2, 4, 4, 4, 8, 16 and 8 intervals of equal
// length.
constexpr int kTanhIntervalBits[] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3};
constexpr int kTanhFirst[] = {0, 1, 2, 3, 5, 7, 11, 15, 19, 27, 43};
constexpr Parabola kTanh[] = {
    {65536, 65536, -2},          {131070, 131064, -12},       {262124, 262096, -104},
    {524118, 261904, -164},      {785858, 261576, -220},      {1047212, 522336, -1272},
    {1568268, 519808, -1776},    {2086298, 516256, -2236},    {2600310, 511776, -2704},
    {3109372, 506368, -3160},    {3612576, 500048, -3564},    {4109040, 986176, -16552},
    {5078604, 952960, -19296},   {6012224, 914288, -21488},   {6904992, 871216, -23152},
    {7753000, 1650272, -98592},  {9304656, 1451968, -100608}, {10656104, 1250016, -96608},
    {11809672, 1056352, -88688}, {12777544, 878752, -78584},  {13577912, 721632, -67824},
    {14231944, 586144, -57152},  {14761140, 472016, -47384},  {15185952, 377440, -38736},
    {15524804, 300160, -31376},  {15793720, 237600, -25152},  {16006268, 187456, -20072},
    {16173728, 147496, -15946},  {16305345, 115768, -12590},  {16408581, 90696, -9898},
    {16489421, 70984, -7784},    {16552657, 55480, -6094},    {16602069, 43340, -4776},
    {16640655, 33828, -3734},    {16670765, 26396, -2920},    {16694254, 20584, -2278},
    {16712570, 16048, -1778},    {16726848, 12508, -1386},    {16737977, 9748, -1082},
    {16746648, 7596, -842},      {16753405, 5916, -654},      {16758669, 4608, -508},
    {16762770, 3588, -394},      {16766000, 10544, -3504},    {16773088, 3888, -1296},
    {16775696, 1424, -464},      {16776656, 528, -176},       {16777012, 192, -64},
    {16777140, 80, -32},         {16777188, 32, -16},         {16777204, 16, -8},
};

}  // namespace

uint32_t special_tanh(uint32_t bits) {
  const uint32_t sign = bits & 0x80000000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return 0x7fffffffu;
  if (magnitude >= 0x41000000u) return sign | 0x3f800000u;  // from 8 on: 1
  if (magnitude < 0x3b800000u) return bits;                 // below 2^-8: x
  const uint32_t binade = (magnitude >> 23) - (127 - 8);
  const int interval_bits = kTanhIntervalBits[binade];
  const uint32_t mantissa = magnitude & 0x7fffffu;
  const uint32_t interval = mantissa >> (23 - interval_bits);
  const uint32_t t =
      (mantissa & ((1u << (23 - interval_bits)) - 1)) >> (23 - interval_bits - kOffsetBits);
  const Parabola& parabola = kTanh[kTanhFirst[binade] + static_cast<int>(interval)];
  return sign | cut_to_float(interpolated(parabola, t), -(24 + kOffsetBits));
}

}  // namespace warpshop::emulator::lanes_base
