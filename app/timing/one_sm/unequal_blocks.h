// Kernels whose blocks have unequal work: what a sample of one SM's blocks says about the grid.
#pragma once

#include <cstdint>
#include <vector>

#include "one_sm/trace.h"

namespace warpshop::timing {

// Of the simulated blocks.
struct SimulatedTime {
  double cycles = 0;      // of the whole grid, if all blocks were like these
  bool one_wave = false;  // all blocks of the grid are resident at once
};

// The cycles of a grid of which `own` blocks were simulated and `others`, spread evenly over it,
// are known by their work alone: all work takes its time at the simulated rate, and a grid of one
// wave takes as long as its longest block. Blocks of about equal work: `simulated.cycles` as they
// are.
double cycles_of_unequal(const SimulatedTime& simulated, const std::vector<BlockWork>& own,
                         const std::vector<BlockWork>& others);

// Whether the work of blocks differs so much that more of them should be looked at.
bool is_unequal(const std::vector<BlockWork>& blocks);

}  // namespace warpshop::timing
