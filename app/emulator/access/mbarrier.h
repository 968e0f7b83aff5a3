// mbarrier objects: 64 bits of shared memory that count arrivals and bytes of asynchronous copies
// by phase. PTX ISA §9.7.13.15 "mbarrier". The layout of the bits is unspecified there; here:
//   0..19 pending arrivals · 20..39 expected arrivals per phase · 40..61 outstanding bytes (two's
//   complement) · 62 always set, so that a state is never zero · 63 parity of the current phase
#pragma once

#include <string_view>

#include "state/micro_op.h"

namespace warpshop::emulator::mbarrier {

// MicroOp of all: a, imm, flags, site as for a memory access; d result (state 64 bits, or
// predicate) or kNoRegister; b 32-bit count or parity, or 64-bit state.
const MicroOp* init(Warp& warp, const MicroOp* op);
const MicroOp* invalidate(Warp& warp, const MicroOp* op);
const MicroOp* arrive(Warp& warp, const MicroOp* op);         // b: arrivals
const MicroOp* arrive_drop(Warp& warp, const MicroOp* op);    // b: arrivals
const MicroOp* arrive_expect(Warp& warp, const MicroOp* op);  // b: bytes; one arrival
const MicroOp* arrive_drop_expect(Warp& warp, const MicroOp* op);
const MicroOp* expect(Warp& warp, const MicroOp* op);    // b: bytes
const MicroOp* complete(Warp& warp, const MicroOp* op);  // b: bytes
// Bytes of a copy have arrived; the object at this address of the block's shared memory counts
// them.
void complete_bytes(Warp& warp, uint64_t address, uint32_t bytes);
// cp.async.mbarrier.arrive; only the address.
const MicroOp* copies_arrived(Warp& warp, const MicroOp* op);
const MicroOp* copies_arrived_noinc(Warp& warp, const MicroOp* op);
const MicroOp* test_state(Warp& warp, const MicroOp* op);     // b: state
const MicroOp* test_parity(Warp& warp, const MicroOp* op);    // b: parity
const MicroOp* pending_count(Warp& warp, const MicroOp* op);  // d: 32 bits; b: state; no access

}  // namespace warpshop::emulator::mbarrier
