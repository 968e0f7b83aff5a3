// Matrix products of a warp: mma.sync and wmma.mma. PTX ISA §9.7.14 "Warp Level Matrix Instructions".
//
// How elements are spread, with g = lane / 4, t = lane % 4 and E elements in a register of 32 or 64 bits:
//   A  in tiles of 16 rows (or one of 8): element j of register r of a tile is row g + 8 (r % 2), column t E + j + 4 E (r / 2)
//   B  in tiles of 8 columns: row t E + j + 4 E r, column g
//   C, D in tiles of 16 (or 8) × 8: value i is row g + 8 (i / 2), column 2 t + i % 2
// which is what the manual's figures of all mma shapes say. The tiles come one after the other, and so it is for wmma,
// whose fragments the manual leaves open: read from SASS of sm_90 (ptxas 13.0). There m8n32k16 is the transposed
// product, with B^T as A. Only mma.m8n8k4 on f16 is of another kind: four products of four lanes and four lanes each.
#pragma once

#include <cstdint>

#include "run/micro_op.h"

namespace warpshop::emulator::matrix {

enum class Element : uint8_t { kF16, kBf16, kTf32, kE4m3, kE5m2, kF64, kS8, kU8, kS4, kU4, kB1 };
enum class Accumulator : uint8_t { kF32, kF16, kS32, kF64 };
int bits_of(Element type);
bool is_float(Element type);

enum class SumRule : uint8_t {
  kInteger,      // exact; wraps, or stays at the ends with .satfinite
  kAndPopc,      // of bits: how many are set in both
  kXorPopc,      // … in one of both
  kTensor,       // fused_sum of `step` products at a time, the result of one being c of the next
  kTwoHalves,    // 8-bit floats: elements 0, 1 of the registers from zero, then 2, 3; c is added as by add.rn
  kF64,          // fma.rn after fma.rn from c on
  kQuarters,     // m8n8k4, f32: fma.rn after fma.rn from zero on, then c is added
  kPairs,        // m8n8k4, f16: c + (a1 b1 + a0 b0), then + (a3 b3 + a2 b2), in f32, rounded to f16 at the end
};

struct Product {
  Element a = Element::kF16;
  Element b = Element::kF16;
  Accumulator c = Accumulator::kF32;
  Accumulator d = Accumulator::kF32;
  SumRule rule = SumRule::kTensor;
  bool saturate = false;
  bool quads = false;             // mma.m8n8k4 on f16: here A may lie in columns and B in rows
  bool a_in_columns = false;
  bool b_in_rows = false;
  int m = 16;
  int n = 8;
  int k = 16;
  int step = 16;
  uint32_t list_a = 0;            // register lists
  uint32_t list_b = 0;
  uint32_t list_c = 0;
  uint32_t list_d = 0;
  int selector = -1;              // mma.sp: which threads have the metadata (run/matrix_sparse.h)
  uint32_t metadata = 0;          // register

  bool is_sparse() const { return selector >= 0; }
  int k_of_a() const { return is_sparse() ? k / 2 : k; }   // columns of A that are stored
  int values() const { return quads ? 8 : m * n / 32; }   // of C and D in a lane
};

// Where an element is. A: row, depth. B: column, depth. C: row, column. The products of quads lie one below the other.
struct Spot {
  int row = 0;
  int column = 0;
};
// `depth`: k. The register counts from the operand's first.
Spot spot_in_a(int rows, int depth, int each, int lane, int reg, int element);
Spot spot_in_b(int depth, int each, int lane, int reg, int element);
Spot spot_in_c(int rows, int columns, int lane, int value);

// imm: index in DecodedProgram::products.
const MicroOp* multiply(Warp& warp, const MicroOp* op);

}  // namespace warpshop::emulator::matrix
