// Which thread runs which block: each block comes once, whoever asks and however fast.
#include "run/dealing.h"

#include <gtest/gtest.h>

#include <numeric>
#include <thread>
#include <vector>

namespace warpshop::emulator {
namespace {

std::vector<uint64_t> all_of(BlockDealing& dealing, int worker, size_t most = ~size_t{0}) {
  std::vector<uint64_t> turns;
  uint64_t turn = 0;
  while (turns.size() < most && dealing.next(worker, turn)) turns.push_back(turn);
  return turns;
}

std::vector<uint64_t> range(uint64_t from, uint64_t to) {
  std::vector<uint64_t> turns(to - from);
  std::iota(turns.begin(), turns.end(), from);
  return turns;
}

TEST(Dealing, OneThreadRunsThemInTheirOrder) {
  BlockDealing dealing;
  dealing.begin(100, 1, false);
  EXPECT_EQ(all_of(dealing, 0), range(0, 100));
}

TEST(Dealing, EachThreadHasNeighboursUntilItsShareIsRun) {
  BlockDealing dealing;
  dealing.begin(11, 2, false);
  EXPECT_EQ(all_of(dealing, 0, 6), range(0, 6));
  EXPECT_EQ(all_of(dealing, 1, 3), range(6, 9));
  // Now thread 0 helps from the back.
  EXPECT_EQ(all_of(dealing, 0, 1), range(10, 11));
  EXPECT_EQ(all_of(dealing, 1), range(9, 10));
  EXPECT_TRUE(all_of(dealing, 0).empty());
}

TEST(Dealing, WhoIsDoneHelpsWhereMostIsLeft) {
  BlockDealing dealing;
  dealing.begin(30, 3, false);
  all_of(dealing, 0, 10);
  EXPECT_EQ(all_of(dealing, 1, 4), range(10, 14));
  EXPECT_EQ(all_of(dealing, 0, 1), range(29, 30));
}

TEST(Dealing, InOrderWhereBlocksWaitForEachOther) {
  BlockDealing dealing;
  dealing.begin(8, 2, true);
  for (uint64_t n = 0; n < 8; ++n) {
    EXPECT_EQ(dealing.begun_in_order(), n);
    EXPECT_EQ(all_of(dealing, static_cast<int>(n % 2), 1), range(n, n + 1));
  }
  uint64_t turn = 0;
  EXPECT_FALSE(dealing.next(0, turn));
  EXPECT_FALSE(dealing.next(1, turn));
  EXPECT_EQ(dealing.begun_in_order(), 8u);
}

TEST(Dealing, TheLargestGridBeginsAtItsFirstBlock) {
  BlockDealing dealing;
  dealing.begin(uint64_t{2147483647} * 65535 * 65535, 2, false);
  EXPECT_EQ(all_of(dealing, 1, 3), range(0, 3));
  EXPECT_EQ(all_of(dealing, 0, 2), range(3, 5));
}

TEST(Dealing, ThreadsThatRaceForTheLastBlocksRunEachOnce) {
  for (uint64_t round = 0; round < 200; ++round) {
    const uint64_t blocks = 3 + round % 70;
    constexpr int kThreads = 3;
    BlockDealing dealing;
    dealing.begin(blocks, kThreads, round % 4 == 0);
    std::vector<std::vector<uint64_t>> of_thread(kThreads);
    std::vector<std::thread> threads;
    for (int n = 0; n < kThreads; ++n) {
      threads.emplace_back([&, n] { of_thread[static_cast<size_t>(n)] = all_of(dealing, n); });
    }
    for (std::thread& t : threads) t.join();
    std::vector<int> times(blocks);
    for (const auto& turns : of_thread) {
      for (const uint64_t turn : turns) {
        ASSERT_LT(turn, blocks);
        ++times[turn];
      }
    }
    EXPECT_EQ(times, std::vector<int>(blocks, 1)) << blocks << " blocks";
  }
}

}  // namespace
}  // namespace warpshop::emulator
