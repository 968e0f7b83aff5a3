// Copies in bulk from shared to global memory: cp.async.bulk with .bulk_group, and
// cp.reduce.async.bulk. PTX ISA §9.7.9.25.5 "cp.async.bulk", "cp.async.bulk.commit_group",
// "cp.async.bulk.wait_group".
//
// The source is read when the copy is issued; until the thread has waited for its group (with or
// without .read), a store to it is a race. Global memory changes when the thread waits for the
// group without .read, or exits: the latest moment that the manual allows.
#pragma once

#include "state/copies_in_flight.h"
#include "state/micro_op.h"

namespace warpshop::emulator::bulk_copy {

// a, imm, flags, site of the source in shared memory, b: the number of bytes (u32), e: number of
// the reduction in DecodedProgram::reductions plus one, or 0; then, as `place`, the destination.
const MicroOp* start_store(Warp& warp, const MicroOp* op);
const MicroOp* commit_stores(Warp& warp, const MicroOp* op);
// imm: groups that may stay pending; flags: 1 for .read.
const MicroOp* wait_for_stores(Warp& warp, const MicroOp* op);
// fence.proxy.async: ordinary stores become visible to copies in bulk.
const MicroOp* fence_proxies(Warp& warp, const MicroOp* op);
// Lanes exit: their copies are performed.
void finish_stores(Warp& warp, uint32_t lanes);
// Adds a copy to its thread's current group; its source has been read.
void add_store(Warp& warp, BulkStore store);

}  // namespace warpshop::emulator::bulk_copy
