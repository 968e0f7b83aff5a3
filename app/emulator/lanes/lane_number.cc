#include "lanes/lane_number.h"

#include <bit>

namespace warpshop::emulator::lanes_base {
namespace {

uint64_t low_mask(int bits) { return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }

// True to add one to the truncated value; `odd`: the last bit that is kept.
bool rounds_up(uint32_t rounding, bool negative, bool odd, bool half, bool rest) {
  switch (rounding) {
    case kRn:
      return half && (rest || odd);
    case kRm:
      return negative && (half || rest);
    case kRp:
      return !negative && (half || rest);
    default:
      return false;
  }
}

// `mantissa` without its lowest `drop` bits, rounded; no carry out of 64 bits is possible if drop >
// 0.
uint64_t shifted(uint64_t mantissa, int drop, uint32_t rounding, bool negative) {
  if (drop <= 0) return mantissa;
  const uint64_t kept = drop >= 64 ? 0 : mantissa >> drop;
  const bool half = drop <= 64 && (mantissa >> (drop - 1) & 1) != 0;
  const bool rest = drop > 64 || (mantissa & low_mask(drop - 1)) != 0;
  return kept + (rounds_up(rounding, negative, (kept & 1) != 0, half, rest) ? 1 : 0);
}

Number from_magnitude(uint64_t magnitude, bool negative, int exponent_of_last_bit) {
  if (magnitude == 0) return {Number::Kind::kZero, negative, 0, 0};
  const int zeros = std::countl_zero(magnitude);
  return {Number::Kind::kFinite, negative, 63 - zeros + exponent_of_last_bit, magnitude << zeros};
}

Number rounded_to_integer(const Number& number, uint32_t rounding) {
  if (number.kind != Number::Kind::kFinite || number.exponent >= 63) return number;
  return from_magnitude(shifted(number.mantissa, 63 - number.exponent, rounding, number.negative),
                        number.negative, 0);
}

uint64_t encode_integer(const NumberFormat& format, const Number& number, uint32_t flags,
                        bool nan_is_sign_bit) {
  const uint64_t sign_bit = uint64_t{1} << (format.width_bits - 1);
  const auto extended = [&](uint64_t bits) {
    const int unused = 64 - format.width_bits;
    return format.is_signed ? static_cast<uint64_t>(static_cast<int64_t>(bits << unused) >> unused)
                            : bits;
  };
  if (number.kind == Number::Kind::kNan) return nan_is_sign_bit ? extended(sign_bit) : 0;
  const Number whole = rounded_to_integer(number, flags & kRoundingMask);
  if (whole.kind == Number::Kind::kZero) return 0;
  const uint64_t most = format.is_signed ? sign_bit - 1 : low_mask(format.width_bits);
  const uint64_t least = format.is_signed ? sign_bit : 0;  // its magnitude
  const bool huge = whole.kind == Number::Kind::kInfinite || whole.exponent > 63;
  const uint64_t magnitude = huge ? ~uint64_t{0} : whole.mantissa >> (63 - whole.exponent);
  if (!whole.negative) return magnitude > most ? most : magnitude;
  return extended(0 - (magnitude > least ? least : magnitude));
}

uint64_t encode_float(const NumberFormat& format, const Number& number, uint32_t flags) {
  const uint32_t rounding = flags & kRoundingMask;
  const uint64_t sign = number.negative ? uint64_t{1} << (format.width_bits - 1) : 0;
  const int top = (1 << format.exponent_bits) - 1;
  // In units of the last mantissa bit: the encodings of infinity and of the largest finite value.
  const uint64_t infinity = static_cast<uint64_t>(top) << format.mantissa_bits;
  const uint64_t largest =
      format.has_infinity ? infinity - 1 : (infinity | low_mask(format.mantissa_bits)) - 1;
  const auto overflow = [&] {
    if ((flags & kFinite) != 0 || !format.has_infinity) return sign | largest;
    if (number.kind == Number::Kind::kInfinite) return sign | infinity;
    const bool away = rounding == kRn || (rounding == kRp && !number.negative) ||
                      (rounding == kRm && number.negative);
    return sign | (away ? infinity : largest);
  };
  switch (number.kind) {
    case Number::Kind::kNan:
      return format.nan;
    case Number::Kind::kZero:
      return sign;
    case Number::Kind::kInfinite:
      return overflow();
    case Number::Kind::kFinite:
      break;
  }
  const int bias = top >> 1;
  const int least_exponent = 1 - bias;
  const int below = number.exponent < least_exponent ? least_exponent - number.exponent : 0;
  const int drop = 63 - format.mantissa_bits + below;
  uint64_t magnitude = shifted(number.mantissa, drop, rounding, number.negative);
  // The hidden bit of a normal number, or a carry out of the mantissa, increments the exponent.
  if (below == 0)
    magnitude += static_cast<uint64_t>(number.exponent + bias - 1) << format.mantissa_bits;
  if (number.exponent > top || magnitude > largest) return overflow();
  return sign | magnitude;
}

}  // namespace

Number decode_number(const NumberFormat& format, uint64_t bits) {
  bits &= low_mask(format.width_bits);
  if (!format.is_float) {
    const bool negative = format.is_signed && (bits >> (format.width_bits - 1) & 1) != 0;
    const uint64_t magnitude = negative ? (0 - bits) & low_mask(format.width_bits) : bits;
    Number number = from_magnitude(magnitude, negative, 0);
    if (magnitude == 0) number.negative = false;
    return number;
  }
  const bool negative = (bits >> (format.width_bits - 1) & 1) != 0;
  const uint64_t magnitude = bits & low_mask(format.width_bits - 1);
  const int exponent = static_cast<int>(magnitude >> format.mantissa_bits);
  const uint64_t mantissa = magnitude & low_mask(format.mantissa_bits);
  const int top = (1 << format.exponent_bits) - 1;
  if (exponent == top && format.has_infinity) {
    return {mantissa == 0 ? Number::Kind::kInfinite : Number::Kind::kNan, negative, 0,
            mantissa << (64 - format.mantissa_bits)};
  }
  if (exponent == top && mantissa == low_mask(format.mantissa_bits))
    return {Number::Kind::kNan, negative, 0, 0};
  const int least_exponent = 1 - (top >> 1);
  if (exponent == 0)
    return from_magnitude(mantissa, negative, least_exponent - format.mantissa_bits);
  return from_magnitude(mantissa | uint64_t{1} << format.mantissa_bits, negative,
                        least_exponent + exponent - 1 - format.mantissa_bits);
}

uint64_t encode_number(const NumberFormat& format, const Number& number, uint32_t flags,
                       bool nan_is_sign_bit) {
  if (!format.is_float) return encode_integer(format, number, flags, nan_is_sign_bit);
  if (format.low_zeros == 0) return encode_float(format, number, flags);
  NumberFormat narrow = format;  // tf32: a float of 19 bits, shifted up
  narrow.width_bits -= format.low_zeros;
  narrow.nan = low_mask(narrow.width_bits - 1);
  const uint64_t bits = encode_float(narrow, number, flags);
  return number.kind == Number::Kind::kNan ? format.nan : bits << format.low_zeros;
}

uint64_t convert_number(const NumberFormat& to, const NumberFormat& from, uint64_t bits,
                        uint32_t flags) {
  const auto is_f32 = [](const NumberFormat& format) {
    return format.is_float && format.width_bits == 32;
  };
  if (!to.is_float && !from.is_float && (flags & kSat) == 0) {  // truncated or extended
    const int unused = 64 - from.width_bits;
    const uint64_t extended =
        from.is_signed ? static_cast<uint64_t>(static_cast<int64_t>(bits << unused) >> unused)
                       : bits & low_mask(from.width_bits);
    const int rest = 64 - to.width_bits;
    return to.is_signed ? static_cast<uint64_t>(static_cast<int64_t>(extended << rest) >> rest)
                        : extended & low_mask(to.width_bits);
  }
  if ((flags & kRoundingMask) ==
      kRna) {  // only tf32: integer arithmetic, even on NaNs, measured on an H200
    const uint32_t sign = static_cast<uint32_t>(bits) & 0x80000000u;
    const uint32_t sum = (static_cast<uint32_t>(bits) & 0x7fffffffu) + 0x1000u;
    const uint32_t rounded = sign | ((sum < 0x80000000u ? sum : 0x7fffffffu) & 0xffffe000u);
    return (flags & kFinite) != 0 && (rounded & 0x7f800000u) == 0x7f800000u ? rounded - 0x2000u
                                                                            : rounded;
  }
  if (flags == kRn && to.is_float && from.is_float && to.exponent_bits == from.exponent_bits &&
      to.mantissa_bits >= from.mantissa_bits && to.width_bits >= 32 && to.low_zeros == 0) {
    return (bits & low_mask(from.width_bits))
           << (to.width_bits - from.width_bits);  // a copy, even of NaNs
  }
  Number number = decode_number(from, bits);
  using Kind = Number::Kind;
  if ((flags & kFtz) != 0 && is_f32(from) && number.kind == Kind::kFinite &&
      number.exponent < -126) {
    number = {Kind::kZero, number.negative, 0, 0};
  }
  if ((flags & kIntegral) != 0) number = rounded_to_integer(number, flags & kRoundingMask);
  if ((flags & kRelu) != 0 && number.kind != Kind::kNan && number.negative) number = {};
  if ((flags & kSat) != 0 && to.is_float) {  // between +0 and 1; NaN becomes +0
    if (number.kind == Kind::kNan || number.negative) number = {};
    const bool above =
        number.kind == Kind::kInfinite || (number.kind == Kind::kFinite && number.exponent >= 0);
    if (above) number = {Kind::kFinite, false, 0, uint64_t{1} << 63};
  }
  const bool with_f64 = from.width_bits == 64 || to.width_bits == 64;
  if (number.kind == Kind::kNan && to.is_float && with_f64) {  // propagated as a quiet NaN
    if ((flags & kFtz) != 0 && is_f32(from))
      number = {Kind::kNan, false, 0, ~uint64_t{0} << (64 - 23)};
    const uint64_t quiet = number.mantissa | uint64_t{1} << 63;
    const uint64_t sign = number.negative ? uint64_t{1} << (to.width_bits - 1) : 0;
    return sign | low_mask(to.exponent_bits) << to.mantissa_bits | quiet >> (64 - to.mantissa_bits);
  }
  uint64_t result = encode_number(to, number, flags, with_f64);
  if ((flags & kFtz) != 0 && is_f32(to) && to.low_zeros == 0 && (result & 0x7f800000u) == 0)
    result &= 0x80000000u;
  return result;
}

}  // namespace warpshop::emulator::lanes_base
