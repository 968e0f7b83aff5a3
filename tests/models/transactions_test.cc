// Transactions worked out by hand from the CUDA C Programming Guide 4.2, appendix F (F.3.2.1,
// F.3.2.2, F.4.2, figure F-1), and from the lectures' numbers.
#include "models/transactions.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "lanes.h"
#include "models/coalescer.h"

namespace warpshop::models {
namespace {

using enum CoalescingRule;

struct TransactionsCase {
  const char* name;
  CoalescingRule rule;
  WarpRequest request;
  int transactions;
  uint64_t bytes;
  int replays = 0;
};

// Swaps lanes 0 and 1 of each half-warp.
uint64_t swapped(uint64_t lane) { return lane % 16 < 2 ? lane ^ 1 : lane; }

std::vector<TransactionsCase> transactions_cases() {
  return {
      // --- 1.0, 1.1: guide F.3.2.1; the convolution lecture's slides
      // "Coalesced Access" and "Uncoalesced Access" ---
      {"1.1: floats in order from 128: one 64-byte transaction a half-warp", kStrictHalfWarps,
       strided(4, 128, 4), 2, 128},
      {"1.1: some threads do not participate: the same transactions", kStrictHalfWarps,
       strided(4, 128, 4, 0xFFFDFFFD), 2, 128},
      {"1.1: only the first half-warp", kStrictHalfWarps, strided(4, 128, 4, 0xFFFF), 1, 64},
      {"1.1: permuted access: sixteen transactions of 32 bytes a half-warp", kStrictHalfWarps,
       lanes(4, kAllLanes, [](uint64_t l) { return 128 + 4 * swapped(l); }), 32, 1024},
      {"1.1: misaligned start, 132: sixteen a half-warp", kStrictHalfWarps, strided(4, 132, 4), 32,
       1024},
      {"1.1: start at 32, no multiple of 64", kStrictHalfWarps, strided(4, 32, 4), 32, 1024},
      {"1.1: start at 64 is a multiple of 64", kStrictHalfWarps, strided(4, 64, 4), 2, 128},
      {"1.1: permuted in the first half-warp alone", kStrictHalfWarps,
       lanes(4, kAllLanes, [](uint64_t l) { return 128 + 4 * (l < 16 ? swapped(l) : l); }), 17,
       576},
      {"1.1: stride of two words", kStrictHalfWarps, strided(4, 0, 8), 32, 1024},
      {"1.1: all on one word: no broadcast", kStrictHalfWarps, strided(4, 0, 0), 32, 1024},
      {"1.1: doubles in order: one 128-byte transaction a half-warp", kStrictHalfWarps,
       strided(8, 0, 8), 2, 256},
      {"1.1: doubles from 64: not in one 128-byte segment", kStrictHalfWarps, strided(8, 64, 8), 32,
       1024},
      {"1.1: float4 in order: two 128-byte transactions a half-warp", kStrictHalfWarps,
       strided(16, 0, 16), 4, 512},
      {"1.1: float4 from 128: each eight in a segment of its own, still", kStrictHalfWarps,
       strided(16, 128, 16), 4, 512},
      {"1.1: float4 from 16", kStrictHalfWarps, strided(16, 16, 16), 32, 1024},
      {"1.1: bytes side by side never coalesce", kStrictHalfWarps, strided(1, 0, 1), 32, 1024},
      {"1.1: halves neither", kStrictHalfWarps, strided(2, 0, 2), 32, 1024},
      {"1.1: inactive lanes of an uncoalesced half-warp ask for nothing", kStrictHalfWarps,
       strided(4, 4, 4, 0xFF), 8, 256},

      // --- 1.2, 1.3: guide F.3.2.2; the lecture's "1 transaction, 64B segment" and
      // "2 transactions, 64B and 32B" ---
      {"1.3: floats in order: 64 of each half-warp's 128-byte segment", kHalfWarpSegments,
       strided(4, 128, 4), 2, 128},
      {"1.3: permuted: the same", kHalfWarpSegments,
       lanes(4, kAllLanes, [](uint64_t l) { return 128 + 4 * swapped(l); }), 2, 128},
      {"1.3: misaligned by one word inside a segment: 4..67 needs all 128; 68..131 spills: 64 + 32",
       kHalfWarpSegments, strided(4, 4, 4), 3, 128 + 64 + 32},
      {"1.3: half-warp from 96: 32 of the first segment, 32 of the next", kHalfWarpSegments,
       strided(4, 96, 4, 0xFFFF), 2, 64},
      {"1.3: the lecture's two transactions: 64 bytes and 32", kHalfWarpSegments,
       strided(4, 88, 4, 0xFFFF), 2, 64 + 32},
      {"1.3: half-warp from 68: 60 bytes end the segment in its upper half, 4 begin the next",
       kHalfWarpSegments, strided(4, 68, 4, 0xFFFF), 2, 64 + 32},
      {"1.3: stride of two words: 128 bytes a half-warp", kHalfWarpSegments, strided(4, 0, 8), 2,
       256},
      {"1.3: stride of 32 words: a 32-byte transaction each", kHalfWarpSegments, strided(4, 0, 128),
       32, 1024},
      {"1.3: all on one word: 32 bytes a half-warp", kHalfWarpSegments, strided(4, 0, 0), 2, 64},
      {"1.3: bytes side by side: a 32-byte segment, 16 of it used", kHalfWarpSegments,
       strided(1, 0, 1), 2, 64},
      {"1.3: bytes in order from 24: eight in one segment, eight in the next", kHalfWarpSegments,
       strided(1, 24, 1, 0xFFFF), 2, 64},
      {"1.3: halves side by side: 64-byte segments cut to 32", kHalfWarpSegments, strided(2, 0, 2),
       2, 64},
      {"1.3: halves from 48: 16 + 16 bytes of two 64-byte segments", kHalfWarpSegments,
       strided(2, 48, 2, 0xFFFF), 2, 64},
      {"1.3: doubles in order: 128 a half-warp", kHalfWarpSegments, strided(8, 0, 8), 2, 256},
      {"1.3: float4 in order: two segments a half-warp", kHalfWarpSegments, strided(16, 0, 16), 4,
       512},

      // --- 2.x, 3.x through L1: guide F.4.2, figure F-1; the bootcamp lecture's view of loads ---
      {"lines: floats in order: one line, no replay", kCachedLines, strided(4, 128, 4), 1, 128, 0},
      {"lines: permuted: the same", kCachedLines,
       lanes(4, kAllLanes, [](uint64_t l) { return 128 + 4 * swapped(l); }), 1, 128, 0},
      {"lines: misaligned by a word: two lines, one replay", kCachedLines, strided(4, 132, 4), 2,
       256, 1},
      {"lines: worst case of the lecture: 32 lines, 31 replays", kCachedLines, strided(4, 0, 4096),
       32, 4096, 31},
      {"lines: addresses spanning three lines: two replays", kCachedLines, strided(4, 64, 8), 3,
       384, 2},
      {"lines: doubles in order: two requests of one line each", kCachedLines, strided(8, 0, 8), 2,
       256, 1},
      {"lines: all on one double: a line for each half-warp's request", kCachedLines,
       strided(8, 0, 0), 2, 256, 1},
      {"lines: float4 in order: four requests", kCachedLines, strided(16, 0, 16), 4, 512, 3},
      {"lines: one lane", kCachedLines, strided(4, 0, 4, 1), 1, 128, 0},

      // --- 2.x, 3.x bypassing L1 ---
      {"segments: floats in order: four of 32 bytes", kL2Segments, strided(4, 128, 4), 4, 128, 0},
      {"segments: misaligned by a word: a fifth segment, in a second line", kL2Segments,
       strided(4, 132, 4), 5, 160, 1},
      {"segments: scattered: 32 of 32 bytes instead of 32 lines", kL2Segments, strided(4, 0, 4096),
       32, 1024, 31},
      {"segments: doubles in order", kL2Segments, strided(8, 0, 8), 8, 256, 1},
      {"segments: one word for all: one segment", kL2Segments, strided(4, 0, 0), 1, 32, 0},

      // --- 5.0 and newer ---
      {"sectors: floats in order", kSectors, strided(4, 128, 4), 4, 128},
      {"sectors: misaligned by a word", kSectors, strided(4, 132, 4), 5, 160},
      {"sectors: float4 in order", kSectors, strided(16, 0, 16), 16, 512},
      {"nobody active", kHalfWarpSegments, strided(4, 0, 4, 0), 0, 0},
  };
}

TEST(Transactions, CountsWhatIsWorkedByHand) {
  for (const TransactionsCase& c : transactions_cases()) {
    SCOPED_TRACE(c.name);
    const TransactionCounts counts = count_transactions(c.rule, c.request);
    EXPECT_EQ(counts.transactions, c.transactions);
    EXPECT_EQ(counts.bytes_moved, c.bytes);
    EXPECT_EQ(counts.replays, c.replays);
    EXPECT_EQ(counts.l2_transactions, static_cast<int>(c.bytes / 32));
    EXPECT_EQ(explain_transactions(c.rule, c.request).counts, counts);
  }
}

// The GPU memory bootcamp's K40: a transposed access through L1, and the profiler's figures for its
// stores ("L2 Transactions/Access = 32, Ideal Transactions/Access = 4").
TEST(Transactions, TheBootcampsWorstCaseOnTheK40) {
  const WarpRequest column = strided(4, 0, 4096);
  const TransactionCounts load = count_transactions(kCachedLines, column);
  EXPECT_EQ(load.transactions, 32);
  EXPECT_EQ(load.l2_transactions, 128);
  EXPECT_EQ(load.replays, 31);
  EXPECT_EQ(load.bytes_used, 128U);
  EXPECT_EQ(load.bytes_wasted(), 4096U - 128);
  const TransactionCounts store = count_transactions(kL2Segments, column, GlobalAccess::kStore);
  EXPECT_EQ(store.l2_transactions, 32);
  EXPECT_EQ(store.ideal_bytes / 32, 4U);
}

// Guide 4.2, F.3.2.1: only words of 4, 8 and 16 bytes coalesce.
TEST(Transactions, BytesInOrderAreNotIdealBefore1_2) {
  const TransactionCounts bytes = count_transactions(kStrictHalfWarps, strided(1, 0, 1));
  EXPECT_EQ(bytes.bytes_moved, 1024U);
  EXPECT_EQ(bytes.ideal_bytes, 64U);  // eight lanes, a word each
  const TransactionCounts halves = count_transactions(kStrictHalfWarps, strided(2, 0, 2));
  EXPECT_EQ(halves.ideal_bytes, 64U);
  EXPECT_EQ(count_transactions(kStrictHalfWarps, strided(1, 0, 1, 0x1)).ideal_bytes, 32U);
  const TransactionCounts later = count_transactions(kHalfWarpSegments, strided(1, 0, 1));
  EXPECT_EQ(later.ideal_bytes, later.bytes_moved);
}

TEST(Transactions, AtomicsTakeTurnsOnAWord) {
  const WarpRequest one_word = strided(4, 64, 0);
  for (const CoalescingRule rule : {kStrictHalfWarps, kHalfWarpSegments, kL2Segments, kSectors}) {
    EXPECT_EQ(count_transactions(rule, one_word, GlobalAccess::kAtomic).transactions, 32);
  }
  // Words 0, 0, 1 of one sector: lanes 0 and 2 share a visit, lane 1 needs another one.
  const WarpRequest three = lanes(4, 0x7, [](uint64_t l) { return l / 2 * 4; });
  const TransactionResult visits = explain_transactions(kSectors, three, GlobalAccess::kAtomic);
  ASSERT_EQ(visits.transactions.size(), 2U);
  EXPECT_EQ(visits.transactions[0].lanes, 0x5U);
  EXPECT_EQ(visits.transactions[1].lanes, 0x2U);
}

TEST(Transactions, TheProfileChoosesTheRule) {
  const auto rule = [](const char* id, GlobalAccess access) {
    const auto gpu = find_gpu_profile(WARPSHOP_SOURCE_DIR, id);
    EXPECT_TRUE(gpu.ok());
    return coalescing_rule_of(*gpu, access);
  };
  EXPECT_EQ(rule("8800-gt", GlobalAccess::kLoad), kStrictHalfWarps);
  EXPECT_EQ(rule("gtx-280", GlobalAccess::kStore), kHalfWarpSegments);
  EXPECT_EQ(rule("k40c", GlobalAccess::kLoad), kL2Segments);  // uses L1 only on request
  EXPECT_EQ(rule("k40c", GlobalAccess::kStore), kL2Segments);
  EXPECT_EQ(rule("p100", GlobalAccess::kLoad), kSectors);
  EXPECT_EQ(rule("h200", GlobalAccess::kAtomic), kSectors);
  GpuProfile fermi;
  fermi.capability = {2, 0};
  EXPECT_EQ(coalescing_rule_of(fermi, GlobalAccess::kLoad), kCachedLines);
  EXPECT_EQ(coalescing_rule_of(fermi, GlobalAccess::kStore), kL2Segments);
  fermi.l1_caches_loads = false;
  EXPECT_EQ(coalescing_rule_of(fermi, GlobalAccess::kLoad), kL2Segments);
}

// For every pattern, each active lane is served exactly once, by
// a transaction that contains its bytes.
TEST(Transactions, ExplanationAccountsForEveryLaneOfRandomRequests) {
  std::mt19937_64 random(7);
  auto below = [&](uint64_t n) { return random() % n; };
  for (int i = 0; i < 6000; ++i) {
    const uint32_t width = 1U << below(5);
    const uint32_t mask = below(2) == 0 ? kAllLanes : static_cast<uint32_t>(random());
    const uint64_t range = uint64_t{1} << below(10);
    const WarpRequest request = lanes(width, mask, [&](uint64_t lane) {
      return 4096 + (i % 2 == 0 ? lane : below(range)) * width;
    });
    const auto rule = static_cast<CoalescingRule>(below(5));
    const auto access = static_cast<GlobalAccess>(below(width == 4 || width == 8 ? 3 : 2));
    const TransactionResult result = explain_transactions(rule, request, access);
    uint64_t moved = 0;
    uint32_t served = 0;
    std::set<uint64_t> used;
    std::set<int> passes;
    for (size_t t = 0; t < result.transactions.size(); ++t) {
      const Transaction& at = result.transactions[t];
      ASSERT_EQ(at.address % at.bytes, 0U);
      ASSERT_EQ(served & at.lanes, 0U);
      ASSERT_NE(at.lanes, 0U);
      served |= at.lanes;
      moved += at.bytes;
      passes.insert(at.replay);
      uint32_t bytes = 0;
      for (size_t lane = 0; lane < kLanes; ++lane) {
        if ((at.lanes >> lane & 1U) == 0) continue;
        ASSERT_EQ(result.of_lane[lane], static_cast<int>(t));
        ASSERT_GE(request.address[lane], at.address);
        ASSERT_LE(request.address[lane] + width, at.address + at.bytes);
        for (uint32_t b = 0; b < width; ++b) used.insert(request.address[lane] + b);
      }
      for (uint64_t b = 0; b < at.bytes; ++b) {
        bool asked = false;
        for (size_t lane = 0; lane < kLanes; ++lane) {
          asked =
              asked || ((at.lanes >> lane & 1U) != 0 && at.address + b >= request.address[lane] &&
                        at.address + b < request.address[lane] + width);
        }
        ASSERT_EQ((at.used[b / 64] >> (b % 64) & 1U) != 0, asked);
        bytes += asked;
      }
      ASSERT_EQ(at.bytes_used(), bytes);
    }
    ASSERT_EQ(served, mask);
    ASSERT_EQ(moved, result.counts.bytes_moved);
    ASSERT_EQ(used.size(), result.counts.bytes_used);
    ASSERT_EQ(result.transactions.size(), static_cast<size_t>(result.counts.transactions));
    ASSERT_LE(result.counts.ideal_bytes, result.counts.bytes_moved);
    if (!passes.empty()) {
      ASSERT_EQ(static_cast<int>(passes.size()), result.counts.replays + 1);
    }
  }
}

}  // namespace
}  // namespace warpshop::models
