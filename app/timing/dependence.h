// Which instruction of a basic block needs which: registers become numbered values. Private to the
// room.
#pragma once

#include <string_view>
#include <vector>

#include "ptx/module.h"

namespace warpshop::timing {

// Instructions [first, end) of the body that are executed together. Short arms (`if` without
// `else`) are part of it: the back end makes predicated instructions of up to 19 instructions
// without a barrier, call or branch (measured: ptxas 13.0, sm_90).
struct StraightBlock {
  int first = 0;
  int end = 0;
  std::vector<int> successors;  // blocks
  std::vector<int> arm_branch;  // for each instruction: the branch around its arm; -1: in no arm
};
std::vector<StraightBlock> straight_blocks(const ptx::Function& function);

// A value that an instruction needs: what instruction `producer` of the body wrote, or, with -1,
// what `reg` held when the block began.
struct Need {
  int producer = -1;
  int reg = -1;
};

struct BlockValues {
  std::vector<std::vector<Need>> needs;  // for each instruction of the block
  std::vector<int> last_writer;  // by register: instruction of the body; -1: not in this block
};
BlockValues values_of(const ptx::Function& function, const StraightBlock& block);

// Registers that an instruction writes, and those that it reads, its guard included.
std::vector<int> written_registers(const ptx::Instruction& instruction);
std::vector<int> read_registers(const ptx::Instruction& instruction);

// "ld.global.nc" has "nc".
bool has(const ptx::Instruction& instruction, std::string_view modifier);

}  // namespace warpshop::timing
