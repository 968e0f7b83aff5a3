// Where a warp has to wait for loads from global memory. Private to the room; the rule stands in
// timing/instruction_counts.h.
#pragma once

#include <vector>

#include "dependence.h"
#include "ptx/module.h"

namespace warpshop::timing {

struct BlockWaits {
  int each_run = 0;
  // More of them when the block is a loop's first and was reached from outside: what was loaded
  // before the loop.
  int on_entry = 0;
};
std::vector<BlockWaits> load_waits_of(const ptx::Function& function,
                                      const std::vector<StraightBlock>& blocks);

}  // namespace warpshop::timing
