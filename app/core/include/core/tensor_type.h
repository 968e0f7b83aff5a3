// Element types of tensor maps (CUtensorMap), as used in lab files, specs and messages to a GPU
// worker. CUDA Driver API, CUtensorMapDataType.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/element_type.h"

namespace warpshop {

// As CUtensorMapDataType.
enum class TensorType : uint8_t {
  kU8,
  kU16,
  kU32,
  kS32,
  kU64,
  kS64,
  kF16,
  kF32,
  kF64,
  kBf16,
  kF32Ftz,
  kTf32,
  kTf32Ftz
};
inline constexpr int kTensorTypeCount = 13;
int size_bytes(TensorType type);
std::string_view name_of(TensorType type);  // "f16", "tf32_ftz"
std::optional<TensorType> tensor_type_named(std::string_view name);
// Type of the elements in memory: f32 for tf32, i64 for u64.
ElementType element_type_of(TensorType type);

}  // namespace warpshop
