// Finds blocks that are followed by code that all threads execute.
#pragma once

#include <vector>

#include "analysis/cfg.h"

namespace warpshop::emulator {

// Per block B: must every thread later execute some block with an effect on memory or on other
// threads that comes after B and from which B is unreachable? Then a thread that ended without
// reaching B bypassed B and did not return early.
std::vector<bool> common_code_after(const ptx::Function& function, const ControlFlow& flow);

}  // namespace warpshop::emulator
