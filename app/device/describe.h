// Describes a GPU for a profile: the driver's figures, and measurements that take about a second.
#pragma once

#include "core/result.h"
#include "device/protocol.h"
#include "gpu.h"

namespace warpshop::device {

// Error: the GPU does not work. If a single measurement fails, its number stays 0.
Result<GpuDescription> describe(Gpu& gpu);

}  // namespace warpshop::device
