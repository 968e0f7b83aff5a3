// Estimates how many 32-bit registers a thread needs from its PTX, for chips that current compilers
// no longer support. Private to the prediction.
#pragma once

#include "emulator/program.h"

namespace warpshop::timing {

// `narrow_addresses`: 64-bit values take one register, as on 1.x, where addresses have 32 bits.
int live_registers(const emulator::Program& program, bool narrow_addresses);

}  // namespace warpshop::timing
