// A GPU described for a profile: what the driver tells of it, and what is measured in a second.
#pragma once

#include "core/result.h"
#include "device/protocol.h"
#include "gpu.h"

namespace warpshop::device {

// Error: the GPU does not work. A single measurement that fails leaves its number 0.
Result<GpuDescription> describe(Gpu& gpu);

}  // namespace warpshop::device
