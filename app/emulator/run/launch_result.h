// Combines the emulation threads' findings, counts and output into one result at the end of a
// launch.
#pragma once

#include <vector>

#include "emulator/launch.h"
#include "state/launch_state.h"
#include "state/warp.h"

namespace warpshop::emulator {

// Marks the bytes that the launch has written, as far as the shadows know them.
void keep_written(const Launch& launch, DeviceMemory& memory);
// Fills in the result except for how the launch ended and its time; needs `result.completed`.
// Consumes the workers' findings.
void gather(const Launch& launch, std::vector<EmulationThread>& workers, LaunchResult& result);

}  // namespace warpshop::emulator
