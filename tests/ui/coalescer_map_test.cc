// Maps worked out on paper: lines of 128 bytes, sectors of 32, words of 4.
#include "maps/coalescer_map.h"

#include <gtest/gtest.h>

#include <bit>

namespace warpshop::ui {
namespace {

models::WarpRequest request(uint32_t width, uint64_t base, uint64_t stride,
                            uint32_t mask = 0xffffffffu) {
  models::WarpRequest r;
  r.active_mask = mask;
  r.width_bytes = width;
  for (size_t lane = 0; lane < 32; ++lane) r.address[lane] = base + lane * stride;
  return r;
}

TEST(CoalescerMap, NeighboursFillOneLine) {
  const CoalescerMap map = map_transactions(request(4, 0x1000, 4));
  ASSERT_EQ(map.rows.size(), 1u);
  EXPECT_EQ(map.cells_per_row, 32);
  EXPECT_EQ(map.rows[0].used_cells, 32);
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(map.rows[0].lane[static_cast<size_t>(lane)], lane);
    EXPECT_EQ(map.target[static_cast<size_t>(lane)].first_cell, lane);
  }
  for (bool moved : map.rows[0].moved) EXPECT_TRUE(moved);
}

TEST(CoalescerMap, AColumnHasARowForEveryLaneAndSaysWhatLiesBetween) {
  const CoalescerMap map = map_transactions(request(4, 0x1000, 4096));
  ASSERT_EQ(map.rows.size(), 32u);
  EXPECT_EQ(map.rows[0].gap_bytes, 0u);
  EXPECT_EQ(map.rows[1].gap_bytes, 4096u - 128u);
  EXPECT_TRUE(map.rows[5].moved[0]);
  EXPECT_FALSE(map.rows[5].moved[1]);
  EXPECT_EQ(map.rows[5].used_cells, 1);
  EXPECT_EQ(map.rows[5].lane[0], 5);
  EXPECT_EQ(map.target[5].row, 5);
}

TEST(CoalescerMap, AnOffsetOfOneWordTouchesAFifthSector) {
  const CoalescerMap map = map_transactions(request(4, 0x1004, 4));
  ASSERT_EQ(map.rows.size(), 2u);
  EXPECT_EQ(map.rows[0].used_cells, 31);
  EXPECT_EQ(map.rows[0].lane[0], -1);
  EXPECT_EQ(map.rows[1].used_cells, 1);
  EXPECT_TRUE(map.rows[1].moved[0]);
  EXPECT_FALSE(map.rows[1].moved[1]);
  EXPECT_EQ(map.target[31].row, 1);
}

TEST(CoalescerMap, SixteenBytesALaneAreFourCellsEach) {
  const CoalescerMap map = map_transactions(request(16, 0x1000, 16));
  ASSERT_EQ(map.rows.size(), 4u);
  EXPECT_EQ(map.target[9].row, 1);  // byte 144
  EXPECT_EQ(map.target[9].first_cell, 4);
  EXPECT_EQ(map.target[9].cell_count, 4);
}

TEST(CoalescerMap, BytesHaveCellsOfTheirOwn) {
  const CoalescerMap map = map_transactions(request(1, 0x1000, 1));
  ASSERT_EQ(map.rows.size(), 1u);
  EXPECT_EQ(map.cells_per_row, 128);
  EXPECT_EQ(map.rows[0].used_cells, 32);
  EXPECT_TRUE(map.rows[0].moved[0]);
  EXPECT_FALSE(map.rows[0].moved[1]);
}

TEST(CoalescerMap, LanesOnOneWordAreCounted) {
  const CoalescerMap map = map_transactions(request(4, 0x1008, 0));
  ASSERT_EQ(map.rows.size(), 1u);
  EXPECT_EQ(map.rows[0].lanes[2], 32);
  EXPECT_EQ(map.rows[0].lane[2], 0);
  EXPECT_EQ(map.rows[0].used_cells, 1);
}

TEST(CoalescerMap, InactiveLanesHaveNoTarget) {
  const CoalescerMap map = map_transactions(request(4, 0x1000, 4, 0x1));
  EXPECT_EQ(map.target[0].row, 0);
  EXPECT_EQ(map.target[1].row, -1);
  EXPECT_EQ(map.rows[0].used_cells, 1);
}

// A stride of two words on 1.0: each lane has a transaction of 32 bytes, of which four at a time
// move the same bytes.
TEST(CoalescerMap, OlderGenerationsMoveWhatTheirTransactionsMove) {
  models::WarpRequest request;
  request.active_mask = 0xffffffffu;
  for (size_t lane = 0; lane < 32; ++lane) request.address[lane] = 0x1000 + 8 * lane;
  const CoalescerMap map = map_transactions(
      request, models::explain_transactions(models::CoalescingRule::kStrictHalfWarps, request));
  ASSERT_TRUE(map.generation.has_value());
  EXPECT_EQ(map.generation->counts.transactions, 32);
  ASSERT_EQ(map.result.sectors.size(), 8u);
  for (const models::SectorUse& piece : map.result.sectors) {
    EXPECT_EQ(piece.used_mask, 0x0f0f0f0fu);
    EXPECT_EQ(std::popcount(piece.lanes), 4);
  }
  // On 1.3, one segment of 128 bytes per half-warp, of which adjacent lanes only need 64 bytes.
  const CoalescerMap halves = map_transactions(
      request, models::explain_transactions(models::CoalescingRule::kHalfWarpSegments, request));
  EXPECT_EQ(halves.generation->counts.transactions, 2);
  EXPECT_EQ(halves.result.sectors.size(), 8u);
  EXPECT_FALSE(map_transactions(request).generation.has_value());
}

}  // namespace
}  // namespace warpshop::ui
