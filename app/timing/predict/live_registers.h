// How many 32-bit registers a thread needs at once, read from the PTX: what a back end would give it, where none of
// today compiles for the chip. Private to the prediction.
#pragma once

#include "emulator/program.h"

namespace warpshop::timing {

// `narrow_addresses`: 64-bit values take one register, as on 1.x, whose addresses have 32 bits.
int live_registers(const emulator::Program& program, bool narrow_addresses);

}  // namespace warpshop::timing
