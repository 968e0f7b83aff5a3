// Launches in clusters: an emulation thread runs the blocks of one cluster in turns, and has all of
// their shared memory at hand.
//
//   block 0  ──▶ waits for the cluster       ──▶ ends
//   block 1      ──▶ arrives: all have      ──▶ …
//
// A cluster whose blocks only wait, for other clusters, is set aside while others run, as are
// single blocks in other launches (suspended_blocks.h).
#pragma once

#include "state/emulation_thread.h"

namespace warpshop::emulator {

class WaitingBoard;

// Runs the clusters that the scheduler gives this thread, until none is left or the launch halts.
void run_clusters(EmulationThread& worker, WaitingBoard& board);

}  // namespace warpshop::emulator
