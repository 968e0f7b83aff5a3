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

#include "state/micro_op.h"

namespace warpshop::emulator::matrix {

enum class Element : uint8_t { kF16, kBf16, kTf32, kE4m3, kE5m2, kF64, kS8, kU8, kS4, kU4, kB1 };
enum class Accumulator : uint8_t { kF32, kF16, kS32, kF64 };
int bits_of(Element type);
bool is_float(Element type);

enum class SumRule : uint8_t {
  kInteger,    // exact; wraps, or saturates with .satfinite
  kAndPopc,    // bits: number set in both
  kXorPopc,    // bits: number set in exactly one
  kTensor,     // fused_sum of `step` products at a time; each result is the next one's c
  kTwoHalves,  // 8-bit floats: elements 0, 1 of the registers, then 2, 3, from zero; add.rn of c
  kF64,        // a chain of fma.rn, starting from c
  kQuarters,   // m8n8k4, f32: a chain of fma.rn, starting from zero; then c is added
  kPairs,      // m8n8k4, f16: c + (a1 b1 + a0 b0), then + (a3 b3 + a2 b2), in f32; f16 at the end
};

struct Product {
  Element a = Element::kF16;
  Element b = Element::kF16;
  Accumulator c = Accumulator::kF32;
  Accumulator d = Accumulator::kF32;
  SumRule rule = SumRule::kTensor;
  bool saturate = false;
  bool quads = false;  // mma.m8n8k4 on f16: A may be in columns and B in rows
  bool a_in_columns = false;
  bool b_in_rows = false;
  int m = 16;
  int n = 8;
  int k = 16;
  int step = 16;
  uint32_t list_a = 0;  // register lists
  uint32_t list_b = 0;
  uint32_t list_c = 0;
  uint32_t list_d = 0;
  int selector = -1;      // mma.sp: the threads that hold the metadata (operations/matrix_sparse.h)
  uint32_t metadata = 0;  // register

  bool is_sparse() const { return selector >= 0; }
  int k_of_a() const { return is_sparse() ? k / 2 : k; }  // stored columns of A
  int values() const { return quads ? 8 : m * n / 32; }   // of C and D per lane
};

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
