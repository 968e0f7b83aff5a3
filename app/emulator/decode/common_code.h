// Which blocks are followed by code that all threads run.
#pragma once

#include <vector>

#include "decode/cfg.h"

namespace warpshop::emulator {

// For each block: do all threads of the kernel run some other block, with an effect on memory or on
// other threads, that lies behind this one and from which no way leads back? A thread that has
// ended without coming here has then gone around it, and not left the kernel before it.
std::vector<bool> all_go_on_behind(const ptx::Function& function, const ControlFlow& flow);

}  // namespace warpshop::emulator
