// Kernels whose blocks have unequal work: what a sample of one SM's blocks says about the grid.
#pragma once

#include <cstdint>
#include <vector>

#include "one_sm/trace.h"

namespace warpshop::timing {

// The cycles of a grid that would take `cycles` if all blocks were like the simulated ones, and of
// which `own` blocks were simulated and `others`, spread evenly over it, are known by their work
// alone: all work takes its time at the simulated rate, and a grid of one wave (all blocks resident
// at once) takes as long as its longest block. Blocks of about equal work: `cycles`.
double cycles_of_unequal(double cycles, bool one_wave, const std::vector<BlockWork>& own,
                         const std::vector<BlockWork>& others);

// Whether the work of blocks differs so much that more of them should be looked at.
bool is_unequal(const std::vector<BlockWork>& blocks);

}  // namespace warpshop::timing
