#include "models/bank_generations.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "lane_groups.h"

namespace warpshop::models {
namespace {

// Lanes that are served by the banks together, and which of their 4-byte words.
struct Part {
  uint32_t lanes = 0;
  uint32_t first_word = 0;
  uint32_t words = 1;
};

uint32_t words_of_width(uint32_t width) { return std::max(width / kBankBytes, 1U); }

uint64_t word_of(const WarpRequest& request, size_t lane, uint32_t w) {
  return request.address[lane] / kBankBytes + w;
}

// Parts in service order; those without active lanes are omitted.
std::vector<Part> parts_of(BankRule rule, const WarpRequest& request) {
  const uint32_t width = request.width_bytes;
  const uint32_t words = words_of_width(width);
  // Bytes that all banks serve together in one pass: 32 × 4 on 2.x, 32 × 8 on 3.x.
  const uint32_t bytes_at_once = rule == BankRule::kMulticast32 ? 128 : 256;
  const bool word_by_word = rule == BankRule::kHalfWarps16;
  const uint32_t lanes = word_by_word ? 16 : std::min(bytes_at_once / width, 32U);
  const auto ones = static_cast<uint32_t>((uint64_t{1} << lanes) - 1);
  const uint32_t instructions = word_by_word ? words : 1;
  std::vector<Part> parts;
  for (uint32_t i = 0; i < instructions; ++i) {
    for (uint32_t first = 0; first < kLanes; first += lanes) {
      const uint32_t active = request.active_mask & ones << first;
      if (active != 0) parts.push_back({active, i, word_by_word ? 1 : words});
    }
  }
  return parts;
}

class Builder {
 public:
  Builder(BankRule rule, const WarpRequest& request) : request_(request) {
    result_.rule = rule;
    for (auto& banks : result_.lane_bank) banks.fill(-1);
    for (auto& passes : result_.lane_pass) passes.fill(-1);
  }

  // Records that pass `place` of the part serves the lane's word.
  void serve(size_t lane, uint32_t w, size_t place) {
    const uint64_t word = word_of(request_, lane, w);
    const auto bank = static_cast<size_t>(bank_of_word(result_.rule, word));
    const size_t pass = begin_ + place;
    while (result_.passes.size() <= pass) {
      result_.passes.push_back({.part = result_.parts});
      result_.passes.back().row.fill(-1);
    }
    result_.passes[pass].row[bank] = static_cast<int64_t>(row_of_word(result_.rule, word));
    result_.passes[pass].lanes[bank] |= 1U << lane;
    result_.lane_bank[lane][w] = static_cast<int>(bank);
    result_.lane_pass[lane][w] = static_cast<int>(pass);
  }
  void end_part() {
    result_.ways = std::max(result_.ways, static_cast<int>(result_.passes.size() - begin_));
    begin_ = result_.passes.size();
    ++result_.parts;
  }
  GenerationBankResult& result() { return result_; }

 private:
  const WarpRequest& request_;
  GenerationBankResult result_;
  size_t begin_ = 0;  // first pass of the part
};

// --- 1.x ---

// The word requested by most of the remaining lanes; the lowest lane's if there is a tie.
uint64_t broadcast_word(const WarpRequest& request, const Part& part, uint32_t left) {
  uint64_t best = 0;
  int most = 0;
  for (uint32_t i = left; i != 0; i &= i - 1) {
    const uint64_t word =
        word_of(request, static_cast<size_t>(std::countr_zero(i)), part.first_word);
    int count = 0;
    for (uint32_t j = left; j != 0; j &= j - 1) {
      const auto lane = static_cast<size_t>(std::countr_zero(j));
      count += word_of(request, lane, part.first_word) == word ? 1 : 0;
    }
    if (count > most) {
      most = count;
      best = word;
    }
  }
  return best;
}

// Each step serves the broadcast word (loads) and one address of every other bank. Among lanes that
// store to the same address only one performs the write, so they take one step.
void serve_half_warp(const WarpRequest& request, const Part& part, SharedAccess access,
                     Builder& builder) {
  const BankRule rule = BankRule::kHalfWarps16;
  uint32_t left = part.lanes;
  for (size_t step = 0; left != 0; ++step) {
    std::array<int, kBanks> owner;  // lane whose address the bank serves; -1: none yet
    owner.fill(-1);
    uint32_t served = 0;
    const bool is_load = access == SharedAccess::kLoad;
    const uint64_t broadcast = is_load ? broadcast_word(request, part, left) : 0;
    for (uint32_t i = left; i != 0; i &= i - 1) {
      const int lane = std::countr_zero(i);
      const auto at = static_cast<size_t>(lane);
      const uint64_t word = word_of(request, at, part.first_word);
      const auto bank = static_cast<size_t>(bank_of_word(rule, word));
      bool goes = false;
      if (is_load && bank == static_cast<size_t>(bank_of_word(rule, broadcast))) {
        goes = word == broadcast;
      } else if (owner[bank] < 0) {
        goes = true;
        owner[bank] = lane;
      } else if (access == SharedAccess::kStore) {
        goes = request.address[static_cast<size_t>(owner[bank])] == request.address[at];
      }
      if (!goes) continue;
      served |= 1U << lane;
      builder.serve(at, part.first_word, step);
    }
    left &= ~served;
  }
}

// --- 2.x and 3.x ---

// A bank serves the requested rows one after another, in lane order; for atomics, one lane at a
// time.
void serve_by_rows(const WarpRequest& request, const Part& part, SharedAccess access,
                   Builder& builder) {
  const BankRule rule = builder.result().rule;
  const bool multicast = access == SharedAccess::kLoad || access == SharedAccess::kStore;
  struct Turn {
    uint64_t row;
    int lane;
  };
  std::array<std::vector<Turn>, kBanks> turns;
  for (uint32_t i = part.lanes; i != 0; i &= i - 1) {
    const int lane = std::countr_zero(i);
    for (uint32_t w = 0; w < part.words; ++w) {
      const uint64_t word = word_of(request, static_cast<size_t>(lane), w);
      auto& bank = turns[static_cast<size_t>(bank_of_word(rule, word))];
      const uint64_t row = row_of_word(rule, word);
      const auto found = std::find_if(bank.begin(), bank.end(), [&](const Turn& turn) {
        return turn.row == row && (multicast || turn.lane == lane);
      });
      const auto place = static_cast<size_t>(found - bank.begin());
      if (found == bank.end()) bank.push_back({row, lane});
      builder.serve(static_cast<size_t>(lane), w, place);
    }
  }
}

// --- 5.0 and newer ---

GenerationBankResult measured(const WarpRequest& request, SharedAccess access) {
  const BankResult from = explain_banks(request, access);
  const LaneGroups groups = lane_groups(request, access);
  GenerationBankResult result;
  result.rule = BankRule::kMeasuredBanks;
  result.parts = groups.count;
  std::array<int, 4> passes_of{};
  for (const BankPass& pass : from.passes) {
    GenerationPass to{.part = 0, .row = pass.word, .lanes = pass.lanes};
    while ((groups.lanes[static_cast<size_t>(to.part)] & to.all_lanes()) == 0) ++to.part;
    result.ways = std::max(result.ways, ++passes_of[static_cast<size_t>(to.part)]);
    result.passes.push_back(to);
  }
  result.lane_pass = from.lane_pass;
  for (size_t lane = 0; lane < kLanes; ++lane) {
    for (uint32_t w = 0; w < 4; ++w) {
      result.lane_bank[lane][w] =
          from.lane_pass[lane][w] < 0 ? -1 : bank_of_word(result.rule, word_of(request, lane, w));
    }
  }
  return result;
}

// --- Common to all generations ---

void find_degree(const WarpRequest& request, GenerationBankResult& result) {
  std::array<std::vector<uint64_t>, kBanks> rows;
  for (uint32_t i = request.active_mask; i != 0; i &= i - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(i));
    for (uint32_t w = 0; w < words_of_width(request.width_bytes); ++w) {
      const uint64_t word = word_of(request, lane, w);
      auto& bank = rows[static_cast<size_t>(bank_of_word(result.rule, word))];
      const uint64_t row = row_of_word(result.rule, word);
      if (std::find(bank.begin(), bank.end(), row) == bank.end()) bank.push_back(row);
    }
  }
  for (size_t bank = 0; bank < rows.size(); ++bank) {
    result.degree[bank] = static_cast<int>(rows[bank].size());
  }
}

// A broadcast is one word read by several lanes. On 3.x (by 4), two lanes that read the two words
// of one row are not a broadcast.
void find_broadcasts(const WarpRequest& request, GenerationBankResult& result) {
  struct Words {
    std::array<std::array<uint32_t, 2>, kBanks> lanes{};
  };
  std::vector<Words> of_pass(result.passes.size());
  for (size_t lane = 0; lane < kLanes; ++lane) {
    for (uint32_t w = 0; w < 4; ++w) {
      if (result.lane_pass[lane][w] < 0) continue;
      const auto pass = static_cast<size_t>(result.lane_pass[lane][w]);
      const auto bank = static_cast<size_t>(result.lane_bank[lane][w]);
      const size_t upper =
          result.rule == BankRule::kWideBanksBy4 ? word_of(request, lane, w) / 32 % 2 : 0;
      uint32_t& lanes = of_pass[pass].lanes[bank][upper];
      lanes |= 1U << lane;
      if (std::popcount(lanes) > 1) result.passes[pass].broadcast |= 1U << bank;
    }
  }
}

}  // namespace

BankRule bank_rule_of(ComputeCapability capability, uint32_t bank_bytes) {
  switch (capability.major) {
    case 1:
      return BankRule::kHalfWarps16;
    case 2:
      return BankRule::kMulticast32;
    case 3:
      return bank_bytes == 8 ? BankRule::kWideBanksBy8 : BankRule::kWideBanksBy4;
    default:
      return BankRule::kMeasuredBanks;
  }
}

BankRule bank_rule_of(const GpuProfile& gpu) {
  return bank_rule_of(gpu.capability, gpu.bank_bytes);
}

int bank_count(BankRule rule) { return rule == BankRule::kHalfWarps16 ? 16 : kBanks; }

int bank_of_word(BankRule rule, uint64_t word) {
  const uint64_t unit = rule == BankRule::kWideBanksBy8 ? word / 2 : word;
  return static_cast<int>(unit % static_cast<uint64_t>(bank_count(rule)));
}

uint64_t row_of_word(BankRule rule, uint64_t word) {
  if (rule == BankRule::kWideBanksBy4) return word / 64;
  return rule == BankRule::kWideBanksBy8 ? word / 2 : word;
}

uint32_t GenerationPass::all_lanes() const {
  uint32_t all = 0;
  for (const uint32_t of_bank : lanes) all |= of_bank;
  return all;
}

GenerationBankResult explain_bank_generation(BankRule rule, const WarpRequest& request,
                                             SharedAccess access) {
  GenerationBankResult result;
  if (rule == BankRule::kMeasuredBanks) {
    result = measured(request, access);
  } else {
    Builder builder(rule, request);
    for (const Part& part : parts_of(rule, request)) {
      if (rule == BankRule::kHalfWarps16) {
        serve_half_warp(request, part, access, builder);
      } else {
        serve_by_rows(request, part, access, builder);
      }
      builder.end_part();
    }
    result = std::move(builder.result());
    const bool adds_one = rule == BankRule::kMulticast32 && request.width_bytes == 16;
    if (adds_one && result.ways > 0) ++result.ways;
  }
  find_degree(request, result);
  if (access == SharedAccess::kLoad) find_broadcasts(request, result);
  return result;
}

std::string_view words_of(BankRule rule) {
  switch (rule) {
    case BankRule::kHalfWarps16:
      return "16 banks of 4 bytes serve a half-warp; in each step one word is broadcast, and every "
             "other bank serves one address";
    case BankRule::kMulticast32:
      return "32 banks of 4 bytes serve a warp; in each pass a bank serves one word, for any "
             "number of lanes";
    case BankRule::kWideBanksBy4:
      return "32 banks of 8 bytes serve a warp; in each pass a bank serves the words i and i + 32 "
             "of an aligned segment of 64 words";
    case BankRule::kWideBanksBy8:
      return "32 banks of 8 bytes serve a warp; in each pass a bank serves one 8-byte word, for "
             "any number of lanes";
    case BankRule::kMeasuredBanks:
      break;
  }
  return "32 banks of 4 bytes serve a warp; in each wavefront a bank serves one word, for any "
         "number of lanes";
}

}  // namespace warpshop::models
