// Matrix products of a warpgroup, four warps whose ranks start at a multiple of four:
// wgmma.mma_async. PTX ISA §9.7.15 "Asynchronous Warpgroup Level Matrix Instructions".
//
// Each warp multiplies its 16 rows when it comes here: in a program that fences and waits as it
// must, nothing can tell when the product was made. Until a warp waits for the product's group, a
// write to its factors in shared memory is a finding (checks/copy_watch.h). A product is one
// operation of its four warps: the wait of one ends when all four have issued it, and then all of
// it is over. CUTLASS and FlashAttention-3 rely on that: after the wait, one thread of the four
// warps hands the tile back to the producer (PipelineTmaAsync::consumer_release). A factor in
// shared memory is found by a matrix descriptor. How its fields lay it out: the manual's figures,
// CUTLASS's canonical layouts (cute/arch/mma_sm90_desc.hpp), and an H100 for what both leave open
// (tests/hardware/hopper): the base offset is subtracted from the row that the swizzle uses. Sums
// follow the rules of mma.sync, except those of 8-bit floats: products are truncated 13 places
// after the largest exponent, and so is an f32 sum.
#pragma once

#include "state/micro_op.h"

namespace warpshop::emulator::matrix {

// imm: index in DecodedProgram::warpgroup_products; a, b: u64, descriptors (a: kNoRegister if it is
// in registers); c: predicate scale-d, bit 2 of flags: negated; site of shared memory.
const MicroOp* multiply_in_warpgroup(Warp& warp, const MicroOp* op);
// wgmma.commit_group and, with imm groups that may still be in flight, wgmma.wait_group
const MicroOp* commit_products(Warp& warp, const MicroOp* op);
const MicroOp* wait_for_products(Warp& warp, const MicroOp* op);
// A warp that waits for products waits here, beside the block's barriers, until the other warps of
// its group have issued theirs.
inline constexpr int kProductBarrier = 17;
bool may_end_products(const Warp& warp);  // one that waits there
void end_products(Warp& warp);
// wgmma.fence
const MicroOp* fence_warpgroup(Warp& warp, const MicroOp* op);

}  // namespace warpshop::emulator::matrix
