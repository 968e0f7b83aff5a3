// A tensor map in the form that a GPU worker receives.
#pragma once

#include "device/protocol.h"
#include "emulator/tensor_map.h"

namespace warpshop::lab {

device::JobTensor job_tensor(const emulator::TensorMap& map);

}  // namespace warpshop::lab
