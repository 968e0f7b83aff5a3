// Bank conflicts of each generation, worked out by hand from the CUDA C Programming Guide 4.2:
// F.3.3 (1.x), F.4.3 (2.x), F.5.3 (3.x).
#include "models/bank_generations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <set>

#include "lanes.h"

namespace warpshop::models {
namespace {

using enum BankRule;
using enum SharedAccess;

struct BankGenerationsCase {
  const char* name;
  BankRule rule;
  WarpRequest request;
  int parts;
  int passes;
  int ways;
  SharedAccess access = kLoad;
};

// Figure F-3, left: threads 3, 4, 6, 7 and 9 read the word in bank 5, just as thread 5 does.
uint64_t five_on_bank_5(uint64_t lane) {
  const uint64_t l = lane % 16;
  return (l == 3 || l == 4 || l == 6 || l == 7 || l == 9 ? 5 : l) * 4;
}

uint64_t column_32(uint64_t lane) { return lane * 32 * 4; }

std::vector<BankGenerationsCase> bank_generations_cases() {
  return {
      // --- 1.x, F.3.3.1: a stride of s words is conflict-free if and only if s is odd ---
      {"1.x: nobody active", kHalfWarps16, strided(4, 0, 4, 0), 0, 0, 0},
      {"1.x: a word each, by half-warps", kHalfWarps16, strided(4, 0, 4), 2, 2, 1},
      {"1.x: one half-warp active", kHalfWarps16, strided(4, 0, 4, 0xFFFF0000), 1, 1, 1},
      {"1.x: stride 2: 8 banks twice", kHalfWarps16, strided(4, 0, 8), 2, 4, 2},
      {"1.x: stride 3", kHalfWarps16, strided(4, 0, 12), 2, 2, 1},
      {"1.x: stride 8: 2 banks, the lecture's 8-way", kHalfWarps16, strided(4, 0, 32), 2, 16, 8},
      {"1.x: a column of a 16-wide tile", kHalfWarps16, strided(4, 0, 64), 2, 32, 16},
      {"1.x: a column of a 17-wide tile", kHalfWarps16, strided(4, 0, 68), 2, 2, 1},
      // F.3.3.2 broadcast
      {"1.x: all on one word", kHalfWarps16, strided(4, 64, 0), 2, 2, 1},
      {"1.x: figure F-3, the word of bank 5 broadcast", kHalfWarps16,
       lanes(4, kAllLanes, five_on_bank_5), 2, 2, 1},
      {"1.x: two words of two banks, 8 lanes each: 8 + 1, then the other 7", kHalfWarps16,
       lanes(4, 0xFFFF, [](uint64_t l) { return l / 8 * 4; }), 1, 2, 2},
      {"1.x: two words of one bank", kHalfWarps16,
       lanes(4, 0xFFFF, [](uint64_t l) { return l % 2 * 64; }), 1, 2, 2},
      // F.3.3.3: bytes 4 + 3, 3 + 2, 2 + 1, 1: the first step also
      // serves one lane of each other bank
      {"1.x: char side by side: 4-way", kHalfWarps16, strided(1, 0, 1), 2, 8, 4},
      {"1.x: char, 4 apart", kHalfWarps16, strided(1, 0, 4), 2, 2, 1},
      {"1.x: short side by side: 2-way", kHalfWarps16, strided(2, 0, 2), 2, 4, 2},
      // F.3.3.4: one request per 32-bit word, with a stride of two or four words
      {"1.x: doubles side by side: two requests of stride two", kHalfWarps16, strided(8, 0, 8), 4,
       8, 2},
      {"1.x: float4 side by side: four requests of stride four", kHalfWarps16, strided(16, 0, 16),
       8, 32, 4},
      {"1.x: float4, all on one", kHalfWarps16, strided(16, 0, 0), 8, 8, 1},
      // stores
      {"1.x: stores side by side", kHalfWarps16, strided(4, 0, 4), 2, 2, 1, kStore},
      {"1.x: stores to one address: one lane writes", kHalfWarps16, strided(4, 0, 0), 2, 2, 1,
       kStore},
      {"1.x: char stores side by side", kHalfWarps16, strided(1, 0, 1), 2, 8, 4, kStore},
      {"1.x: atomics on one word: a lane at a time", kHalfWarps16, strided(4, 0, 0), 2, 32, 16,
       kAtomic},

      // --- 2.x ---
      {"2.x: a word each", kMulticast32, strided(4, 0, 4), 1, 1, 1},
      {"2.x: stride 2", kMulticast32, strided(4, 0, 8), 1, 2, 2},
      {"2.x: stride 3", kMulticast32, strided(4, 0, 12), 1, 1, 1},
      {"2.x: a column of tile[32][32]", kMulticast32, lanes(4, kAllLanes, column_32), 1, 32, 32},
      {"2.x: a column of tile[32][33]", kMulticast32, strided(4, 0, 132), 1, 1, 1},
      {"2.x: two words of two banks, multicast", kMulticast32,
       lanes(4, kAllLanes, [](uint64_t l) { return l / 16 * 4; }), 1, 1, 1},
      {"2.x: char side by side, unlike 1.x", kMulticast32, strided(1, 0, 1), 1, 1, 1},
      {"2.x: char stores side by side", kMulticast32, strided(1, 0, 1), 1, 1, 1, kStore},
      {"2.x: doubles side by side: half-warps, no conflict", kMulticast32, strided(8, 0, 8), 2, 2,
       1},
      {"2.x: every second double", kMulticast32, strided(8, 0, 16), 2, 4, 2},
      {"2.x: all on one double: the halves stay apart", kMulticast32, strided(8, 0, 0), 2, 2, 1},
      {"2.x: float4 side by side: quarters; 2-way in the guide's words", kMulticast32,
       strided(16, 0, 16), 4, 4, 2},
      {"2.x: every second float4: 2 in a quarter, 3-way", kMulticast32, strided(16, 0, 32), 4, 8,
       3},
      {"2.x: float4 by 9 lanes", kMulticast32, strided(16, 0, 16, 0x1FF), 2, 2, 2},
      {"2.x: atomics on one word", kMulticast32, strided(4, 0, 0), 1, 32, 32, kAtomic},

      // --- 3.x, 4-byte mode ---
      {"3.x by 4: a word each", kWideBanksBy4, strided(4, 0, 4), 1, 1, 1},
      {"3.x by 4: stride 2: words 0 to 62, one segment", kWideBanksBy4, strided(4, 0, 8), 1, 1, 1},
      {"3.x by 4: stride 2 from word 32: 32 to 94, two segments on bank 0", kWideBanksBy4,
       strided(4, 128, 8), 1, 2, 2},
      {"3.x by 4: words 0 and 32", kWideBanksBy4, lanes(4, 0x3, column_32), 1, 1, 1},
      {"3.x by 4: words 32 and 64, not of one segment", kWideBanksBy4, strided(4, 128, 128, 0x3), 1,
       2, 2},
      {"3.x by 4: a column of tile[32][32]: 16 pairs of rows", kWideBanksBy4,
       lanes(4, kAllLanes, column_32), 1, 16, 16},
      {"3.x by 4: a column of tile[32][33]", kWideBanksBy4, strided(4, 0, 132), 1, 1, 1},
      {"3.x by 4: stride 4: 8 banks, words 0 to 124, two segments", kWideBanksBy4,
       strided(4, 0, 16), 1, 2, 2},
      {"3.x by 4: doubles side by side: 64 words, one segment", kWideBanksBy4, strided(8, 0, 8), 1,
       1, 1},
      {"3.x by 4: doubles from word 32", kWideBanksBy4, strided(8, 128, 8), 1, 2, 2},
      {"3.x by 4: float4 side by side: half-warps of 64 words", kWideBanksBy4, strided(16, 0, 16),
       2, 2, 1},
      {"3.x by 4: atomics on one word", kWideBanksBy4, strided(4, 0, 0), 1, 32, 32, kAtomic},

      // --- 3.x, 8-byte mode ---
      {"3.x by 8: a word each: 16 banks, pairs in one", kWideBanksBy8, strided(4, 0, 4), 1, 1, 1},
      {"3.x by 8: stride 2", kWideBanksBy8, strided(4, 0, 8), 1, 1, 1},
      {"3.x by 8: stride 4: even banks, twice", kWideBanksBy8, strided(4, 0, 16), 1, 2, 2},
      {"3.x by 8: words 0 and 32 lie on banks 0 and 16", kWideBanksBy8, lanes(4, 0x3, column_32), 1,
       1, 1},
      {"3.x by 8: a column of tile[32][32]: banks 0 and 16, 16 words each", kWideBanksBy8,
       lanes(4, kAllLanes, column_32), 1, 16, 16},
      // lane l reads word 33 l, so the 8-byte words are 0, 16, 33,
      // 49, 66, …: 33 k and 33 k + 16 for k < 16
      {"3.x by 8: a column of tile[32][33]", kWideBanksBy8, strided(4, 0, 132), 1, 1, 1},
      {"3.x by 8: doubles side by side", kWideBanksBy8, strided(8, 0, 8), 1, 1, 1},
      {"3.x by 8: doubles from word 32: any 32 in a row", kWideBanksBy8, strided(8, 128, 8), 1, 1,
       1},
      {"3.x by 8: a column of double tile[32][32]", kWideBanksBy8, strided(8, 0, 256), 1, 32, 32},
      {"3.x by 8: float4 side by side", kWideBanksBy8, strided(16, 0, 16), 2, 2, 1},

      // --- 5.0 and newer: models/banks.h and its measured merging ---
      {"5.0: a column of tile[32][32]", kMeasuredBanks, lanes(4, kAllLanes, column_32), 1, 32, 32},
      {"5.0: doubles side by side", kMeasuredBanks, strided(8, 0, 8), 2, 2, 1},
      {"5.0: all on one double: the halves merge", kMeasuredBanks, strided(8, 0, 0), 1, 1, 1},
      {"5.0: every second float4", kMeasuredBanks, strided(16, 0, 32), 4, 8, 2, kStore},
      {"5.0: nobody active", kMeasuredBanks, strided(4, 0, 4, 0), 0, 0, 0},
  };
}

TEST(BankGenerations, CountWhatIsWorkedByHand) {
  for (const BankGenerationsCase& c : bank_generations_cases()) {
    SCOPED_TRACE(c.name);
    const GenerationBankResult result = explain_bank_generation(c.rule, c.request, c.access);
    EXPECT_EQ(result.rule, c.rule);
    EXPECT_EQ(result.parts, c.parts);
    EXPECT_EQ(static_cast<int>(result.passes.size()), c.passes);
    EXPECT_EQ(result.ways, c.ways);
  }
}

TEST(BankGenerations, TheCapabilityChooses) {
  struct Choice {
    ComputeCapability capability;
    uint32_t bank_bytes;
    BankRule rule;
    int banks;
  };
  const Choice choices[] = {{{1, 0}, 4, kHalfWarps16, 16},   {{1, 3}, 8, kHalfWarps16, 16},
                            {{2, 0}, 4, kMulticast32, 32},   {{2, 1}, 8, kMulticast32, 32},
                            {{3, 0}, 4, kWideBanksBy4, 32},  {{3, 5}, 8, kWideBanksBy8, 32},
                            {{3, 7}, 4, kWideBanksBy4, 32},  {{5, 0}, 4, kMeasuredBanks, 32},
                            {{10, 0}, 4, kMeasuredBanks, 32}};
  for (const Choice& c : choices) {
    SCOPED_TRACE(c.capability.major * 10 + c.capability.minor);
    GpuProfile gpu;
    gpu.capability = c.capability;
    gpu.bank_bytes = c.bank_bytes;
    EXPECT_EQ(bank_rule_of(gpu), c.rule);
    EXPECT_EQ(bank_rule_of(c.capability, c.bank_bytes), c.rule);
    EXPECT_EQ(bank_count(c.rule), c.banks);
  }
}

TEST(BankGenerations, ABroadcastOf1xLeavesTheOtherLanesOfABankBehind) {
  // Lanes 0-2 read word 0, lanes 3-4 word 1. Word 0 is broadcast, so bank 1 serves only lane 3.
  const auto result =
      explain_bank_generation(kHalfWarps16, lanes(4, 0x1F, [](uint64_t l) { return l / 3 * 4; }));
  ASSERT_EQ(result.passes.size(), 2U);
  EXPECT_EQ(result.passes[0].lanes[0], 0x07U);
  EXPECT_EQ(result.passes[0].lanes[1], 0x08U);
  EXPECT_EQ(result.passes[0].broadcast, 0x1U);
  EXPECT_EQ(result.passes[1].lanes[0], 0U);
  EXPECT_EQ(result.passes[1].row[0], -1);
  EXPECT_EQ(result.passes[1].lanes[1], 0x10U);
  EXPECT_EQ(result.passes[1].broadcast, 0U);
  EXPECT_EQ(result.lane_bank[4][0], 1);
  EXPECT_EQ(result.lane_pass[4][0], 1);
  EXPECT_EQ(result.lane_pass[5][0], -1);
  EXPECT_EQ(result.lane_bank[5][0], -1);
  EXPECT_EQ(result.degree[1], 1);  // one word, but in two steps
  EXPECT_EQ(result.conflicts(), 1);
}

TEST(BankGenerations, TwoWordsOfA3xRowAreNoBroadcast) {
  // Lanes 0, 1, 2 read words 1, 33, 65.
  const WarpRequest request = strided(4, 4, 128, 0x7);
  const auto by4 = explain_bank_generation(kWideBanksBy4, request);
  ASSERT_EQ(by4.passes.size(), 2U);
  EXPECT_EQ(by4.passes[0].lanes[1], 0x3U);
  EXPECT_EQ(by4.passes[0].row[1], 0);
  EXPECT_EQ(by4.passes[0].broadcast, 0U);
  EXPECT_EQ(by4.passes[1].row[1], 1);
  EXPECT_EQ(by4.degree[1], 2);
  // One word for two lanes is a broadcast; stores have none.
  EXPECT_EQ(explain_bank_generation(kWideBanksBy4, strided(4, 4, 0, 0x3)).passes[0].broadcast, 2U);
  EXPECT_EQ(
      explain_bank_generation(kWideBanksBy4, strided(4, 4, 0, 0x3), kStore).passes[0].broadcast,
      0U);
  // In 8-byte mode, both halves of an 8-byte word make one broadcast: words 2 and 3 in bank 1.
  EXPECT_EQ(explain_bank_generation(kWideBanksBy8, strided(4, 8, 4, 0x3)).passes[0].broadcast, 2U);
}

TEST(BankGenerations, PartsAreNumberedInTheOrderTheyAreServed) {
  // A double on 1.x: word 0 for both half-warps, then word 1.
  const auto result = explain_bank_generation(kHalfWarps16, strided(8, 0, 128, 0x10001));
  ASSERT_EQ(result.passes.size(), 4U);
  for (size_t p = 0; p < 4; ++p) {
    EXPECT_EQ(result.passes[p].part, static_cast<int>(p));
    EXPECT_EQ(result.passes[p].lanes[p / 2], p % 2 == 0 ? 0x1U : 0x10000U);
  }
  // Lanes 1 and 8 of a 16-byte access belong to quarters 0 and 1 of 2.x.
  const auto quarters = explain_bank_generation(kMulticast32, strided(16, 0, 16, 0x102));
  ASSERT_EQ(quarters.passes.size(), 2U);
  EXPECT_EQ(quarters.passes[0].all_lanes(), 0x002U);
  EXPECT_EQ(quarters.passes[1].all_lanes(), 0x100U);
}

// On every generation, each lane's words are served exactly once, by the bank that holds them, and
// a bank serves one row per pass.
TEST(BankGenerations, EveryLaneIsAccountedForOnRandomRequests) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 5000; ++i) {
    const auto rule = static_cast<BankRule>(random() % 5);
    const auto access = static_cast<SharedAccess>(random() % 3);
    const uint32_t width = access == kAtomic ? 4U : 1U << random() % 5;
    const auto mask = static_cast<uint32_t>(random() | random());
    const uint64_t range = uint64_t{1} << random() % 10;
    const WarpRequest request =
        lanes(width, mask, [&](uint64_t) { return random() % range * width; });
    const auto result = explain_bank_generation(rule, request, access);
    SCOPED_TRACE(i);
    ASSERT_GE(result.conflicts(), 0);
    std::vector<std::array<std::set<size_t>, 32>> seen(result.passes.size());
    for (size_t lane = 0; lane < kLanes; ++lane) {
      for (uint32_t w = 0; w < 4; ++w) {
        const int pass = result.lane_pass[lane][w];
        if ((mask >> lane & 1U) == 0 || w >= std::max(width / 4, 1U)) {
          ASSERT_EQ(pass, -1);
          ASSERT_EQ(result.lane_bank[lane][w], -1);
          continue;
        }
        const uint64_t word = request.address[lane] / 4 + w;
        const auto bank = static_cast<size_t>(rule == kHalfWarps16    ? word % 16
                                              : rule == kWideBanksBy8 ? word / 2 % 32
                                                                      : word % 32);
        const uint64_t row = rule == kWideBanksBy4   ? word / 64
                             : rule == kWideBanksBy8 ? word / 2
                                                     : word;
        ASSERT_EQ(result.lane_bank[lane][w], static_cast<int>(bank));
        const GenerationPass& at = result.passes.at(static_cast<size_t>(pass));
        ASSERT_EQ(at.row[bank], static_cast<int64_t>(row));
        seen[static_cast<size_t>(pass)][bank].insert(lane);
      }
    }
    for (size_t p = 0; p < seen.size(); ++p) {
      ASSERT_NE(result.passes[p].all_lanes(), 0U);
      for (size_t bank = 0; bank < 32; ++bank) {
        uint32_t expected = 0;
        for (const size_t lane : seen[p][bank]) expected |= 1U << lane;
        ASSERT_EQ(result.passes[p].lanes[bank], expected);
        if (access == kAtomic) {
          ASSERT_LE(std::popcount(expected), 1);
        }
      }
    }
  }
}

}  // namespace
}  // namespace warpshop::models
