// Matrix instructions as decoded. The operations are in operations/matrix_product.h and fragment.h.
#pragma once

#include <cstdint>
#include <vector>

namespace warpshop::emulator::matrix {

enum class Element : uint8_t { kF16, kBf16, kTf32, kE4m3, kE5m2, kF64, kS8, kU8, kS4, kU4, kB1 };
enum class Accumulator : uint8_t { kF32, kF16, kS32, kF64 };

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

// wgmma.mma_async: this warp's 16 of 64 rows.
struct WarpgroupProduct {
  Element a = Element::kF16;
  Element b = Element::kF16;
  Accumulator d = Accumulator::kF32;
  int n = 8;
  int k = 16;
  // A factor in shared memory lies in rows along k, or, transposed, in rows along m or n.
  bool transposed_a = false;
  bool transposed_b = false;
  bool negated_a = false;
  bool negated_b = false;
  bool saturate = false;
  bool a_in_registers = false;
  uint32_t list_a = 0;         // then: register list
  std::vector<uint32_t> sums;  // registers; n / 2 per lane, or half of that for f16
  uint32_t addresses = 0;      // scratch register
};

// Row and column of each lane's element in memory order; consecutive lines are `stride` elements
// apart.
struct FragmentPlace {
  uint64_t offset_bytes = 0;  // added to the address
  int16_t line[32] = {};
  int16_t inside[32] = {};  // position in the line
  int bits = 16;            // per element
};

}  // namespace warpshop::emulator::matrix
