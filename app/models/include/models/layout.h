// Layouts in CuTe's notation: map the coordinate of an element to its place in memory.
//
//   (32,32):(33,1)              shape : strides, in elements; rows of 33
//   (2,(2,2)):(4,(2,1))         a mode may be split into several, the first of them the fastest
//   (8,64)                      no strides: the first mode is contiguous, then the second
//   Sw<3,3,3> o (8,64):(64,1)   bits of the index exclusive-or'ed with higher ones
//
// Source: CUTLASS 4, media/docs/cpp/cute/01_layout.md; include/cute/swizzle.hpp for Swizzle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace warpshop::models {

// Swizzle<bits, base, shift>: the `bits` bits from bit base + shift on are exclusive-or'ed into
// those from bit `base` on. Negative `shift`: from the lower bits into the higher ones.
struct Swizzle {
  int bits = 0, base = 0, shift = 0;
  uint64_t operator()(uint64_t index) const;
  bool operator==(const Swizzle&) const = default;
};

struct Layout {
  struct Part {
    uint64_t extent = 1, stride = 0;
    bool operator==(const Part&) const = default;
  };
  // A mode's parts, the fastest first, without the nesting inside the mode: that does not change
  // where an element lies.
  std::vector<std::vector<Part>> modes;
  Swizzle swizzle;

  // The table that CuTe prints: the first mode goes down, all others across.
  uint64_t rows() const;
  uint64_t columns() const;
  // The index of an element, in elements.
  uint64_t at(uint64_t row, uint64_t column) const;
  uint64_t last_index() const;  // the highest
};

inline constexpr uint64_t kMostLayoutElements = 1u << 14;

// Spaces, underscores before numbers (_8) and "o _0 o" are allowed, as CuTe prints them. Errors say
// at which column: not a layout, strides that do not fit the shape, an empty mode, more than
// kMostLayoutElements elements, indices of 2^31 and more.
Result<Layout> parse_layout(std::string_view text);

}  // namespace warpshop::models
