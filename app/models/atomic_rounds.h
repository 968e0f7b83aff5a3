// One round of an atomic's loop on shared memory: the lanes that load, that try to swap, and that
// are done.
#pragma once

#include <cstdint>

#include "models/banks.h"
#include "models/request.h"

namespace warpshop::models {

struct AtomicRound {
  uint32_t load_lanes = 0;
  uint32_t swap_lanes = 0;  // those for which the compare-and-swap passes through the banks
  uint32_t done_lanes = 0;  // those that succeed
};

// What the loop accesses: for half-words, the 4-byte words that contain them.
WarpRequest words_of_atomic_loop(const WarpRequestView& request, SharedAccess access);

// `words`: the lanes that are left.
AtomicRound next_atomic_round(const WarpRequestView& words, SharedAccess access, bool first);

}  // namespace warpshop::models
