#include "models/atomic_loop.h"

#include "atomic_rounds.h"

namespace warpshop::models {

bool is_atomic_loop(SharedAccess access) {
  return access == SharedAccess::kSpin || access == SharedAccess::kHalfwordLoop;
}

AtomicLoopCounts count_atomic_loop(const WarpRequestView& request, SharedAccess access) {
  AtomicLoopCounts counts;
  const auto add = [](BankCounts& to, const BankCounts& from) {
    to.wavefronts += from.wavefronts;
    to.ideal_wavefronts += from.ideal_wavefronts;
  };
  WarpRequest left = words_of_atomic_loop(request, access);
  for (; left.active_mask != 0; ++counts.rounds) {
    const AtomicRound round = next_atomic_round(left, access, counts.rounds == 0);
    WarpRequest part = left;
    part.active_mask = round.load_lanes;
    if (round.load_lanes != 0) ++counts.load_instructions;
    add(counts.loads, count_wavefronts(part, SharedAccess::kLoad));
    part.active_mask = round.swap_lanes;
    BankCounts swaps = count_wavefronts(part, SharedAccess::kCompareAndSwap);
    // The ideal is that of all lanes that are left: they all execute the instruction.
    swaps.ideal_wavefronts =
        ideal_wavefronts(left, swaps.wavefronts, SharedAccess::kCompareAndSwap);
    add(counts.swaps, swaps);
    left.active_mask &= ~round.done_lanes;
  }
  return counts;
}

}  // namespace warpshop::models
