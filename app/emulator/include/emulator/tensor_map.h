// Tensor maps (CUtensorMap): what a kernel's copies of tensor tiles know about a tensor in global
// memory. The driver's 128 bytes are opaque; here they hold an encoding of our own. CUDA Driver
// API, "Tensor Map Object Management", cuTensorMapEncodeTiled.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/result.h"
#include "core/tensor_type.h"
#include "emulator/memory.h"

namespace warpshop::emulator {

using warpshop::TensorType;  // core/tensor_type.h

struct TensorMap {
  static constexpr size_t kBytes = 128;
  TensorType type = TensorType::kF32;
  int rank = 1;  // 1 to 5
  DevicePointer base = 0;
  std::array<uint64_t, 5> extents{};  // elements; the first dimension is contiguous
  std::array<uint64_t, 4> strides{};  // bytes, of the second dimension and later ones
  std::array<uint32_t, 5> box{};      // elements
  std::array<uint32_t, 5> element_strides{1, 1, 1, 1, 1};
  int swizzle_bytes = 0;     // 0, 32, 64 or 128
  bool nan_outside = false;  // what lies outside is NaN, not zero

  // Elements that a copy moves along a dimension, and bytes in all.
  uint32_t box_elements(int dimension) const;
  uint64_t box_bytes() const;
  // Rows of `extents` without gaps.
  void pack();
  // Bytes of global memory from `base` on that the tensor spans, and those that its buffer needs:
  // copies move whole pieces of 16 bytes.
  uint64_t span_bytes() const;
  uint64_t buffer_bytes() const;
};

// Error: what the driver refuses; `name` is the argument's.
Status check_tensor_map(const TensorMap& map, std::string_view name);

std::array<uint8_t, TensorMap::kBytes> encode(const TensorMap& map);
// None: bytes that encode() has not made.
std::optional<TensorMap> decode_tensor_map(std::span<const uint8_t, TensorMap::kBytes> bytes);

}  // namespace warpshop::emulator
