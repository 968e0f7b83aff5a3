// Race detection for every access that passed the checks: queries the shadows and reports
// conflicts.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "checks/access_intent.h"
#include "memory/address_math.h"
#include "memory/address_space.h"
#include "ptx/module.h"
#include "shadows/global_shadow.h"
#include "state/micro_op.h"

namespace warpshop::emulator {

struct Launch;

// Accesses of `lanes` to shared memory; `pattern`, if any, describes their addresses. Returns the
// lanes that read memory that no thread of the block has written.
uint32_t watch_shared(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes, AccessIntent intent,
                      const StoreValues* values, const AddressPattern* pattern);

// Likewise for a store that happens at any time from now on: reports conflicts with earlier
// accesses.
void watch_future_write(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes,
                        const StoreValues& values);

// Records what a copy in bulk writes when it arrives; watch_copy_start and the watch of copies in
// flight have reported its conflicts within the block.
void watch_arriving(Warp& issuer, const MicroOp* op, int lane, int bytes, AccessIntent intent,
                    const StoreValues& values);

// Records a read of shared memory that may happen as late as now, at the addresses in
// EmulationThread::access, and reports its races.
void watch_late_read(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes);

// The shared variable at an address; empty: none.
std::string shared_array_at(const Launch& launch, uint64_t address);

// For a store, already recorded, where another block has stored: whether its value `differs` from
// memory's once that block has performed its store, maybe on another emulation thread. Only a
// finding that is new is worth the wait.
bool values_differ(const Warp& warp, const MicroOp* op, ptx::Space space,
                   const std::function<bool()>& differs);

// Which blocks meet is up to the host's threads if there are several. True: the launch ends here,
// for the caller of launch() to repeat it on one.
bool leaves_races_to_one_thread(Launch& launch);

// Global accesses, all in one region: reports conflicts with other blocks.
void watch_global(Warp& warp, const MicroOp* op, const Region& region, const GlobalTouch& touch,
                  AccessIntent intent, const StoreValues* values);
// Reports conflicts with other warps of the block, and between lanes of one store.
void watch_warps(Warp& warp, const MicroOp* op, const Region& region, const GlobalTouch& touch,
                 AccessIntent intent, const StoreValues* values);

}  // namespace warpshop::emulator
