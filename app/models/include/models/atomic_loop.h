// Atomics on shared memory that the back end expands into a loop, for compute capability 5.0 and
// newer: a load, the operation, a compare-and-swap, until every lane has been served.
//
// Source: SASS of ptxas 13.0 (LDS, ATOMS.CAST.SPIN, ATOMS.CAS) and the H200's counters,
// docs/models.md "Atomics and reductions".
#pragma once

#include "models/banks.h"
#include "models/request.h"

namespace warpshop::models {

// True if `access` runs as a loop: kSpin and kHalfwordLoop.
bool is_atomic_loop(SharedAccess access);

struct AtomicLoopCounts {
  int rounds = 0;
  int load_instructions = 0;  // one in each round; kHalfwordLoop: one before the first
  BankCounts loads;
  BankCounts swaps;
  BankCounts total() const {
    return {.wavefronts = loads.wavefronts + swaps.wavefronts,
            .ideal_wavefronts = loads.ideal_wavefronts + swaps.ideal_wavefronts};
  }
};

// `access` must be a loop.
AtomicLoopCounts count_atomic_loop(const WarpRequestView& request, SharedAccess access);

}  // namespace warpshop::models
