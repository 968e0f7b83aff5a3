// Matrices distributed over a warp's registers as fragments: ldmatrix, stmatrix, movmatrix. PTX ISA
// §9.7.14 "Warp Level Matrix Multiply-Accumulate Instructions". All threads of the warp must
// execute them together.
#pragma once

#include "state/micro_op.h"

namespace warpshop::emulator::matrix {

// 8 × 8 matrices of 16-bit elements. MicroOp: a, imm, flags, site as for a memory access; d: list
// of 1, 2 or 4 registers.
const MicroOp* load(Warp& warp, const MicroOp* op);
const MicroOp* load_transposed(Warp& warp, const MicroOp* op);
const MicroOp* store(Warp& warp, const MicroOp* op);
const MicroOp* store_transposed(Warp& warp, const MicroOp* op);
// movmatrix: d, a 32-bit registers.
const MicroOp* transpose(Warp& warp, const MicroOp* op);

// Reports missing lanes.
void check_whole_warp(Warp& warp, const MicroOp* op);

}  // namespace warpshop::emulator::matrix
