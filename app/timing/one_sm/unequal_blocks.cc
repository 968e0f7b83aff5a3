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

double cycles_of_unequal(const SimulatedTime& simulated, const std::vector<BlockWork>& own,
                         std::vector<BlockWork> others) {
  std::vector<BlockWork> all = own;
  all.insert(all.end(), others.begin(), others.end());
  if (own.empty() || others.empty() || !is_unequal(all)) return simulated.cycles;
  const double own_longest = std::max(1.0, mean_of(own, &BlockWork::longest));
  if (simulated.one_wave) {
    // The simulated SM is done when its longest block is.
    double simulated_longest = 1;
    for (const BlockWork& block : own)
      simulated_longest = std::max(simulated_longest, block.longest);
    double longest = 0;
    for (const BlockWork& block : all) longest = std::max(longest, block.longest);
    return simulated.cycles * longest / simulated_longest;
  }
  std::sort(others.begin(), others.end(),
            [](const BlockWork& a, const BlockWork& b) { return a.block < b.block; });
  const double mean = mean_of(others, &BlockWork::all);
  const double work_cycles = simulated.cycles * mean / std::max(1.0, mean_of(own, &BlockWork::all));
  const double total = mean * static_cast<double>(others.size());
  double last = work_cycles, before = 0;
  for (const BlockWork& block : others) {
    // When as much of the work is done as lies before it, a block like the simulated ones ends.
    const double place = (before + block.all / 2) / total;
    const double start = std::max(0.0, work_cycles * place - simulated.block_cycles);
    last = std::max(last, start + simulated.block_cycles * block.longest / own_longest);
    before += block.all;
  }
  return last;
}

}  // namespace warpshop::timing
