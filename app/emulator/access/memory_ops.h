// Handlers of the memory instructions; the decoder picks one by element size, register width and
// list length.
#pragma once

#include "ptx/module.h"
#include "state/memory_flags.h"
#include "state/micro_op.h"

namespace warpshop::emulator {

// element_bytes: 1, 2, 4, 8 or 16; register_bytes: 2, 4, 8 or 16 per lane. nullptr: no such
// handler.
Handler find_load(int element_bytes, bool is_signed, int register_bytes);
// Faster equivalent of find_load for ld.shared of 32 bits per lane, no list, with a base register
// of 32 or 64 bits (shared_loads.cc). nullptr: not supported on this host.
Handler find_shared_word_load(bool base_of_32_bits);
const MicroOp* load_word(Warp& warp, const MicroOp* op);  // find_load(4, false, 4)
Handler find_store(int element_bytes, int register_bytes);
// A load or a store, as wide as its site, of which only the access counts (kWithoutValue).
const MicroOp* access_alone(Warp& warp, const MicroOp* op);

// ld.param of a kernel parameter at a fixed offset: the same value for every lane.
Handler find_load_param(int element_bytes, bool is_signed, int register_bytes);
// ld.param / st.param of a call frame: `imm` is the offset in the function's parameter area.
Handler find_load_frame(int element_bytes, bool is_signed, int register_bytes);
Handler find_store_frame(int element_bytes, int register_bytes);

// Runs after a strong access. imm: its site; for a compare-and-swap d, b: its result and what it
// was compared with, of e bytes.
const MicroOp* after_ordered_access(Warp& warp, const MicroOp* op);
const MicroOp* fence_of_the_block(Warp& warp, const MicroOp* op);
const MicroOp* fence_of_the_grid(Warp& warp, const MicroOp* op);

// Atomics. MicroOp: a, imm, site as above; d result or kNoRegister; b operand, c second operand of
// cas.
enum class AtomicOperation : uint8_t {
  kAdd,
  kMin,
  kMax,
  kInc,
  kDec,
  kAnd,
  kOr,
  kXor,
  kExchange,
  kCompareAndSwap
};
// nullptr: no such atomic.
Handler find_atomic(AtomicOperation operation, ptx::Type type);
// 16-bit floats and vectors: add, min, max of .f16, .bf16, .f16x2, .bf16x2, add of .f32. MicroOp:
// a, imm, site as above; b list of operands; d list of results or kNoRegister.
Handler find_vector_atomic(AtomicOperation operation, ptx::Type type);
// exch.b128 and cas.b128; operands and result as of find_atomic, in 128-bit registers.
Handler find_atomic_128(AtomicOperation operation);

}  // namespace warpshop::emulator
