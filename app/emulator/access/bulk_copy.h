// Copies in bulk into shared memory, which an mbarrier object counts: cp.async.bulk from global
// memory, also to several blocks of a cluster, and from a block's shared memory to another block's;
// cp.reduce.async.bulk, st.async and red.async to another block's. PTX ISA §9.7.9.25.5.2
// "cp.async.bulk", §9.7.9.26 "st.async", "red.async".
//
// The source is read when the copy is issued. Shared memory changes, and is watched, when a thread
// tests the phase of the copy's mbarrier object, the latest moment that the manual allows: so reads
// before the wait show old data or a race. A copy whose object is never tested never arrives.
#pragma once

#include <vector>

#include "state/copies_in_flight.h"
#include "state/micro_op.h"

namespace warpshop::emulator::bulk_copy {

// Three micro-ops: a, imm, flags, site of the source, b: the number of bytes (u32), c: ranks of the
// destinations (u16) or kNoRegister, e: number of the reduction in DecodedProgram::reductions plus
// one, or 0; then, as `place`, those of the destination and of the mbarrier object.
const MicroOp* start(Warp& warp, const MicroOp* op);              // from global memory
const MicroOp* start_from_shared(Warp& warp, const MicroOp* op);  // of the block itself
// d: list of registers of imm bytes each instead of a source and a size.
const MicroOp* start_from_registers(Warp& warp, const MicroOp* op);
// Holds an address of the preceding copy; does nothing when executed.
const MicroOp* place(Warp& warp, const MicroOp* op);
// Completes the copies that the running lanes' mbarrier objects count; `op` is a test of them.
void arrive(Warp& warp, const MicroOp* op);

// Puts the copy of a lane, with its bytes (none: nothing is written, but counted), into the list of
// each block that gets it. op: the first of the three micro-ops.
void send(Warp& warp, const MicroOp* op, int lane, BulkCopy copy, int alignment);

}  // namespace warpshop::emulator::bulk_copy
