// A tensor map argument (CUtensorMap) as described in lab files.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/tensor_type.h"
#include "emulator/launch.h"
#include "emulator/tensor_map.h"

namespace warpshop::lab {

// Lists are expressions over the size's variables and start with the contiguous dimension.
struct TensorArg {
  TensorType type = TensorType::kF32;
  std::vector<std::string> extents;  // elements
  std::vector<std::string> strides;  // bytes, of the second dimension and later ones; empty: packed
  std::vector<std::string> box;      // elements
  std::vector<std::string> element_strides;  // empty: 1 each
  int swizzle_bytes = 0;
  bool nan_outside = false;
};

// The map at one size, without its base. Error: an expression that has no whole value, with its
// place if `TensorArg` came with one.
Result<emulator::TensorMap> tensor_map_of(const TensorArg& arg,
                                          const std::map<std::string, int64_t>& variables);

// The expression for the elements of the buffer behind the map.
std::string element_count_of(const TensorArg& arg);

// What a kernel is passed for a buffer at `base`.
emulator::Argument tensor_argument(emulator::TensorMap map, emulator::DevicePointer base);

}  // namespace warpshop::lab
