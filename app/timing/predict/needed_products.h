// Whether a prediction has to compute matrix products, which take the emulator longer than anything
// else: their sums may decide which path a warp takes and what it accesses.
#pragma once

#include "emulator/program.h"

namespace warpshop::timing {

// False only if no sum reaches a guard, an address, or an instruction that could pass it on
// unnoticed, in registers or through memory.
bool needs_products(const emulator::Program& program);

}  // namespace warpshop::timing
