// The types of a kernel's parameters that are passed by value, as specs and the command line name them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace warpshop::lab {

struct ValueType {
  enum class Kind : uint8_t { kSigned, kUnsigned, kFloat, kBrainFloat, kBool };
  Kind kind = Kind::kSigned;
  int element_bytes = 4;
  int count = 1;            // of a vector or an array
  int alignment_bytes = 4;  // in a struct
  int size_bytes() const { return element_bytes * count; }
};

// "i8" … "i64", "u8" … "u64", "f16", "bf16", "f32", "f64", "bool", "ptr"; C's names ("int", "unsigned", "short", "char",
// "long", "float", "double", "half", "size_t", …); CUDA's vectors with their alignment ("float4", "int2", "uchar4"); and
// arrays in a struct, TYPExCOUNT ("f32x16"). CUDA C++ Programming Guide, "Built-in Vector Types".
std::optional<ValueType> value_type_named(std::string_view name);

// The bytes of `numbers`, one for each element: decimal, or hexadecimal after 0x; true and false for bool. Floats are
// rounded to the nearest, ties to even. Error: the number of values, or one that is none of the type's.
Result<std::vector<uint8_t>> value_bytes(const ValueType& type, const std::vector<std::string>& numbers);

// All the names that begin nothing else, for messages.
inline constexpr std::string_view kValueTypes =
    "i8, u8, i16, u16, i32, u32, i64, u64, f16, bf16, f32, f64, bool, ptr, and vectors such as float4 and int2";

}  // namespace warpshop::lab
