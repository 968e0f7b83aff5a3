// Looks for races behind every access that passed the checks: asks the shadows, and makes a finding of what they met.
#pragma once

#include <cstdint>
#include <string>

#include "memory/access_check.h"
#include "memory/address_math.h"

namespace warpshop::emulator {

// Accesses of `lanes` to shared memory; `pattern`, where given, is that of their addresses. Gives the lanes that read
// what no thread of the block has written.
uint32_t watch_shared(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes, AccessIntent intent,
                      const StoreValues* values, const AddressPattern* pattern);

// Likewise of a store that is made later, and at any time until then: does it meet what has been done there?
void watch_future_write(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes, const StoreValues& values);

// The shared variable at an address; empty: none.
std::string shared_array_at(const Launch& launch, uint64_t address);

// Global accesses, all in one region: does another block meet them?
void watch_global(Warp& warp, const MicroOp* op, const Region& region, const GlobalTouch& touch, AccessIntent intent,
                  const StoreValues* values);
// Does another warp of the block, or another lane of the same store?
void watch_warps(Warp& warp, const MicroOp* op, const Region& region, const GlobalTouch& touch, AccessIntent intent,
                 const StoreValues* values);

}  // namespace warpshop::emulator
