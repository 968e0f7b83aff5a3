// Spinning lanes: they are in a loop that only another thread can end.
#pragma once

#include "core/diagnostic.h"
#include "state/warp.h"

namespace warpshop::emulator {

// Called when a warp has used up its slice: determines whether the running path spins or polls
// (decode/polling.h) and, if it does, lets other lanes of the warp continue on a machine with
// independent threads. Runs a few blocks of the path to find out.
void end_slice_of_paths(Warp& warp);

// True if the path, which only polls, reads other addresses in its next iteration, or leaves the
// loop: it works through an array with atomics that change nothing, and will end. Runs an iteration
// to find out.
bool walks_through_memory(Warp& warp);

// Lanes that wait for spinning lanes of their own warp.
struct SpinDeadlock {
  uint32_t spinning = 0;  // lanes
  uint32_t waiting = 0;
  SourcePlace waiting_at;
};
// For a paused warp whose running path was found spinning. `waiting` is 0 if no lane waits.
SpinDeadlock spin_deadlock_of(const Warp& warp);

}  // namespace warpshop::emulator
