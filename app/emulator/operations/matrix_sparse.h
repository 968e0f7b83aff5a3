// Sparse products, mma.sp: only half of A is stored; metadata gives the columns of the stored
// elements. PTX ISA §9.7.14.6 "Matrix multiply-accumulate operation using mma.sp instruction with
// sparse matrix A".
#pragma once

#include <cstdint>

#include "operations/matrix_product.h"

namespace warpshop::emulator::matrix {

// of[row][i]: column in A of the i-th stored element of a row.
struct Positions {
  static constexpr int kMost = 32;
  uint8_t of[16][kMost];
};

// Distribution of metadata, with g = lane / 4 and t = lane % 4 (the manual's figures of metadata):
//   16-bit and tf32 elements: a thread's low half belongs to row g, its high half to row g + 8.
//     A row of 16 bits is in thread t = selector, one of 32 bits in threads 2 selector and
//     2 selector + 1.
//   8-bit elements: row g is in thread t = 2 u, row g + 8 in t = 2 u + 1; u is the selector for
//     rows of 32 bits, and the half of the row for rows of 64.
// Two of four neighbouring elements are stored, with two bits each; for tf32 one of two, with four:
// 0b0100 for the first, 0b1110 for the second.
Positions positions_of(Warp& warp, const Product& p);

}  // namespace warpshop::emulator::matrix
