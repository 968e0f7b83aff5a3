#include "shadows/grid_shadow.h"

#include <gtest/gtest.h>

#include <vector>

#include "shadows/order_role.h"

namespace warpshop::emulator {
namespace {

constexpr uint64_t kData = 0x1000, kFlag = 0x2000, kOtherFlag = 0x3000;
constexpr uint32_t kStore = kWrites | kReplaces, kLoad = kReads;

class GridShadowTest : public ::testing::Test {
 protected:
  using Hazards = std::vector<GridHazard>;
  using Missing = GridHazard::Missing;

  static GlobalTouch touch(const uint64_t& address) {
    return {.address = &address, .base = 0, .mask = 1, .bytes = 4};
  }
  Hazards write(uint64_t block, uint32_t warp, uint64_t address = kData) {
    Hazards hazards;
    shadow_.on_write({block, warp, 1}, touch(address), hazards);
    return hazards;
  }
  Hazards read(uint64_t block, uint32_t warp, uint64_t address = kData) {
    Hazards hazards;
    shadow_.on_read({block, warp, 2}, touch(address), hazards);
    return hazards;
  }
  void set(uint64_t block, uint32_t warp, uint64_t flag = kFlag) {
    shadow_.order_by({block, warp, 3}, flag, kStore);
  }
  void see(uint64_t block, uint32_t warp, uint64_t flag = kFlag) {
    shadow_.order_by({block, warp, 4}, flag, kLoad | kPolls);
  }

  GridShadow shadow_{4, 4};
};

TEST_F(GridShadowTest, AFlagWithBothFencesOrdersTheWarpsThatMeetAtIt) {
  write(0, 0);
  shadow_.fence(0, 0);
  set(0, 0);
  see(1, 0);
  shadow_.fence(1, 0);
  EXPECT_TRUE(read(1, 0).empty());
  const Hazards other_warp = read(1, 1);  // before its block's next barrier
  ASSERT_EQ(other_warp.size(), 1U);
  EXPECT_EQ(other_warp[0].missing, Missing::kOrder);
  EXPECT_EQ(other_warp[0].other_block, 0U);
  EXPECT_EQ(other_warp[0].other_site, 1U);
  EXPECT_TRUE(other_warp[0].other_wrote);
  shadow_.pass_barrier(1);
  EXPECT_TRUE(read(1, 1).empty());
  EXPECT_EQ(read(2, 0).size(), 1U);  // another block has seen nothing
}

TEST_F(GridShadowTest, WhichFenceIsMissingIsTold) {
  write(0, 0);
  set(0, 0);
  see(1, 0);
  shadow_.fence(1, 0);
  ASSERT_EQ(read(1, 0).size(), 1U);
  EXPECT_EQ(read(1, 0)[0].missing, Missing::kFenceBefore);
  shadow_.fence(0, 0);
  set(0, 0);
  see(2, 0);
  ASSERT_EQ(read(2, 0).size(), 1U);
  EXPECT_EQ(read(2, 0)[0].missing, Missing::kFenceAfter);
}

TEST_F(GridShadowTest, AFencePublishesWhatTheBlockDidBeforeItsBarrier) {
  write(0, 1);
  shadow_.fence(0, 0);
  set(0, 0);
  see(1, 0);
  shadow_.fence(1, 0);
  EXPECT_EQ(read(1, 0).size(), 1U);  // of warp 1, which has not met warp 0
  shadow_.pass_barrier(0);
  shadow_.fence(0, 0);
  set(0, 0);
  see(1, 0);
  shadow_.fence(1, 0);
  EXPECT_TRUE(read(1, 0).empty());
  // A store after the flag was set is not published by it.
  write(0, 0);
  see(2, 0);
  shadow_.fence(2, 0);
  EXPECT_EQ(read(2, 0).size(), 1U);
}

TEST_F(GridShadowTest, WhatABlockHasAcquiredItPublishes) {
  write(0, 0);
  shadow_.fence(0, 0);
  set(0, 0);
  see(1, 0);
  shadow_.fence(1, 0);
  set(1, 0, kOtherFlag);
  see(2, 0, kOtherFlag);
  shadow_.fence(2, 0);
  EXPECT_TRUE(read(2, 0).empty());
  EXPECT_TRUE(write(2, 0).empty());  // after the reads of none but itself
  EXPECT_EQ(write(3, 0).size(), 1U);
}

TEST_F(GridShadowTest, AnAtomicKeepsWhatTheWordPublishedAndAStoreDoesNot) {
  write(0, 0);
  shadow_.fence(0, 0);
  set(0, 0);
  shadow_.order_by({1, 0, 5}, kFlag, kReads | kWrites);  // without fences
  see(2, 0);
  shadow_.fence(2, 0);
  EXPECT_TRUE(read(2, 0).empty());
  set(1, 0);
  see(3, 0);
  shadow_.fence(3, 0);
  EXPECT_EQ(read(3, 0).size(), 1U);
}

TEST_F(GridShadowTest, AWriteAfterAnothersReadIsARace) {
  EXPECT_TRUE(read(0, 0).empty());
  const Hazards hazards = write(1, 0);
  ASSERT_EQ(hazards.size(), 1U);
  EXPECT_FALSE(hazards[0].other_wrote);
  EXPECT_EQ(hazards[0].other_site, 2U);
}

TEST_F(GridShadowTest, APlainStoreToALockReleasesIt) {
  shadow_.order_by({0, 0, 5}, kFlag, kReads | kWrites | kLocks);
  write(0, 0);
  shadow_.fence(0, 0);
  write(0, 0, kFlag);
  shadow_.order_by({1, 0, 5}, kFlag, kReads | kWrites | kLocks);
  shadow_.fence(1, 0);
  EXPECT_TRUE(write(1, 0).empty());
}

TEST_F(GridShadowTest, TooMuchMemoryIsNotWatched) {
  for (uint64_t line = 0; shadow_.watches(); ++line) {
    ASSERT_LT(line, uint64_t{1} << 20);
    write(0, 0, kData + line * 128);
  }
  EXPECT_TRUE(read(1, 0).empty());
}

}  // namespace
}  // namespace warpshop::emulator
