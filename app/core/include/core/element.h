// A buffer's elements as values of their own type.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "core/element_type.h"
#include "core/half.h"

namespace warpshop {

// Calls `use` with a value of the C++ type of such elements; Float16 and BFloat16 for 16 bits.
template <typename Use>
auto with_element_type(ElementType type, Use use) {
  switch (type) {
    case ElementType::kU8:
      return use(uint8_t{});
    case ElementType::kU16:
      return use(uint16_t{});
    case ElementType::kI32:
      return use(int32_t{});
    case ElementType::kU32:
      return use(uint32_t{});
    case ElementType::kI64:
      return use(int64_t{});
    case ElementType::kF16:
      return use(Float16{});
    case ElementType::kBf16:
      return use(BFloat16{});
    case ElementType::kF32:
      return use(float{});
    case ElementType::kF64:
      return use(double{});
  }
  return use(uint8_t{});
}

// A number as an element of type T; halves round to nearest.
template <typename T>
T element_from(double value) {
  return static_cast<T>(value);
}
template <>
inline Float16 element_from<Float16>(double value) {
  return to_float16(value);
}
template <>
inline BFloat16 element_from<BFloat16>(double value) {
  return to_bfloat16(value);
}

inline double element_value(ElementType type, const uint8_t* bytes) {
  return with_element_type(type, [bytes](auto element) {
    std::memcpy(&element, bytes, sizeof element);
    return static_cast<double>(element);
  });
}

// Exact decimal text of an element: the shortest that reads back to the same bits; of halves, as a
// float.
std::string element_text(ElementType type, const uint8_t* bytes);

}  // namespace warpshop
