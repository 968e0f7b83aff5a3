// Input and output of the race shadows of shared memory.
#pragma once

#include <cstdint>

namespace warpshop::emulator {

// The parts of the running warp's state that the shadow needs.
struct ShadowWarp {
  uint32_t first_thread = 0;  // of the block: 32 × warp
  uint32_t order = 0;         // __syncwarps so far
  bool lockstep = false;  // before compute capability 7.0: a warp's lanes are ordered implicitly
};

// A warp's access; addresses are in range and aligned to `bytes`.
struct ShadowAccess {
  const uint64_t* address = nullptr;
  uint32_t mask = 0;
  int bytes = 4;  // per lane
  uint32_t site = 0;
  bool atomic = false;
  // 4 for lanes that share their address with another lane; nullptr with sharers_known: none do.
  const uint64_t* sharer = nullptr;
  bool sharers_known = false;
  // With sharers: the first lane of each address.
  const uint8_t* distinct = nullptr;
  int distinct_count = 0;
  bool contiguous = false;  // all lanes, lane l at address[0] + l × bytes
};

// A pair of accesses that may race. For writes, the values must be compared as well.
struct Hazard {
  int lane = -1;         // of the running access
  uint64_t address = 0;  // of the granule
  uint32_t other_thread = 0;
  uint32_t other_site = 0;
  bool other_wrote = false;
  bool other_atomic = false;  // with other_wrote: an atomic, and no racing plain store is known
  bool locked = false;        // a lock orders them, but it has no fence
  // An mbarrier object orders them if the lane that arrived there stands for its warp.
  bool elected = false;
  bool needs_values = false;  // write after write: a race only if the values differ
};

}  // namespace warpshop::emulator
