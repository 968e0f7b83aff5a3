// Numbers in any PTX format, decoded and rounded by integer arithmetic, for conversions that the
// host has no instruction for. Exact in every rounding mode. PTX ISA §9.7.9 "cvt", §5.2.3 for the
// small floats.
#pragma once

#include <cstdint>

namespace warpshop::emulator::lanes_base {

// Modifiers of cvt; the lowest three bits are the rounding mode.
enum ConvertFlag : uint32_t {
  kRn = 1,   // to the nearest, ties to even
  kRz = 2,   // towards zero
  kRm = 3,   // down
  kRp = 4,   // up
  kRna = 5,  // to the nearest, ties away from zero
  kRoundingMask = 7,
  kSat = 8,
  kFtz = 16,
  kIntegral = 32,  // .rni and so on between floats
  kRelu = 64,
  kFinite = 128,
  kTf32 = 256,   // the 32-bit destination is tf32
  kE4m3 = 512,   // the 16-bit operand holds two e4m3
  kE5m2 = 1024,  // the 16-bit operand holds two e5m2
};

struct NumberFormat {
  int width_bits = 0;
  bool is_float = false;
  bool is_signed = false;  // integers
  int exponent_bits = 0;   // floats
  int mantissa_bits = 0;   // floats, without the hidden bit
  bool has_infinity =
      true;           // false for e4m3: its highest exponent is an ordinary one, all ones are NaN
  uint64_t nan = 0;   // canonical
  int low_zeros = 0;  // tf32: bits of the register below its mantissa
};

inline constexpr NumberFormat integer_format(int width_bits, bool is_signed) {
  return {width_bits, false, is_signed, 0, 0, false, 0, 0};
}
inline constexpr NumberFormat kF16Format = {16, true, true, 5, 10, true, 0x7fff, 0};
inline constexpr NumberFormat kBf16Format = {16, true, true, 8, 7, true, 0x7fff, 0};
inline constexpr NumberFormat kF32Format = {32, true, true, 8, 23, true, 0x7fffffff, 0};
inline constexpr NumberFormat kF64Format = {64, true, true, 11, 52, true, 0x7ff8000000000000, 0};
inline constexpr NumberFormat kTf32Format = {32, true, true, 8, 10, true, 0x7fffe000, 13};
inline constexpr NumberFormat kE4m3Format = {8, true, true, 4, 3, false, 0x7f, 0};
inline constexpr NumberFormat kE5m2Format = {8, true, true, 5, 2, true, 0x7f, 0};

struct Number {
  enum class Kind : uint8_t { kZero, kFinite, kInfinite, kNan };
  Kind kind = Kind::kZero;
  bool negative = false;
  int exponent = 0;       // finite: the value is mantissa · 2^(exponent - 63)
  uint64_t mantissa = 0;  // its highest bit is set; NaN: the mantissa's bits, aligned to bit 63
};

// Bits of `bits` above the format's width are ignored.
Number decode_number(const NumberFormat& format, uint64_t bits);
// Floats: rounds and encodes; integers: the nearest that fits, sign-extended to 64 bits if signed.
uint64_t encode_number(const NumberFormat& format, const Number& number, uint32_t flags,
                       bool nan_is_sign_bit);
// Converts between formats with cvt's modifiers; integers are extended to 64 bits.
uint64_t convert_number(const NumberFormat& to, const NumberFormat& from, uint64_t bits,
                        uint32_t flags);

}  // namespace warpshop::emulator::lanes_base
