// Shared-memory wavefronts, worked out by hand from the rule that a bank serves one word per
// wavefront, to any number of lanes.
#include "models/banks.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "lanes.h"

namespace warpshop::models {
namespace {

using enum SharedAccess;

struct BanksCase {
  const char* name;
  WarpRequest request;
  SharedAccess access;
  BankCounts expected;
};

std::vector<BanksCase> banks_cases() {
  auto column = [](uint64_t pitch) { return [pitch](uint64_t lane) { return lane * pitch * 4; }; };
  return {
      {"nobody active", strided(4, 0, 4, 0), kLoad, {0, 0}},
      {"a word each, side by side", strided(4, 0, 4), kLoad, {1, 1}},
      {"side by side from an odd word on", strided(4, 12, 4), kLoad, {1, 1}},
      {"every second word: 16 banks, twice", strided(4, 0, 8), kLoad, {2, 1}},
      {"every third word: 3 and 32 have no common divisor", strided(4, 0, 12), kLoad, {1, 1}},
      {"every sixth: banks 0, 6, 12, …: 16 of them", strided(4, 0, 24), kLoad, {2, 1}},
      {"a column of a 32-wide tile: one bank", lanes(4, kAllLanes, column(32)), kLoad, {32, 1}},
      {"a column of a 33-wide tile", lanes(4, kAllLanes, column(33)), kLoad, {1, 1}},
      {"a column of a 36-wide tile: gcd(36, 32) = 4, 8 banks",
       lanes(4, kAllLanes, column(36)),
       kLoad,
       {4, 1}},
      {"a column with half of the lanes", lanes(4, 0xFFFF, column(32)), kLoad, {16, 1}},
      {"backwards, every fourth", strided(4, 1024, -16), kLoad, {4, 1}},
      {"all on one word: broadcast", strided(4, 64, 0), kLoad, {1, 1}},
      {"16 lanes on one word, 16 on another of the same bank",
       lanes(4, kAllLanes, [](uint64_t l) { return l / 16 * 128; }),
       kLoad,
       {2, 1}},
      {"bytes side by side: 8 words", strided(1, 0, 1), kLoad, {1, 1}},
      {"bytes, 33 apart: words 0, 8, 16, 24, 33, 41, …: banks 0, 8, 16, 24, 1, 9, …, all different",
       strided(1, 0, 33),
       kLoad,
       {1, 1}},
      {"bytes, 32 apart: words 0, 8, 16, 24, 32, …: four banks", strided(1, 0, 32), kLoad, {8, 1}},
      {"halves from byte 2 on: 17 words", strided(2, 2, 2), kLoad, {1, 1}},
      {"doubles side by side: a wavefront a half-warp", strided(8, 0, 8), kLoad, {2, 2}},
      {"doubles, one half-warp active", strided(8, 0, 8, 0xFFFF), kLoad, {1, 1}},
      {"all on one double: the halves merge", strided(8, 0, 0), kLoad, {1, 1}},
      {"…but not those of a store", strided(8, 0, 0), kStore, {2, 2}},
      {"pairs on one double: lane l^1 agrees, merged, 16 doubles",
       lanes(8, kAllLanes, [](uint64_t l) { return l / 2 * 8; }),
       kLoad,
       {1, 1}},
      {"every second double: 16 lanes on 16 even banks pairs, twice a half",
       strided(8, 0, 16),
       kLoad,
       {4, 2}},
      {"float4 side by side: a wavefront a quarter-warp", strided(16, 0, 16), kLoad, {4, 4}},
      {"all on one float4: quarters of a half merge, the halves never",
       strided(16, 0, 0),
       kLoad,
       {2, 2}},
      {"…and the quarters of a store neither", strided(16, 0, 0), kStore, {4, 4}},
      {"float4 by 5 lanes: one quarter", strided(16, 0, 16, 0x1F), kLoad, {1, 1}},
      {"float4 by 9 lanes: two quarters", strided(16, 0, 16, 0x1FF), kLoad, {2, 2}},
      {"every second float4: 8 lanes on banks 0-3, 8-11, …: twice a quarter",
       strided(16, 0, 32),
       kStore,
       {8, 4}},
      {"atomics side by side", strided(4, 0, 4), kAtomic, {1, 1}},
      {"atomics on one word: one lane after the other", strided(4, 0, 0), kAtomic, {32, 1}},
      {"atomics on two words of one bank: three lanes",
       lanes(4, 0x7, [](uint64_t l) { return l / 2 * 128; }),
       kAtomic,
       {3, 1}},
      {"counting adds on one word: at once", strided(4, 0, 0), kCountingAdd, {1, 1}},
      {"counting adds on one bank's words", strided(4, 0, 128), kCountingAdd, {32, 1}},
      {"compare-and-swap makes each pass twice", strided(4, 0, 0), kCompareAndSwap, {64, 2}},
      {"compare-and-swap of 8 bytes: twice a half-warp", strided(8, 0, 8), kCompareAndSwap, {4, 4}},
  };
}

TEST(Banks, CountsWhatIsWorkedByHand) {
  for (const BanksCase& c : banks_cases()) {
    SCOPED_TRACE(c.name);
    const BankCounts counts = count_wavefronts(c.request, c.access);
    EXPECT_EQ(counts.wavefronts, c.expected.wavefronts);
    EXPECT_EQ(counts.ideal_wavefronts, c.expected.ideal_wavefronts);
    EXPECT_EQ(explain_banks(c.request, c.access).counts, counts);
  }
}

// The explanation must account for every lane's word, with one word per bank and pass, in exactly
// as many passes as were counted.
void expect_consistent(const WarpRequest& request, SharedAccess access) {
  const BankResult result = explain_banks(request, access);
  ASSERT_EQ(result.passes.size(), static_cast<size_t>(result.counts.wavefronts));
  const uint32_t words = std::max(request.width_bytes / 4, 1U);
  std::set<uint64_t> asked;
  for (size_t lane = 0; lane < kLanes; ++lane) {
    const bool active = (request.active_mask >> lane & 1U) != 0;
    for (uint32_t w = 0; w < 4; ++w) {
      const int pass = result.lane_pass[lane][w];
      if (!active || w >= words) {
        ASSERT_EQ(pass, -1);
        continue;
      }
      const uint64_t word = request.address[lane] / 4 + w;
      asked.insert(word);
      ASSERT_GE(pass, 0);
      ASSERT_LT(pass, result.counts.wavefronts);
      const BankPass& at = result.passes[static_cast<size_t>(pass)];
      ASSERT_EQ(at.word[word % 32], static_cast<int64_t>(word));
      ASSERT_NE(at.lanes[word % 32] >> lane & 1U, 0U);
    }
  }
  std::map<uint64_t, int> degree;
  for (const uint64_t word : asked) ++degree[word % 32];
  for (uint64_t bank = 0; bank < 32; ++bank) ASSERT_EQ(result.degree[bank], degree[bank]);
  for (const BankPass& pass : result.passes) {
    bool busy = false;
    for (size_t bank = 0; bank < 32; ++bank) {
      ASSERT_EQ(pass.word[bank] >= 0, pass.lanes[bank] != 0);
      busy = busy || pass.lanes[bank] != 0;
      if (access == kAtomic || access == kCompareAndSwap) {
        ASSERT_LE(std::popcount(pass.lanes[bank]), 1);  // one lane per bank and pass
      }
    }
    ASSERT_TRUE(busy);
  }
}

TEST(Banks, ExplanationAccountsForEveryLane) {
  for (const BanksCase& c : banks_cases()) {
    SCOPED_TRACE(c.name);
    expect_consistent(c.request, c.access);
  }
}

// For words of up to 4 bytes, the definition is one line of
// code, which the closed forms must match.
TEST(Banks, FastCountEqualsTheDefinitionOnRandomRequests) {
  std::mt19937_64 random(2);
  auto below = [&](uint64_t n) { return random() % n; };
  for (int i = 0; i < 20000; ++i) {
    const uint32_t width = 1U << below(5);
    const uint32_t mask = below(3) == 0   ? static_cast<uint32_t>(random())
                          : below(2) == 0 ? static_cast<uint32_t>((uint64_t{1} << below(33)) - 1)
                                          : kAllLanes;
    const uint64_t range = uint64_t{1} << below(10);
    WarpRequest request =
        strided(width, 8192 + below(64) * width,
                (static_cast<int64_t>(below(150)) - 70) * static_cast<int64_t>(width), mask);
    if (below(2) == 0) request = lanes(width, mask, [&](uint64_t) { return below(range) * width; });
    const auto access = static_cast<SharedAccess>(below(width == 4 || width == 8 ? 5 : 2));
    if (access == kCountingAdd && width != 4) continue;
    expect_consistent(request, access);
    if (width > 4 || access == kAtomic || access == kCompareAndSwap || mask == 0) continue;
    std::array<std::set<uint64_t>, 32> banks;
    size_t most = 0;
    for (size_t lane = 0; lane < kLanes; ++lane) {
      if ((mask >> lane & 1U) == 0) continue;
      auto& bank = banks[request.address[lane] / 4 % 32];
      bank.insert(request.address[lane] / 4);
      most = std::max(most, bank.size());
    }
    ASSERT_EQ(count_wavefronts(request, access).wavefronts, static_cast<int>(most));
  }
}

TEST(Banks, AConflictTakesThePassesInTheOrderOfTheLanes) {
  // Lanes 0, 1, 2 read words 0, 32, 0: the first and the third share pass 0.
  const BankResult result = explain_banks(lanes(4, 0x7, [](uint64_t l) { return l % 2 * 128; }));
  ASSERT_EQ(result.passes.size(), 2U);
  EXPECT_EQ(result.passes[0].word[0], 0);
  EXPECT_EQ(result.passes[0].lanes[0], 0x5U);
  EXPECT_EQ(result.passes[1].word[0], 32);
  EXPECT_EQ(result.passes[1].lanes[0], 0x2U);
  EXPECT_EQ(result.passes[0].word[1], -1);
  EXPECT_EQ(result.lane_pass[1][0], 1);
  EXPECT_EQ(result.lane_pass[3][0], -1);
  EXPECT_EQ(result.degree[0], 2);
}

}  // namespace
}  // namespace warpshop::models
