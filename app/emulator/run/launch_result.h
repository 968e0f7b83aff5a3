// What is left when all blocks have run: the emulation threads' findings, counts and texts become
// one result.
#pragma once

#include <vector>

#include "emulator/launch.h"
#include "run/launch_state.h"
#include "run/warp.h"

namespace warpshop::emulator {

// Tells the memory what the launch has written, where the shadows know it.
void keep_written(const Launch& launch, DeviceMemory& memory);
// Fills in all of the result but how the launch ended and its time. `result.completed` is known
// already. The workers' findings are used up.
void gather(const Launch& launch, std::vector<Worker>& workers, LaunchResult& result);

}  // namespace warpshop::emulator
