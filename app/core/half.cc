#include "core/half.h"

#include <cmath>
#include <limits>

#include "core/standard.h"

namespace warpshop {
namespace {

// Rounds a double once to a format with 10 exponent bits or fewer. IEEE 754-2019, §4.3.1: to
// nearest, ties to even.
uint16_t narrow_float(double value, int exponent_bits, int fraction_bits) {
  const auto sign = static_cast<uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const auto infinity = static_cast<uint16_t>(((1 << exponent_bits) - 1) << fraction_bits);
  if (std::isnan(value)) return static_cast<uint16_t>(sign | infinity | (1 << (fraction_bits - 1)));
  const double magnitude = std::fabs(value);
  if (std::isinf(magnitude)) return sign | infinity;
  const int exponent = std::max(magnitude == 0 ? 1 - bias : std::ilogb(magnitude), 1 - bias);
  // In units in the last place; rounding up to the next exponent carries into its bits.
  const double units = std::nearbyint(std::ldexp(magnitude, fraction_bits - exponent));
  const double bits = units + std::ldexp(static_cast<double>(exponent + bias - 1), fraction_bits);
  return sign | static_cast<uint16_t>(std::min(bits, static_cast<double>(infinity)));
}

}  // namespace

Float16::operator double() const {
  const int exponent = bits >> 10 & 0x1F;
  const int fraction = bits & 0x3FF;
  double size = 0;
  if (exponent == 0x1F) {
    size = fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : HUGE_VAL;
  } else if (exponent == 0) {
    size = std::ldexp(fraction, -24);
  } else {
    size = std::ldexp(fraction + 0x400, exponent - 25);
  }
  return std::copysign(size, (bits & 0x8000) != 0 ? -1.0 : 1.0);
}

BFloat16::operator float() const { return bit_cast<float>(static_cast<uint32_t>(bits) << 16); }

Float16 to_float16(double value) { return {narrow_float(value, 5, 10)}; }

BFloat16 to_bfloat16(double value) { return {narrow_float(value, 8, 7)}; }

}  // namespace warpshop
