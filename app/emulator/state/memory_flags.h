// Operands and flags of memory instructions.
#pragma once

#include <cstdint>

#include "ptx/module.h"
#include "state/micro_op.h"

namespace warpshop::emulator {

// MicroOp of a memory instruction:
//   a      base register, or kNoRegister; flags say whether it holds 32 or 64 bits
//   imm    byte offset
//   d      destination or source register; with kList: index of a RegisterList
//   site   access site
enum MemoryFlag : uint32_t {
  kBase32 = 1u << 4,
  kList = 1u << 5,
  kLocalFrame = 1u << 6,  // the address of a .local variable: relative to the function's frame
  kSpaceShift = 8,        // ptx::Space in bits 8..15
  // "Strong" loads and stores, which do not race with each other or with atomics. PTX ISA §8.
  kStrong = 1u << 16,        // .relaxed, .acquire, .release, .mmio
  kVolatile = 1u << 17,      // .volatile: strong as well, but does not replace a block's barrier
  kClusterSpace = 1u << 18,  // .shared::cluster: may be the memory of another block of the cluster
  kWithoutValue = 1u << 19,  // only the access counts: nothing is moved, or checked for races
};
inline uint32_t space_flag(ptx::Space space) { return static_cast<uint32_t>(space) << kSpaceShift; }
// The space written in the instruction.
inline ptx::Space written_space(const MicroOp* op) {
  return static_cast<ptx::Space>((op->flags >> kSpaceShift) & 0xffu);
}

}  // namespace warpshop::emulator
