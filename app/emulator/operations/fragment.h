// Helpers of wmma.load and wmma.store beyond ordinary loads and stores, ldmatrix and movmatrix: the
// memory address of each lane's part of a fragment, and packing of bytes. decode/decode_wmma.cc
// decides which parts are needed.
#pragma once

#include "state/micro_op.h"

namespace warpshop::emulator::matrix {

// d, u64: the address of each lane's part. a and flags as for a memory access; b: u32, the stride;
// imm: index in DecodedProgram::fragment_places.
const MicroOp* place_fragment(Warp& warp, const MicroOp* op);
// d, u32: the low bytes of the four u32 registers in list `a`, the first one lowest.
const MicroOp* pack_bytes(Warp& warp, const MicroOp* op);

}  // namespace warpshop::emulator::matrix
