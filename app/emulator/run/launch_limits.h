// What a GPU refuses to launch.
#pragma once

#include "core/diagnostic.h"
#include "emulator/launch.h"
#include "state/decoded.h"

namespace warpshop::emulator {

struct Launch;

// Checks a launch as the driver would: CUDA C++ Programming Guide, "Technical Specifications per
// Compute Capability". Each error names the limit and what to do. Empty: the launch is valid.
Diagnostics check_config(const DecodedProgram& program, const LaunchConfig& c,
                         const MachineLimits& limits);
// Additional checks for a cooperative launch, which is otherwise prepared.
Diagnostics check_cooperative(const Launch& launch);

}  // namespace warpshop::emulator
