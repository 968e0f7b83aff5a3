// The block scheduler hands out each block exactly once, however the threads interleave.
#include "state/block_scheduler.h"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>
#include <vector>

namespace warpshop::emulator {
namespace {

std::vector<uint64_t> all_of(BlockScheduler& scheduler, int worker, size_t most = ~size_t{0}) {
  std::vector<uint64_t> positions;
  uint64_t position = 0;
  while (positions.size() < most && scheduler.next(worker, position)) positions.push_back(position);
  return positions;
}

std::vector<uint64_t> range(uint64_t from, uint64_t to) {
  std::vector<uint64_t> positions(to - from);
  std::iota(positions.begin(), positions.end(), from);
  return positions;
}

TEST(BlockScheduler, OneThreadRunsThemInTheirOrder) {
  BlockScheduler scheduler;
  scheduler.begin(100, 1, false);
  EXPECT_EQ(all_of(scheduler, 0), range(0, 100));
}

TEST(BlockScheduler, EachThreadHasNeighboursUntilItsShareIsRun) {
  BlockScheduler scheduler;
  scheduler.begin(11, 2, false);
  EXPECT_EQ(all_of(scheduler, 0, 6), range(0, 6));
  EXPECT_EQ(all_of(scheduler, 1, 3), range(6, 9));
  // Now thread 0 steals from the back.
  EXPECT_EQ(all_of(scheduler, 0, 1), range(10, 11));
  EXPECT_EQ(all_of(scheduler, 1), range(9, 10));
  EXPECT_TRUE(all_of(scheduler, 0).empty());
}

TEST(BlockScheduler, WhoIsDoneHelpsWhereMostIsLeft) {
  BlockScheduler scheduler;
  scheduler.begin(30, 3, false);
  all_of(scheduler, 0, 10);
  EXPECT_EQ(all_of(scheduler, 1, 4), range(10, 14));
  EXPECT_EQ(all_of(scheduler, 0, 1), range(29, 30));
}

TEST(BlockScheduler, InOrderWhereBlocksWaitForEachOther) {
  BlockScheduler scheduler;
  scheduler.begin(8, 2, true);
  for (uint64_t n = 0; n < 8; ++n) {
    EXPECT_EQ(scheduler.started_in_order(), n);
    EXPECT_EQ(all_of(scheduler, static_cast<int>(n % 2), 1), range(n, n + 1));
  }
  uint64_t position = 0;
  EXPECT_FALSE(scheduler.next(0, position));
  EXPECT_FALSE(scheduler.next(1, position));
  EXPECT_EQ(scheduler.started_in_order(), 8u);
}

TEST(BlockScheduler, TheLargestGridBeginsAtItsFirstBlock) {
  BlockScheduler scheduler;
  scheduler.begin(uint64_t{2147483647} * 65535 * 65535, 2, false);
  EXPECT_EQ(all_of(scheduler, 1, 3), range(0, 3));
  EXPECT_EQ(all_of(scheduler, 0, 2), range(3, 5));
}

TEST(BlockScheduler, ThreadsThatRaceForTheLastBlocksRunEachOnce) {
  for (uint64_t round = 0; round < 200; ++round) {
    const uint64_t blocks = 3 + round % 70;
    constexpr int kThreads = 3;
    BlockScheduler scheduler;
    scheduler.begin(blocks, kThreads, round % 4 == 0);
    std::vector<std::vector<uint64_t>> of_thread(kThreads);
    std::vector<std::thread> threads;
    for (int n = 0; n < kThreads; ++n) {
      threads.emplace_back([&, n] { of_thread[static_cast<size_t>(n)] = all_of(scheduler, n); });
    }
    for (std::thread& t : threads) t.join();
    std::vector<int> times(blocks);
    for (const auto& positions : of_thread) {
      for (const uint64_t position : positions) {
        ASSERT_LT(position, blocks);
        ++times[position];
      }
    }
    EXPECT_EQ(times, std::vector<int>(blocks, 1)) << blocks << " blocks";
  }
}

}  // namespace
}  // namespace warpshop::emulator
