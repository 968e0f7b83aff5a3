// A block's sixteen named barriers: which warps have arrived, which are released, which wait
// forever.
//
// "The barrier{.cta} instruction … causes executing thread to wait for all non-exited threads from
// its warp and marks warps arrival at barrier": a warp arrives when all its lanes have, and counts
// for 32 threads (PTX ISA §9.7.13.1).
#pragma once

#include "state/warp.h"

namespace warpshop::emulator {

// Releases the warps at completed barriers. True if any was released.
bool release_barriers(EmulationThread& worker);
// No warp of the block can run: reports where each waits and ends the kernel.
void report_stuck_barriers(EmulationThread& worker);
// Lanes have exited: a barrier may have been waiting only for them.
void complete_arrivals(Warp& warp);
// Lanes of the warp wait elsewhere than at `op`.
void note_different_barriers(Warp& warp, const MicroOp* op);
// The active lanes wait there, one of the block's barriers, kClusterBarrier or kProductBarrier,
// until the warp is released.
const MicroOp* wait_at_barrier(Warp& warp, const MicroOp* op, int barrier);

}  // namespace warpshop::emulator
