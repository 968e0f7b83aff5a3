// Matrix products of a warp: mma.sync and wmma.mma. PTX ISA §9.7.14 "Warp Level Matrix
// Instructions".
//
// Distribution of elements, with g = lane / 4, t = lane % 4 and E elements per register (32 or 64
// bits):
//   A     tiles of 16 rows (or one of 8): element j of register r of a tile is in
//         row g + 8 (r % 2), column t E + j + 4 E (r / 2)
//   B     tiles of 8 columns: row t E + j + 4 E r, column g
//   C, D  tiles of 16 (or 8) × 8: value i is in row g + 8 (i / 2), column 2 t + i % 2
// These are the manual's figures of all mma shapes. Tiles follow one another, also for wmma, whose
// fragments the manual leaves unspecified: read from SASS of sm_90 (ptxas 13.0). There, m8n32k16 is
// the transposed product, with B^T as A. Only mma.m8n8k4 on f16 differs: four products, each of
// four lanes and four lanes.
#pragma once

#include <cstdint>

#include "operations/matrix_elements.h"
#include "state/matrix_form.h"
#include "state/micro_op.h"

namespace warpshop::emulator::matrix {

// Position of an element. A: row, depth. B: column, depth. C: row, column. Quads' products are
// stacked.
struct Spot {
  int row = 0;
  int column = 0;
};
// `depth`: k. `reg` is relative to the operand's first register.
Spot spot_in_a(int rows, int depth, int each, int lane, int reg, int element);
Spot spot_in_b(int depth, int each, int lane, int reg, int element);
Spot spot_in_c(int rows, int columns, int lane, int value);

// imm: index in DecodedProgram::products.
const MicroOp* multiply(Warp& warp, const MicroOp* op);

}  // namespace warpshop::emulator::matrix
