// What a sample says about a grid whose blocks have unequal work: worked out by hand.
#include "one_sm/unequal_blocks.h"

#include <gtest/gtest.h>

namespace warpshop::timing {
namespace {

std::vector<BlockWork> blocks(const std::vector<double>& work, uint64_t apart = 1) {
  std::vector<BlockWork> out;
  for (const double w : work)
    out.push_back({.block = out.size() * apart, .all = 4 * w, .longest = w});
  return out;
}

TEST(UnequalBlocks, EqualWorkChangesNothing) {
  const SimulatedTime simulated{.cycles = 5000, .block_cycles = 100};
  EXPECT_EQ(cycles_of_unequal(simulated, blocks({50, 50}), blocks({50, 52, 49, 50})), 5000);
  EXPECT_EQ(cycles_of_unequal(simulated, blocks({50}), {}), 5000) << "nothing else is known";
}

TEST(UnequalBlocks, AllWorkTakesItsTimeAtTheSimulatedRate) {
  // The simulated blocks have 10, all others 30 on average, and none is long.
  const SimulatedTime simulated{.cycles = 5000, .block_cycles = 10};
  EXPECT_NEAR(
      cycles_of_unequal(simulated, blocks({10, 10}), blocks({40, 20, 40, 20, 40, 20, 40, 20}, 50)),
      15000, 100);
}

TEST(UnequalBlocks, ALongBlockAtTheEndFinishesAlone) {
  // Four blocks of 10 and a last one of 160: the mean is 40, so all work takes 4 × 1000 cycles.
  // When the last one starts, 40 parts of 200 and half of its own are done, less a block's time. It
  // takes 16 times that.
  const SimulatedTime quick{.cycles = 1000, .block_cycles = 10};
  EXPECT_DOUBLE_EQ(cycles_of_unequal(quick, blocks({10, 10}), blocks({10, 10, 10, 10, 160})), 4000);
  const SimulatedTime slow{.cycles = 1000, .block_cycles = 200};
  EXPECT_DOUBLE_EQ(cycles_of_unequal(slow, blocks({10, 10}), blocks({10, 10, 10, 10, 160})),
                   4000 * 0.6 - 200 + 3200);
  // At the beginning it is done long before the others.
  EXPECT_DOUBLE_EQ(cycles_of_unequal(slow, blocks({10, 10}), blocks({160, 10, 10, 10, 10})), 4000);
}

TEST(UnequalBlocks, AGridOfOneWaveWaitsForItsLongestBlock) {
  const SimulatedTime simulated{.cycles = 900, .block_cycles = 900, .one_wave = true};
  EXPECT_DOUBLE_EQ(cycles_of_unequal(simulated, blocks({30}), blocks({10, 90, 20}, 20)), 2700);
}

}  // namespace
}  // namespace warpshop::timing
