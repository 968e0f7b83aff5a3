// A decoded instruction, and the part of a warp's state that lane-wise handlers see.
//
// A register is an array of 32 lanes in the warp's frame, found by its byte offset:
//   16-bit     uint16_t[32], 64 bytes
//   32-bit     uint32_t[32], 128 bytes
//   64-bit     uint64_t[32], 256 bytes
//   128-bit    two uint64_t[32], low halves first, 512 bytes
//   predicate  uint32_t, bit l for lane l, 4 bytes
// All but predicates are 64-byte aligned. 8-bit registers (.b8) are stored as 16-bit ones. Constant
// operands are registers too: decoding broadcasts them into the frame's constant area, so handlers
// need no case for immediates.
#pragma once

#include <cstdint>

namespace warpshop::emulator {

struct MicroOp;
struct Warp;

// Executes one micro-op for the active lanes and returns the next one; nullptr yields to the
// scheduler (barrier, exit, end of the time slice).
using Handler = const MicroOp* (*)(Warp& warp, const MicroOp* op);

// Of operations that access no memory which others may see: those beside an access, decoded from
// the same instruction, and accesses of the function's own frame.
inline constexpr uint32_t kNoSite = 0xffffffffu;

struct MicroOp {
  Handler run = nullptr;
  uint32_t d = 0;  // destination, byte offset in the frame
  uint32_t a = 0;  // sources, byte offsets in the frame
  uint32_t b = 0;
  uint32_t c = 0;
  uint32_t e = 0;            // fourth source, or the second destination of p|q
  uint32_t flags = 0;        // bit 0/1/2/3: source predicate a/b/c/e is negated; others by handler
  uint64_t imm = 0;          // a number for the handler (lop3's table, an offset, a target)
  int32_t instruction = -1;  // index in the function's body, for findings; -1: none
  uint32_t site = kNoSite;   // index of the access site of memory operations
};

inline constexpr uint32_t kNoRegister = 0xffffffffu;  // the destination `_`

// The only part of a warp that lane-wise handlers read and write.
struct LaneState {
  uint8_t* frame = nullptr;  // registers of the running function
  uint32_t mask = 0;         // active lanes
  bool full = false;         // mask == 0xffffffff
  uint32_t active = 0;       // lanes in mask
  uint32_t carry = 0;        // CC.CF, bit l for lane l (PTX ISA §9.7.2)
  // All ones for active lanes, zero for others; valid when !full.
  alignas(64) uint32_t lane_mask[32];
};

}  // namespace warpshop::emulator
