// A job's tensor map, encoded by the driver. CUDA Driver API, cuTensorMapEncodeTiled.
#pragma once

#include <array>

#include "core/result.h"
#include "device/protocol.h"
#include "gpu.h"

namespace warpshop::device {

// What a kernel takes as CUtensorMap.
struct alignas(64) EncodedTensorMap {
  std::array<std::byte, tensor_map::kBytes> bytes{};
};

// Error: "gpu-launch" if the GPU has no tensor maps or the driver refuses this one, "gpu-driver" if
// the driver is too old.
Result<EncodedTensorMap> encode_tensor_map(Gpu& gpu, const JobTensor& tensor, CuPointer base,
                                           const std::string& name);

}  // namespace warpshop::device
