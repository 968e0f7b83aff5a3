// Finds the atomics that the blocks of a launch execute in order, at its turnstile.
//
// The result depends on the order if the kernel uses an atomic's return value (a position in a
// list, a compare-and-swap loop) or if the operations do not commute: sums of floats, exchanges,
// different operations on one buffer. Integer additions, minima, maxima and bit operations of one
// kind commute, so histograms and counts do not wait, unless the kernel also loads from that
// buffer: then such loads are ordered as well.
#pragma once

#include <cstdint>

namespace warpshop::emulator {

struct Launch;
struct EmulationThread;

// Determines which accesses of a launch on several threads are ordered; Launch::in_turn stays empty
// if none is. If any is, blocks must be scheduled in ascending order.
void take_turns_at_atomics(Launch& launch, int threads);
// The worker's next position from Launch::scheduler; false: none is left.
bool schedule_next(EmulationThread& worker, uint64_t& position);
// The worker's block has ended or is suspended: later blocks need not wait for it.
void leave_turnstile(EmulationThread& worker);

}  // namespace warpshop::emulator
