// A tensor map as a GPU worker is told of it.
#pragma once

#include "device/protocol.h"
#include "emulator/tensor_map.h"

namespace warpshop::lab {

device::JobTensor job_tensor(const emulator::TensorMap& map);

}  // namespace warpshop::lab
