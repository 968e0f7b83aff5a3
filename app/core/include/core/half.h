// The 16-bit floating-point formats of buffers, as numbers. IEEE 754-2019 (binary16), and CUDA Math
// API, "Bfloat16 Precision".
#pragma once

#include <cstdint>

namespace warpshop {

struct Float16 {
  uint16_t bits = 0;
  explicit operator double() const;
  explicit operator float() const { return static_cast<float>(static_cast<double>(*this)); }
};

struct BFloat16 {
  uint16_t bits = 0;
  explicit operator float() const;
  explicit operator double() const { return static_cast<double>(static_cast<float>(*this)); }
};

// Rounds once, to nearest, ties to even (IEEE 754-2019, 4.3.1); values beyond the range become
// infinite.
Float16 to_float16(double value);
BFloat16 to_bfloat16(double value);

}  // namespace warpshop
