// What wmma.load and wmma.store are made of, besides ordinary loads and stores, ldmatrix and movmatrix: the place in
// memory of each lane's part of a fragment, and bytes put together. Which parts there are: decode/decode_wmma.cc.
#pragma once

#include <cstdint>

#include "run/micro_op.h"

namespace warpshop::emulator::matrix {

// Of each lane's element: rows and columns as they lie in memory, lines being a stride of elements apart.
struct FragmentPlace {
  uint64_t offset_bytes = 0;   // added to the address
  int16_t line[32] = {};
  int16_t inside[32] = {};     // the line
  int bits = 16;               // of an element
};

// d, u64: the address of each lane's part. a and flags as of a memory access; b: u32, the stride; imm: index in
// DecodedProgram::fragment_places.
const MicroOp* place_fragment(Warp& warp, const MicroOp* op);
// d, u32: the low bytes of the four u32 registers of list `a`, the first lowest.
const MicroOp* pack_bytes(Warp& warp, const MicroOp* op);

}  // namespace warpshop::emulator::matrix
