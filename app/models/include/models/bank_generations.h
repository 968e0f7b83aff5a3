// Shared-memory banks of every generation, with one result type so that a panel can draw any GPU.
// For 5.0 and newer this forwards to models/banks.h.
//
//   capability  banks   split into               what a bank serves per pass
//   1.x         16 × 4  half-warps, and one      the broadcast word to all its lanes; every
//                       part per 4-byte word     other bank serves one lane's address
//   2.x         32 × 4  8 bytes: half-warps,     one word, for any number of lanes
//                       16: quarter-warps
//   3.x, by 4   32 × 8  16 bytes: half-warps     two words i and i + 32 of an aligned segment
//                                                of 64 words, for any number of lanes
//   3.x, by 8   32 × 8  16 bytes: half-warps     one 8-byte word, for any number of lanes
//   5.0 on      32 × 4  as measured              one word, for any number of lanes
//
// Source: CUDA C Programming Guide 4.2, F.3.3 (1.x), F.4.3 (2.x; G.4.3 in later editions), F.5.3
// (3.x). docs/models.md, "Banks of older generations", lists the assumptions.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "models/banks.h"
#include "models/gpu_profile.h"
#include "models/request.h"

namespace warpshop::models {

enum class BankRule : uint8_t {
  kHalfWarps16,    // 1.x
  kMulticast32,    // 2.x
  kWideBanksBy4,   // 3.x, cudaSharedMemBankSizeFourByte: the default
  kWideBanksBy8,   // 3.x, cudaSharedMemBankSizeEightByte
  kMeasuredBanks,  // 5.0 and newer: models/banks.h
};

// The only function that selects the model. `bank_bytes` is the bank-size mode of 3.x, 4 or 8;
// other generations ignore it.
BankRule bank_rule_of(ComputeCapability capability, uint32_t bank_bytes = 4);
// Uses the profile's `bank_bytes`.
BankRule bank_rule_of(const GpuProfile& gpu);

int bank_count(BankRule rule);  // 16 or 32

// The bank of a 4-byte word (byte address / 4).
int bank_of_word(BankRule rule, uint64_t word);
// Identifies what a bank can serve at once; accesses to different rows of a bank are serialised.
// The word itself; on 3.x, word / 64 (by 4) or the 8-byte word (by 8).
uint64_t row_of_word(BankRule rule, uint64_t word);

struct GenerationPass {
  int part = 0;                          // half-warp, quarter-warp, … : 0 to `parts` - 1
  std::array<int64_t, kBanks> row{};     // row_of_word of what each bank serves; -1: idle
  std::array<uint32_t, kBanks> lanes{};  // lanes served by each bank
  uint32_t broadcast = 0;  // bit b: bank b sends one word to several lanes; loads only
  uint32_t all_lanes() const;
};

struct GenerationBankResult {
  BankRule rule = BankRule::kMeasuredBanks;
  int parts = 0;  // parts with active lanes, i.e. passes of a conflict-free access
  // The n of an n-way conflict: passes of the slowest part; 0 if no lane is active. 16-byte words
  // on 2.x: one more, as the guide requires (F.4.3.2).
  int ways = 0;
  std::vector<GenerationPass> passes;  // in execution order
  // By lane and 4-byte word of the lane; -1: none.
  std::array<std::array<int, 4>, kLanes> lane_bank{};
  std::array<std::array<int, 4>, kLanes> lane_pass{};
  std::array<int, kBanks> degree{};  // distinct rows requested from each bank by the whole warp
  int conflicts() const { return static_cast<int>(passes.size()) - parts; }
};

// `request.address` is relative to the block's shared memory; addresses are multiples of the width,
// as the hardware requires.
GenerationBankResult explain_bank_generation(BankRule rule, const WarpRequest& request,
                                             SharedAccess access = SharedAccess::kLoad);

// One sentence for users.
std::string_view words_of(BankRule rule);

}  // namespace warpshop::models
