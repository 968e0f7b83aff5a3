#include "models/banks.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>

#include "atomic_rounds.h"
#include "lane_groups.h"
#include "lane_pattern.h"
#include "models/atomic_loop.h"

namespace warpshop::models {
namespace {

bool serialises_words(SharedAccess access) {
  return access == SharedAccess::kAtomic || access == SharedAccess::kCompareAndSwap;
}

int passes_factor(SharedAccess access) { return access == SharedAccess::kCompareAndSwap ? 2 : 1; }

BankCounts with_ideal(int wavefronts, const WarpRequestView& request, SharedAccess access) {
  wavefronts *= passes_factor(access);
  return {.wavefronts = wavefronts,
          .ideal_wavefronts = ideal_wavefronts(request, wavefronts, access)};
}

// The words requested from each bank, in order of first request.
class BankTable {
 public:
  // The word's index within its bank; new words are appended.
  int add(uint64_t word) {
    const auto bank = static_cast<size_t>(word % kBanks);
    const int count = count_[bank];
    for (int i = 0; i < count; ++i) {
      if (words_[bank][static_cast<size_t>(i)] == word) return i;
    }
    return append(word);
  }
  // Appends the word even if it was requested before.
  int append(uint64_t word) {
    const auto bank = static_cast<size_t>(word % kBanks);
    words_[bank][static_cast<size_t>(count_[bank])] = word;
    return count_[bank]++;
  }
  int busiest() const { return *std::max_element(count_.begin(), count_.end()); }
  int count(int bank) const { return count_[static_cast<size_t>(bank)]; }

 private:
  // Each lane of a group requests at most one word per bank.
  static constexpr size_t kMost = kLanes;
  std::array<std::array<uint64_t, kMost>, kBanks> words_;  // only the first count_ of each are set
  std::array<int, kBanks> count_{};
};

// The words that a lane contributes to a group. For 8-byte atomics only the first, since both words
// stay together.
uint32_t words_of_lane(const WarpRequestView& request, SharedAccess access) {
  return serialises_words(access) ? 1 : std::max(request.width_bytes / kBankBytes, 1U);
}

// True if each bank is asked for at most one word: the common case, detected without lists.
bool is_free_of_conflicts(const WarpRequestView& request, uint32_t lanes, uint32_t words) {
  std::array<uint64_t, kBanks> word_of_bank;
  uint32_t taken = 0;
  uint64_t other = 0;  // nonzero: two words on one bank
  for (; lanes != 0; lanes &= lanes - 1) {
    const uint64_t first = request.address[std::countr_zero(lanes)] / kBankBytes;
    for (uint64_t word = first; word < first + words; ++word) {
      const uint32_t bank = word % kBanks;
      const uint64_t there = (taken >> bank & 1U) != 0 ? word_of_bank[bank] : word;
      other |= there ^ word;
      word_of_bank[bank] = word;
      taken |= 1U << bank;
    }
  }
  return other == 0;
}

int count_group(const WarpRequestView& request, uint32_t lanes, SharedAccess access) {
  if (!serialises_words(access) &&
      is_free_of_conflicts(request, lanes, words_of_lane(request, access)))
    return 1;
  BankTable table;
  const uint32_t words = words_of_lane(request, access);
  for (; lanes != 0; lanes &= lanes - 1) {
    const uint64_t first = request.address[std::countr_zero(lanes)] / kBankBytes;
    for (uint32_t w = 0; w < words; ++w) {
      if (serialises_words(access)) {
        table.append(first + w);
      } else {
        table.add(first + w);
      }
    }
  }
  return table.busiest();
}

// Closed form for lanes 0..n-1 with a constant stride and words of up to 4 bytes. Returns 0 if it
// does not apply.
int count_strided(const LanePattern& pattern, uint64_t first, uint32_t width) {
  const auto distance = static_cast<uint64_t>(std::llabs(pattern.stride));
  if (distance == 0) return 1;
  if (distance < kBankBytes) {
    // Contiguous bytes or halfwords: at most 32 × 4 bytes, so at most 33 consecutive words.
    const uint64_t steps = static_cast<uint64_t>(pattern.lanes - 1) * distance;
    const uint64_t low = pattern.stride < 0 ? first - steps : first;
    const uint64_t words = (low + steps + width - 1) / kBankBytes - low / kBankBytes + 1;
    return words <= kBanks ? 1 : 0;
  }
  if (distance % kBankBytes != 0) return 0;
  // n words with a stride of d words fall on 32 / gcd(d, 32) banks in turn.
  const int banks = kBanks / static_cast<int>(std::gcd(distance / kBankBytes, uint64_t{kBanks}));
  return (pattern.lanes + banks - 1) / banks;
}

// True if lanes 0..n-1 access contiguous 8- or 16-byte elements: 128 bytes per wavefront.
bool is_dense_wide(const LanePattern& pattern, const WarpRequestView& request) {
  return request.width_bytes > 4 && pattern.lanes > 2 &&
         pattern.stride == static_cast<int64_t>(request.width_bytes);
}

// Appends the passes of a single instruction.
void append_passes(const WarpRequest& request, SharedAccess access, BankResult& result) {
  const WarpRequestView view = request;
  const int factor = passes_factor(access);
  const uint32_t all_words = std::max(request.width_bytes / kBankBytes, 1U);
  const uint32_t words = words_of_lane(view, access);
  const LaneGroups groups = lane_groups(view, access);
  for (int g = 0; g < groups.count; ++g) {
    BankTable table;
    const size_t first_pass = result.passes.size();
    for (uint32_t lanes = groups.lanes[static_cast<size_t>(g)]; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<size_t>(std::countr_zero(lanes));
      const uint64_t first = request.address[lane] / kBankBytes;
      int place = 0;
      for (uint32_t w = 0; w < all_words; ++w) {
        if (w < words) {
          place = serialises_words(access) ? table.append(first + w) : table.add(first + w);
        }
        const size_t pass = first_pass + static_cast<size_t>(place * factor);
        while (result.passes.size() < pass + static_cast<size_t>(factor)) {
          result.passes.emplace_back();
          result.passes.back().word.fill(-1);
        }
        for (size_t p = pass; p < pass + static_cast<size_t>(factor); ++p) {
          const size_t bank = (first + w) % kBanks;
          result.passes[p].word[bank] = static_cast<int64_t>(first + w);
          result.passes[p].lanes[bank] |= 1U << lane;
        }
        result.lane_pass[lane][w] = static_cast<int>(pass);
      }
    }
  }
}

// Appends the passes of each round; a lane's pass is the one in which its compare-and-swap
// succeeds.
void append_loop(const WarpRequest& request, SharedAccess access, BankResult& result) {
  WarpRequest left = words_of_atomic_loop(request, access);
  for (bool first = true; left.active_mask != 0; first = false) {
    const AtomicRound round = next_atomic_round(left, access, first);
    WarpRequest part = left;
    part.active_mask = round.load_lanes;
    append_passes(part, SharedAccess::kLoad, result);
    part.active_mask = round.swap_lanes;
    append_passes(part, SharedAccess::kCompareAndSwap, result);
    left.active_mask &= ~round.done_lanes;
  }
}

}  // namespace

int ideal_wavefronts(const WarpRequestView& request, int wavefronts, SharedAccess access) {
  const uint32_t bytes = static_cast<uint32_t>(request.active_lanes()) * request.width_bytes;
  const int ideal = static_cast<int>((bytes + kWavefrontBytes - 1) / kWavefrontBytes);
  return std::min(ideal * passes_factor(access), wavefronts);
}

BankCounts count_wavefronts(const WarpRequestView& request, SharedAccess access) {
  if (request.active_mask == 0) return {};
  if (is_atomic_loop(access)) return count_atomic_loop(request, access).total();
  const LanePattern pattern = find_pattern(request);
  if (pattern.lanes > 0 && !serialises_words(access)) {
    if (request.width_bytes <= 4) {
      const int wavefronts = count_strided(pattern, request.address[0], request.width_bytes);
      if (wavefronts > 0) return with_ideal(wavefronts, request, access);
    } else if (is_dense_wide(pattern, request)) {
      const int lanes_per_group = static_cast<int>(kWavefrontBytes / request.width_bytes);
      return with_ideal((pattern.lanes + lanes_per_group - 1) / lanes_per_group, request, access);
    }
  }
  const LaneGroups groups = lane_groups(request, access);
  int wavefronts = 0;
  for (int g = 0; g < groups.count; ++g) {
    wavefronts += count_group(request, groups.lanes[static_cast<size_t>(g)], access);
  }
  return with_ideal(wavefronts, request, access);
}

BankResult explain_banks(const WarpRequest& request, SharedAccess access) {
  BankResult result;
  result.counts = count_wavefronts(request, access);
  for (auto& passes : result.lane_pass) passes.fill(-1);

  if (is_atomic_loop(access)) {
    append_loop(request, access, result);
  } else {
    append_passes(request, access, result);
  }

  // Degree over the whole request, regardless of its passes.
  const uint32_t all_words = std::max(request.width_bytes / kBankBytes, 1U);
  std::vector<uint64_t> distinct;
  for (uint32_t lanes = request.active_mask; lanes != 0; lanes &= lanes - 1) {
    const uint64_t first =
        request.address[static_cast<size_t>(std::countr_zero(lanes))] / kBankBytes;
    for (uint32_t w = 0; w < all_words; ++w) distinct.push_back(first + w);
  }
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (const uint64_t word : distinct) ++result.degree[word % kBanks];
  return result;
}

}  // namespace warpshop::models
