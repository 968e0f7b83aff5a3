// Races between blocks in kernels that order their blocks by fences: see shadows/grid_shadow.h.
#pragma once

#include "checks/access_intent.h"
#include "memory/address_space.h"
#include "shadows/global_shadow.h"
#include "state/micro_op.h"

namespace warpshop::emulator {

// Largest access of a lane: .v8 of 32-bit elements.
inline constexpr size_t kMostAccessBytes = 32;

// True if the store changes memory. The other block may have run on since, but equal values are
// harmless.
bool changes_memory(const Warp& warp, const Region& region, int lane, const StoreValues& values,
                    int bytes);

// A global access, all in one region: reports conflicts with other blocks.
void watch_grid(Warp& warp, const MicroOp* op, const Region& region, const GlobalTouch& touch,
                AccessIntent intent, const StoreValues* values);

}  // namespace warpshop::emulator
