// Looks for accesses to what a cp.async is still copying, by any thread of the block: it writes its destination and reads
// its source from its start until its thread waits.
#pragma once

#include <cstdint>

#include "memory/access_check.h"
#include "memory/async_copy.h"

namespace warpshop::emulator {

// An access of `lanes` to shared memory, which has passed the checks; its addresses are those of Worker::access.
void watch_destinations(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes, AccessIntent intent);
// A store or an atomic in global memory, likewise.
void watch_sources(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes, AccessIntent intent);

// The active lanes start a copy, whose bytes and places are known. Its destination is a write from now on: it meets what
// this interval's accesses and other copies do there.
void watch_copy_start(Warp& warp, AsyncCopies::Copy& copy);
// Those lanes' copy arrives, or is given up.
void end_watch(Warp& warp, AsyncCopies::Copy& copy, uint32_t lanes);

}  // namespace warpshop::emulator
