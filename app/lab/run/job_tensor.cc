#include "run/job_tensor.h"

namespace warpshop::lab {

device::JobTensor job_tensor(const emulator::TensorMap& map) {
  const auto first = [](const auto& numbers, int count) {
    return std::vector(numbers.begin(), numbers.begin() + count);
  };
  return {.type = map.type,
          .extents = first(map.extents, map.rank),
          .strides = first(map.strides, map.rank - 1),
          .box = first(map.box, map.rank),
          .element_strides = first(map.element_strides, map.rank),
          .swizzle_bytes = map.swizzle_bytes,
          .nan_outside = map.nan_outside};
}

}  // namespace warpshop::lab
