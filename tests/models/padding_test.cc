#include "models/padding.h"

#include <gtest/gtest.h>

#include <functional>

namespace warpshop::models {
namespace {

struct PaddingCase {
  const char* name;
  BankRule rule = BankRule::kMeasuredBanks;
  uint32_t width_bytes = 4;
  std::function<uint64_t(uint64_t lane)> address;
  uint32_t mask = 0xffffffff;
  size_t passes = 0;  // without padding, worked out by hand
  size_t padded = 0;  // with padding; 0: no padding is suggested
  uint64_t row_bytes = 0;
  uint32_t pad_bytes = 0;
};

constexpr uint64_t kBins[] = {137, 9,   201, 64,  41,  105, 233, 18,  73,  96, 7,
                              250, 12,  169, 55,  128, 31,  90,  218, 3,   77, 160,
                              46,  111, 22,  187, 69,  240, 35,  99,  150, 5};

// Worked out by hand: bank = (address / 4) mod 32; the padded address is
// address + address / row · pad.
const PaddingCase kPaddingCases[] = {
    {.name = "a row has no conflict", .address = [](uint64_t l) { return 4 * l; }, .passes = 1},
    {.name = "all lanes read one word",
     .address = [](uint64_t) { return uint64_t{64}; },
     .passes = 1},
    // Columns of tile[32][32] become columns of tile[32][33]: word 33 · lane is in bank `lane`.
    {.name = "a column of 32 floats",
     .address = [](uint64_t l) { return 128 * l; },
     .passes = 32,
     .padded = 1,
     .row_bytes = 128,
     .pad_bytes = 4},
    // tile[32][64]: pad after each row of 64 words; padding every
    // 32 words would leave a 2-way conflict.
    {.name = "a column of 64 floats",
     .address = [](uint64_t l) { return 256 * l; },
     .passes = 32,
     .padded = 1,
     .row_bytes = 256,
     .pad_bytes = 4},
    // Stride of two words: banks 0, 2, …, 30 twice. Padding shifts the upper half by one word.
    {.name = "every second word",
     .address = [](uint64_t l) { return 8 * l; },
     .passes = 2,
     .padded = 1,
     .row_bytes = 128,
     .pad_bytes = 4},
    // Stride of 8 words, four lanes per row of 32. With padding, lane l reads word 8 l + l / 4:
    // each row lies one bank further on.
    {.name = "every eighth word",
     .address = [](uint64_t l) { return 32 * l; },
     .passes = 8,
     .padded = 1,
     .row_bytes = 128,
     .pad_bytes = 4},
    // Half of the lanes are inactive, so 16 rows of a column remain.
    {.name = "a column by half of the lanes",
     .address = [](uint64_t l) { return 128 * l; },
     .mask = 0x0000ffff,
     .passes = 16,
     .padded = 1,
     .row_bytes = 128,
     .pad_bytes = 4},
    // Columns of double[32][16]: 8-byte elements stay aligned. Two half-warps take one pass each.
    {.name = "a column of 16 doubles",
     .width_bytes = 8,
     .address = [](uint64_t l) { return 128 * l; },
     .passes = 32,
     .padded = 2,
     .row_bytes = 128,
     .pad_bytes = 8},
    // Two rows of a 16 × 2 block read columns of tile[16][32]: lanes x and x + 16 read words 32 x +
    // y. All columns lie in banks 0 and 1; rows of 33 words put word 33 x + y into bank x + y.
    {.name = "columns of a block of 16 by 2",
     .address = [](uint64_t l) { return 128 * (l % 16) + 4 * (l / 16); },
     .passes = 16,
     .padded = 2,
     .row_bytes = 128,
     .pad_bytes = 4},
    // Every second lane, as in a reduction: lane 2 k reads word 32 k.
    {.name = "every second lane of a column",
     .address = [](uint64_t l) { return 64 * l; },
     .mask = 0x55555555,
     .passes = 16,
     .padded = 1,
     .row_bytes = 128,
     .pad_bytes = 4},
    // A histogram: 8 of the bins lie in bank 9. Padding would help these data only.
    {.name = "bins of a histogram",
     .address = [](uint64_t l) { return 4 * kBins[l]; },
     .passes = 8},
    // 16 banks, served per half-warp: columns of tile[16][16] become columns of tile[16][17].
    {.name = "a column of 16 floats on compute capability 1.x",
     .rule = BankRule::kHalfWarps16,
     .address = [](uint64_t l) { return 64 * l; },
     .passes = 32,
     .padded = 2,
     .row_bytes = 64,
     .pad_bytes = 4},
};

TEST(Padding, RowsThatBeginInOtherBanksHaveNoConflict) {
  for (const PaddingCase& c : kPaddingCases) {
    WarpRequest request{.active_mask = c.mask, .width_bytes = c.width_bytes};
    for (size_t lane = 0; lane < kLanes; ++lane) request.address[lane] = c.address(lane);
    EXPECT_EQ(explain_bank_generation(c.rule, request).passes.size(), c.passes) << c.name;
    const auto padded = padded_access(c.rule, request);
    ASSERT_EQ(padded.has_value(), c.padded > 0) << c.name;
    if (!padded) continue;
    EXPECT_EQ(padded->banks.passes.size(), c.padded) << c.name;
    EXPECT_EQ(padded->row_bytes, c.row_bytes) << c.name;
    EXPECT_EQ(padded->pad_bytes, c.pad_bytes) << c.name;
    for (size_t lane = 0; lane < kLanes; ++lane) {
      EXPECT_EQ(padded->request.address[lane],
                c.address(lane) + c.address(lane) / c.row_bytes * c.pad_bytes)
          << c.name;
      EXPECT_EQ(padded->request.address[lane] % c.width_bytes, 0u) << c.name;
    }
  }
}

// Atomics on one word are serialised, however long the rows are.
TEST(Padding, WhatNoPaddingMendsIsNotProposed) {
  WarpRequest request{.active_mask = 0xffffffff};
  EXPECT_FALSE(padded_access(BankRule::kMeasuredBanks, request, SharedAccess::kAtomic));
}

}  // namespace
}  // namespace warpshop::models
