// What the watches for races in shared memory are told and tell.
#pragma once

#include <cstdint>

namespace warpshop::emulator {

// The running warp, as the shadow needs it.
struct ShadowWarp {
  uint32_t first_thread = 0;    // of the block: 32 × warp
  uint32_t order = 0;           // __syncwarps so far
  bool lockstep = false;        // before compute capability 7.0: lanes of a warp are ordered by themselves
};

// A warp's access; addresses are in range and aligned to `bytes`.
struct ShadowAccess {
  const uint64_t* address = nullptr;
  uint32_t mask = 0;
  int bytes = 4;                // a lane
  uint32_t site = 0;
  bool atomic = false;
  // 4 for lanes whose address another lane has too; nullptr with sharers_known: no lane has another's.
  const uint64_t* sharer = nullptr;
  bool sharers_known = false;
  // With sharers: the lanes that are the first with their address.
  const uint8_t* distinct = nullptr;
  int distinct_count = 0;
  bool contiguous = false;      // all lanes, lane l at address[0] + l × bytes
};

// A pair of accesses that may race. A write has to be compared with what is there before it counts.
struct Hazard {
  int lane = -1;                // of the running access
  uint64_t address = 0;         // of the granule
  uint32_t other_thread = 0;
  uint32_t other_site = 0;
  bool other_wrote = false;
  bool other_atomic = false;    // with other_wrote: by an atomic, and no plain store is known to race beside it
  bool needs_values = false;    // write after write: a race only if the values differ
};

}  // namespace warpshop::emulator
