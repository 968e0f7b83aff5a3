// Data dependences within a basic block: registers become numbered values. Private to the room.
#pragma once

#include <string_view>
#include <vector>

#include "ptx/module.h"

namespace warpshop::timing {

// Instructions [first, end) of the body that are executed together. This includes short arms (`if`
// without `else`), because the back end predicates arms of up to 19 instructions without a barrier,
// call or branch (measured: ptxas 13.0, sm_90).
struct StraightBlock {
  int first = 0;
  int end = 0;
  std::vector<int> successors;  // blocks
  std::vector<int> arm_branch;  // per instruction: the branch around its arm; -1: not in an arm
};
std::vector<StraightBlock> straight_blocks(const ptx::Function& function);

// A value that an instruction needs: the result of instruction `producer` of the body or, if that
// is -1, the value of `reg` at the start of the block.
struct Need {
  int producer = -1;
  int reg = -1;
};

struct BlockValues {
  std::vector<std::vector<Need>> needs;  // per instruction of the block
  std::vector<int> last_writer;  // by register: index in the body; -1: not written in this block
};
BlockValues values_of(const ptx::Function& function, const StraightBlock& block);

}  // namespace warpshop::timing
