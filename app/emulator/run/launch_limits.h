// What a GPU refuses to launch.
#pragma once

#include "core/diagnostic.h"
#include "decode/decoded.h"
#include "emulator/launch.h"

namespace warpshop::emulator {

struct Launch;

// What the driver would refuse: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
// Each error says the limit and what to do. Empty: it can be launched.
Diagnostics check_config(const DecodedProgram& program, const LaunchConfig& c, const MachineLimits& limits);
// The same for what is particular of a cooperative launch; the launch is prepared but for this.
Diagnostics check_cooperative(const Launch& launch);

}  // namespace warpshop::emulator
