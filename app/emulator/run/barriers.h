// The sixteen named barriers of a block: who has arrived, who goes on, and who waits for ever.
//
// "The barrier{.cta} instruction … causes executing thread to wait for all non-exited threads from its warp and marks
// warps arrival at barrier": a warp arrives when all its lanes have, and counts for 32 threads (PTX ISA §9.7.13.1).
#pragma once

#include "run/warp.h"

namespace warpshop::emulator {

// Lets the warps of completed barriers go on. True when somebody was released.
bool release_barriers(Worker& worker);
// Nobody of the block can run: says who waits where, and ends the kernel.
void report_stuck_barriers(Worker& worker);
// Lanes have left the kernel: the others may be all that an arrival waited for.
void complete_arrivals(Warp& warp);

}  // namespace warpshop::emulator
