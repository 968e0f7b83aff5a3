// Lanes that spin: they go round a loop that only another thread can end.
#pragma once

#include "core/diagnostic.h"
#include "run/warp.h"

namespace warpshop::emulator {

// To be called when a warp has used up its slice: finds out whether the running path spins or polls (decode/polling.h),
// and on a machine with independent threads lets other lanes of the warp go on when it does. Runs a few blocks of the
// path to find out.
void end_slice_of_paths(Warp& warp);

// The warp has looked at a barrier in memory (an mbarrier object, or one of cooperative groups) and waits for others: its
// turn ends after this look, so that waiting adds little to what is counted. Only for some looks in a row, as what goes on
// for longer may be a loop that counts its tries; `always` for barriers that nothing but others' arrivals ends.
void give_turn(Warp& warp, bool always);

// Lanes that wait for others of their warp, which spin.
struct SpinDeadlock {
  uint32_t spinning = 0;                    // lanes
  uint32_t waiting = 0;
  SourcePlace waiting_at;
};
// Of a paused warp whose running path was found spinning; nothing waits: `waiting` is 0.
SpinDeadlock spin_deadlock_of(const Warp& warp);

}  // namespace warpshop::emulator
