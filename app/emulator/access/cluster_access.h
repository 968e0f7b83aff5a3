// Shared memory of a cluster's blocks: addresses of another block's, and accesses to them.
#pragma once

#include <cstdint>

#include "checks/access_intent.h"
#include "memory/address_space.h"
#include "state/block.h"
#include "state/micro_op.h"
#include "state/warp.h"

namespace warpshop::emulator {

// mapa: d, a: u32, or u64 with kGenericAddress in flags; b: the rank, u32.
// getctarank: d: u32; a as above.
inline constexpr uint32_t kGenericAddress = 1u << 0;
const MicroOp* map_address(Warp& warp, const MicroOp* op);
const MicroOp* rank_of_address(Warp& warp, const MicroOp* op);

// The block whose shared memory an address is in: the warp's own, another of its cluster, or
// nullptr for a rank that the cluster does not have.
Block* owner_of(Warp& warp, uint64_t address);

// Makes the running lanes' addresses of the block's own memory plain ones, and notes the lanes with
// those of other blocks in EmulationThread::remote_lanes. `lanes` have shared addresses.
void settle_ranks(Warp& warp, uint32_t lanes);

// The part of another block's memory that a lane of remote_lanes may access; false: a finding
// explains why it may not.
bool check_remote(Warp& warp, const MicroOp* op, int lane, int bytes, AccessIntent intent,
                  Region& region);
// The region that contains an address that check_remote has admitted.
Region remote_region(Warp& warp, const MicroOp* op, uint64_t address);
// Reports races of the admitted lanes, and their reads of unwritten memory.
void watch_remote_lanes(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes,
                        AccessIntent intent, const StoreValues* values);

}  // namespace warpshop::emulator
