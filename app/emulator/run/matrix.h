// Matrices that a warp holds in fragments: ldmatrix, stmatrix, movmatrix, mma.sync. PTX ISA §9.7.14 "Warp Level Matrix
// Multiply-Accumulate Instructions". All of the warp's threads must run them together.
#pragma once

#include "run/micro_op.h"

namespace warpshop::emulator::matrix {

// 8 × 8 matrices of 16-bit elements. MicroOp: a, imm, flags, site as of a memory access, d register list of 1, 2 or 4.
const MicroOp* load(Warp& warp, const MicroOp* op);
const MicroOp* load_transposed(Warp& warp, const MicroOp* op);
const MicroOp* store(Warp& warp, const MicroOp* op);
const MicroOp* store_transposed(Warp& warp, const MicroOp* op);
// movmatrix: d, a 32-bit registers.
const MicroOp* transpose(Warp& warp, const MicroOp* op);

enum class Element : uint8_t { kF16, kBf16, kTf32, kS8, kU8 };
enum class Accumulator : uint8_t { kF32, kF16, kS32 };
// mma.sync m16n8: d, a, b, c register lists; imm: Element of A, of B << 8, Accumulator of D << 16, of C << 24;
// flags bit 0: .satfinite.
const MicroOp* multiply(Warp& warp, const MicroOp* op);

}  // namespace warpshop::emulator::matrix
