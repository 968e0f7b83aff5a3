// Copies of tensor tiles: cp.async.bulk.tensor and cp.reduce.async.bulk.tensor in tile mode,
// through a tensor map (emulator/tensor_map.h). PTX ISA §5.5 "Tensors", §9.7.9.25.5
// "cp.async.bulk.tensor". They complete as other copies in bulk do.
#pragma once

#include "state/micro_op.h"

namespace warpshop::emulator::tensor_copy {

// Three micro-ops: a, imm, flags: generic address of the map; d: dimensions; b: list of
// coordinates (s32); c: ranks of the destinations (u16) or kNoRegister; site of global memory; then
// destination and mbarrier object as for bulk_copy::start.
const MicroOp* load(Warp& warp, const MicroOp* op);
// Two micro-ops: a, imm, flags, site of the source in shared memory, e: AtomicOperation plus one,
// or 0; then, as `place`, the map as above.
const MicroOp* store(Warp& warp, const MicroOp* op);
const MicroOp* place(Warp& warp, const MicroOp* op);

}  // namespace warpshop::emulator::tensor_copy
