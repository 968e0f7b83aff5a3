// Which values a prediction has to compute: those that may decide which path a warp takes and what
// it accesses. The others, most of a kernel's arithmetic, take the emulator most of its time.
#pragma once

#include <vector>

#include "emulator/program.h"

namespace warpshop::timing {

// How much of each instruction of the kernel's own body, for Program::reduced_to. Follows values
// back from guards, addresses and instructions that the analysis does not know, through registers
// and, by state space, through memory. Kernels that call functions of their own need everything.
std::vector<emulator::Wanted> needed_values(const emulator::Program& program);

}  // namespace warpshop::timing
