#include "one_sm/unequal_blocks.h"

#include <algorithm>
#include <cmath>

namespace warpshop::timing {
namespace {

// Standard deviation of a block's longest warp, relative to its mean, from which blocks count as
// unequal. Below it are guards at the edges of a grid.
constexpr double kEqual = 0.1;

double mean_of(const std::vector<BlockWork>& blocks, double BlockWork::*field) {
  double sum = 0;
  for (const BlockWork& block : blocks) sum += block.*field;
  return sum / std::max<double>(1, static_cast<double>(blocks.size()));
}

}  // namespace

bool is_unequal(const std::vector<BlockWork>& blocks) {
  const double mean = mean_of(blocks, &BlockWork::longest);
  double squares = 0;
  for (const BlockWork& block : blocks) squares += std::pow(block.longest - mean, 2);
  return blocks.size() > 1 &&
         std::sqrt(squares / static_cast<double>(blocks.size())) > kEqual * mean;
}

double cycles_of_unequal(double cycles, bool one_wave, const std::vector<BlockWork>& own,
                         const std::vector<BlockWork>& others) {
  std::vector<BlockWork> all = own;
  all.insert(all.end(), others.begin(), others.end());
  if (own.empty() || others.empty() || !is_unequal(all)) return cycles;
  if (one_wave) {
    // The simulated SM is done when its longest block is.
    double simulated_longest = 1;
    for (const BlockWork& block : own)
      simulated_longest = std::max(simulated_longest, block.longest);
    double longest = 0;
    for (const BlockWork& block : all) longest = std::max(longest, block.longest);
    return cycles * longest / simulated_longest;
  }
  return cycles * mean_of(others, &BlockWork::all) / std::max(1.0, mean_of(own, &BlockWork::all));
}

}  // namespace warpshop::timing
