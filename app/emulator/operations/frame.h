// The register frames of a warp's functions: switching between them, and filling in their
// constants.
#pragma once

#include "state/warp.h"

namespace warpshop::emulator {

void fill_constants(Warp& warp, const DecodedFunction& function);
// What a register holds that nothing has written does not depend on who used it before.
void clear_unset(Warp& warp, const DecodedFunction& function);
void fill_specials(Warp& warp, const DecodedFunction& function);
// Makes a frame's registers and bases the running ones.
void enter_frame(Warp& warp, uint16_t index);
// Drops the frames that no path is in any more.
void drop_frames(Warp& warp);

}  // namespace warpshop::emulator
