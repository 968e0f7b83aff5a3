// Refuses launches that a GPU would refuse.
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
// The blocks per cluster of a launch; (1, 1, 1): no clusters.
Dim3 cluster_of(const DecodedProgram& program, const LaunchConfig& config);
// The grid in blocks: with __block_size__ a launch gives it in clusters.
Dim3 grid_of(const DecodedProgram& program, const LaunchConfig& config);
// Additional checks for a cooperative launch, which is otherwise prepared.
Diagnostics check_cooperative(const Launch& launch);

}  // namespace warpshop::emulator
