// Handlers of control flow: basic blocks, branches, exits, barriers, calls and the stack.
#pragma once

#include <cstdint>

#include "state/micro_op.h"

namespace warpshop::emulator::control {

const MicroOp* enter_block(Warp& warp, const MicroOp* op);
const MicroOp* enter_reconvergence_block(Warp& warp, const MicroOp* op);
const MicroOp* branch(Warp& warp, const MicroOp* op);
const MicroOp* branch_if(Warp& warp, const MicroOp* op);
const MicroOp* branch_indexed(Warp& warp, const MicroOp* op);
const MicroOp* exit_lanes(Warp& warp, const MicroOp* op);
const MicroOp* exit_guarded(Warp& warp, const MicroOp* op);
const MicroOp* trap(Warp& warp, const MicroOp* op);
const MicroOp* barrier(Warp& warp, const MicroOp* op);
const MicroOp* cluster_arrive(Warp& warp, const MicroOp* op);
const MicroOp* cluster_wait(Warp& warp, const MicroOp* op);
const MicroOp* barrier_result(Warp& warp, const MicroOp* op);
const MicroOp* call(Warp& warp, const MicroOp* op);
// a: u64, the pointer; imm: index of a CallSite with `sites`.
const MicroOp* call_indirect(Warp& warp, const MicroOp* op);
// d, a: u32 or u64 (flags: bytes of a lane); imm: alignment.
const MicroOp* alloca_bytes(Warp& warp, const MicroOp* op);
const MicroOp* stack_save(Warp& warp, const MicroOp* op);
const MicroOp* stack_restore(Warp& warp, const MicroOp* op);
// Saves the bytes taken so far in alloca_mark.
const MicroOp* alloca_enter(Warp& warp, const MicroOp* op);
void alloca_leave(Warp& warp);
const MicroOp* return_from_call(Warp& warp, const MicroOp* op);
// Flags of a barrier micro-op. The id is in `a` (kIdInRegister) or `imm`'s low half, the thread
// count in `b` (kCountInRegister) or imm's high half, the predicate of bar.red in `c`.
enum BarrierFlag : uint32_t {
  kPredicateNegated = 1u << 2,
  kIdInRegister = 1u << 8,
  kCountInRegister = 1u << 9,
  kArriveOnly = 1u << 10,
  kReduce = 1u << 11,
  kAnyLanes = 1u << 12,  // barrier.sync without .aligned: lanes may come one by one
};
enum class BarrierResult : uint32_t { kCount, kAll, kAny };  // MicroOp::flags of barrier_result
}  // namespace warpshop::emulator::control
