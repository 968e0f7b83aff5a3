// Names the words at which a launch's atomics meet, as C++ would: "histogram[17]", "bins[3][5]".
#pragma once

#include <string_view>

#include "emulator/memory.h"
#include "emulator/program.h"
#include "timing/contention.h"

namespace warpshop::lab {

// `source`: of the kernel, for the dimensions of shared arrays.
void name_words(timing::LaunchContention& contention, const emulator::Program& program,
                const emulator::DeviceMemory& memory, std::string_view source);

}  // namespace warpshop::lab
