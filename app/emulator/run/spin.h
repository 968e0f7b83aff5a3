// Lanes that spin: they go round a loop that only another thread can end.
#pragma once

#include "core/diagnostic.h"
#include "run/warp.h"

namespace warpshop::emulator {

// To be called when a warp has used up its slice: finds out whether the running path spins or polls (decode/polling.h),
// and on a machine with independent threads lets other lanes of the warp go on when it does. Runs a few blocks of the
// path to find out.
void end_slice_of_paths(Warp& warp);

// Lanes that wait for others of their warp, which spin.
struct SpinDeadlock {
  uint32_t spinning = 0;                    // lanes
  uint32_t waiting = 0;
  SourcePlace waiting_at;
};
// Of a paused warp whose running path was found spinning; nothing waits: `waiting` is 0.
SpinDeadlock spin_deadlock_of(const Warp& warp);

}  // namespace warpshop::emulator
