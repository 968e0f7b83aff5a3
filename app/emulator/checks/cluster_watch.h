// Accesses to the shared memory of a cluster's blocks: races between them, and memory of blocks
// that have ended or may have.
#pragma once

#include <cstdint>

#include "checks/access_intent.h"
#include "state/block.h"
#include "state/micro_op.h"

namespace warpshop::emulator {

struct EmulationThread;

// An access of `lanes` to the block's own memory that has passed the checks, at the addresses in
// EmulationThread::access.
void watch_cluster(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes, AccessIntent intent,
                   const StoreValues* values);
// An access of one lane to `owner`, another block of the cluster, at this byte of its memory.
void watch_remote(Warp& warp, const MicroOp* op, int lane, Block& owner, uint64_t address,
                  int bytes, AccessIntent intent, const StoreValues* values);

// Likewise for a store that an asynchronous copy makes at any time from now on: reports conflicts
// with earlier accesses.
void watch_remote_future_write(Warp& warp, const MicroOp* op, int lane, Block& owner,
                               uint64_t address, int bytes, AccessIntent intent,
                               const StoreValues& values);

// The worker's block has ended: reports an access to its memory that nothing orders before that.
void check_end_in_cluster(EmulationThread& worker);

// An access to the memory of a block that has ended.
void note_ended_block(Warp& warp, const MicroOp* op, AccessIntent intent, int lane,
                      const Block& owner, uint64_t address, int bytes);
// A remote access beyond the owner's array or memory.
void note_remote_out_of_bounds(Warp& warp, const MicroOp* op, AccessIntent intent, int lane,
                               const Block& owner, uint64_t address, int bytes, uint64_t base,
                               uint64_t size_bytes);

}  // namespace warpshop::emulator
