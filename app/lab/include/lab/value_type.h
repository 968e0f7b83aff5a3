// The types of parameters passed by value, as named in specs and on the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/element_type.h"
#include "core/result.h"

namespace warpshop::lab {

struct ValueType {
  enum class Kind : uint8_t { kSigned, kUnsigned, kFloat, kBrainFloat, kBool };
  Kind kind = Kind::kSigned;
  int element_bytes = 4;
  int count = 1;            // elements of a vector or array
  int alignment_bytes = 4;  // within a struct
  int size_bytes() const { return element_bytes * count; }
};

// "i8" … "i64", "u8" … "u64", "f16", "bf16", "f32", "f64", "bool", "ptr"; C's names ("int",
// "unsigned", "short", "char", "long", "float", "double", "half", "size_t", …); CUDA's vectors with
// their alignment ("float4", "int2", "uchar4"); and arrays in a struct, TYPExCOUNT ("f32x16"). CUDA
// C++ Programming Guide, "Built-in Vector Types".
std::optional<ValueType> value_type_named(std::string_view name);

// A buffer's element type of the same size and kind; a vector's is that of its elements.
std::optional<ElementType> element_type_of(const ValueType& type);

// The bytes of `numbers`, one per element: decimal, or hexadecimal after 0x; true and false for
// bool. Floats are rounded to nearest, ties to even. Error: wrong number of values, or a value that
// does not fit the type.
Result<std::vector<uint8_t>> value_bytes(const ValueType& type,
                                         const std::vector<std::string>& numbers);

// The type names listed in messages.
inline constexpr std::string_view kValueTypes =
    "i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64, bool, ptr, and vectors such as "
    "float4 and int2";

}  // namespace warpshop::lab
