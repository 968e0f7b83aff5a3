// The frames of a warp's functions: switching between them, and filling them with what is constant while they run.
#pragma once

#include "run/warp.h"

namespace warpshop::emulator {

void fill_constants(Warp& warp, const DecodedFunction& function);
void fill_specials(Warp& warp, const DecodedFunction& function);
// Makes the registers and bases of a frame the running ones.
void enter_frame(Warp& warp, uint16_t index);
// Forgets the frames that no path is in any more.
void drop_frames(Warp& warp);

}  // namespace warpshop::emulator
