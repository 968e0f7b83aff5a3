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
  EXPECT_EQ(cycles_of_unequal(5000, false, blocks({50, 50}), blocks({50, 52, 49, 50})), 5000);
  EXPECT_EQ(cycles_of_unequal(5000, false, blocks({50}), {}), 5000) << "nothing else is known";
}

TEST(UnequalBlocks, AllWorkTakesItsTimeAtTheSimulatedRate) {
  // The simulated blocks have 10, all others 30 on average, and none is long.
  EXPECT_NEAR(cycles_of_unequal(5000, false, blocks({10, 10}),
                                blocks({40, 20, 40, 20, 40, 20, 40, 20}, 50)),
              15000, 100);
}

TEST(UnequalBlocks, AGridOfOneWaveWaitsForItsLongestBlock) {
  EXPECT_DOUBLE_EQ(cycles_of_unequal(900, true, blocks({30}), blocks({10, 90, 20}, 20)), 2700);
}

}  // namespace
}  // namespace warpshop::timing
