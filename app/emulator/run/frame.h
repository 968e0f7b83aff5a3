// Filling a function's frame with what is constant while it runs.
#pragma once

#include "run/warp.h"

namespace warpshop::emulator {

void fill_constants(Warp& warp, const DecodedFunction& function);
void fill_specials(Warp& warp, const DecodedFunction& function);

}  // namespace warpshop::emulator
