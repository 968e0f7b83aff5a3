// Counts where a warp waits for global loads. Private to the room; timing/instruction_counts.h
// states the rule.
#pragma once

#include <vector>

#include "dependence.h"
#include "ptx/module.h"

namespace warpshop::timing {

struct BlockWaits {
  int each_run = 0;
  // Additional waits if the block is the first of a loop and was entered from outside: for loads
  // issued before the loop.
  int on_entry = 0;
};
std::vector<BlockWaits> load_waits_of(const ptx::Function& function,
                                      const std::vector<StraightBlock>& blocks);

}  // namespace warpshop::timing
