// Numeric constants. PTX ISA §4.5 "Constants".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpshop::ptx {

struct Constant {
  enum class Kind : uint8_t { kSigned, kUnsigned, kFloat32, kFloat64 };
  Kind kind = Kind::kSigned;
  uint64_t bits = 0;  // a two's-complement integer, or the bits of the float

  bool is_float() const { return kind == Kind::kFloat32 || kind == Kind::kFloat64; }
  double as_double() const;
  static Constant of(int64_t value);
  static Constant of(double value);
};

// Parses 64-bit decimal, octal (0…), hexadecimal (0x…) and binary (0b…) integers with an optional
// U; 0f and 0d followed by 8 or 16 hexadecimal digits; and decimal floating-point constants. Empty
// if the text is none of these or the integer does not fit in 64 bits.
std::optional<Constant> read_number(std::string_view text);

}  // namespace warpshop::ptx
