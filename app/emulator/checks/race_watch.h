// Looks for races behind every access that passed the checks: asks the shadows, and makes a finding of what they met.
#pragma once

#include <cstdint>

#include "memory/access_check.h"
#include "memory/address_math.h"

namespace warpshop::emulator {

// Accesses of `lanes` to shared memory; `pattern`, where given, is that of their addresses. Gives the lanes that read
// what no thread of the block has written.
uint32_t watch_shared(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes, AccessIntent intent,
                      const StoreValues* values, const AddressPattern* pattern);

// Global accesses, all in one region: does another block meet them?
void watch_global(Warp& warp, const MicroOp* op, const Region& region, const GlobalTouch& touch, AccessIntent intent,
                  const StoreValues* values);
// Does another warp of the block, or another lane of the same store?
void watch_warps(Warp& warp, const MicroOp* op, const Region& region, const GlobalTouch& touch, AccessIntent intent,
                 const StoreValues* values);

}  // namespace warpshop::emulator
