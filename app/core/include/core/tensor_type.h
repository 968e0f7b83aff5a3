// Element types of tensor maps (CUtensorMap), as used in lab files, specs and messages to a GPU
// worker. CUDA Driver API, CUtensorMapDataType.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
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
// Bytes of memory from the first element of a tensor to its last. `extents`: elements, the
// contiguous dimension first; `strides`: bytes, of the second dimension and later ones. At least
// 2^52 if it is more than any GPU has.
uint64_t span_bytes(TensorType type, std::span<const uint64_t> extents,
                    std::span<const uint64_t> strides);

}  // namespace warpshop
