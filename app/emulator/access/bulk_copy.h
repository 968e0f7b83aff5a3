// cp.async.bulk from global to shared memory, in one dimension: each thread copies any number of
// 16-byte pieces, and an mbarrier object counts the bytes that have arrived. PTX ISA §9.7.9.25.5.2
// "cp.async.bulk".
//
// The source is read when the copy is issued. Shared memory changes, and is watched, when a thread
// tests the phase of the copy's mbarrier object, the latest moment that the manual allows: so reads
// before the wait show old data or a race. A copy whose object is never tested never arrives.
#pragma once

#include "state/micro_op.h"

namespace warpshop::emulator::bulk_copy {

// Three micro-ops: a, imm, flags, site of the source, b: the number of bytes (u32); then, as
// `place`, those of the destination and of the mbarrier object.
const MicroOp* start(Warp& warp, const MicroOp* op);
// Holds an address of the preceding copy; does nothing when executed.
const MicroOp* place(Warp& warp, const MicroOp* op);
// Completes the copies that the running lanes' mbarrier objects count; `op` is a test of them.
void arrive(Warp& warp, const MicroOp* op);

}  // namespace warpshop::emulator::bulk_copy
