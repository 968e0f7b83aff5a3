// Which values a prediction has to compute: those that may decide which path a warp takes and what
// it accesses. The others, most of a kernel's arithmetic, take the emulator most of its time.
#pragma once

#include <vector>

#include "emulator/launch.h"
#include "emulator/memory.h"
#include "emulator/program.h"

namespace warpshop::timing {

// The buffer that each of a launch's arguments points into, as a number; -1: none.
std::vector<int> buffers_of_arguments(const emulator::LaunchConfig& launch,
                                      const emulator::DeviceMemory& memory);

// How much of each instruction of the kernel's own body, for Program::reduced_to. Follows values
// back from guards, addresses and instructions that the analysis does not know, through registers
// and memory. Of global memory, accesses whose addresses come from arguments with different
// `buffers` are told apart; shared and local memory count as one each. Kernels that call functions
// of their own need everything.
std::vector<emulator::Wanted> needed_values(const emulator::Program& program,
                                            const std::vector<int>& buffers = {});

}  // namespace warpshop::timing
