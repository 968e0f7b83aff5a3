#include "atomic_rounds.h"

#include <bit>

#include "models/atomic_loop.h"

namespace warpshop::models {
namespace {

// Has one of the lanes `done` changed the word that `lane` asks for?
bool is_changed(const WarpRequestView& request, uint32_t done, int lane) {
  const auto word = [&](int of) { return request.address[of] / request.width_bytes; };
  for (; done != 0; done &= done - 1) {
    if (word(std::countr_zero(done)) == word(lane)) return true;
  }
  return false;
}

// A bank admits one lane to the compare-and-swap, the lowest. A half-warp of 8-byte words goes
// after the other: its lanes fail if the first half has changed their word.
AtomicRound spin_round(const WarpRequestView& request) {
  AtomicRound round;
  round.load_lanes = request.active_mask;
  const bool wide = request.width_bytes > kBankBytes;
  const uint64_t columns = kBanks * kBankBytes / request.width_bytes;
  for (const uint32_t half : {wide ? 0xFFFFU : 0xFFFFFFFFU, wide ? 0xFFFF0000U : 0U}) {
    uint32_t taken = 0;
    const uint32_t first_half_done = round.done_lanes;
    for (uint32_t left = request.active_mask & half; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      const uint64_t word = request.address[lane] / request.width_bytes;
      const uint32_t column = 1U << word % columns;
      if ((taken & column) != 0) continue;
      taken |= column;
      round.swap_lanes |= 1U << lane;
      if (!is_changed(request, first_half_done, lane)) round.done_lanes |= 1U << lane;
    }
  }
  return round;
}

// Every lane that is left tries; the first on each word succeeds.
AtomicRound halfword_round(const WarpRequestView& words, bool first) {
  AtomicRound round;
  round.load_lanes = first ? words.active_mask : 0;
  round.swap_lanes = words.active_mask;
  for (uint32_t left = words.active_mask; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (!is_changed(words, round.done_lanes, lane)) round.done_lanes |= 1U << lane;
  }
  return round;
}

}  // namespace

WarpRequest words_of_atomic_loop(const WarpRequestView& request, SharedAccess access) {
  WarpRequest words{.active_mask = request.active_mask, .width_bytes = request.width_bytes};
  for (size_t lane = 0; lane < kLanes; ++lane) words.address[lane] = request.address[lane];
  if (access == SharedAccess::kHalfwordLoop) {
    words.width_bytes = kBankBytes;
    for (uint64_t& address : words.address) address -= address % kBankBytes;
  }
  return words;
}

AtomicRound next_atomic_round(const WarpRequestView& words, SharedAccess access, bool first) {
  return access == SharedAccess::kSpin ? spin_round(words) : halfword_round(words, first);
}

}  // namespace warpshop::models
