// Counts floating-point operations on the PTX, so that they are those of the source: 1 for an
// addition or multiplication, 2 for a multiply-add, 1 for a division or square root, twice that for
// packed halves, each per active lane. Machine code would mislead: it loads constants with
// multiply-adds (HFMA2.MMA) and expands a division into ten of them.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/program.h"
#include "ptx/module.h"

namespace warpshop::timing {

// Per lane.
int flop_of(const ptx::Instruction& instruction);

class FlopCount {
 public:
  explicit FlopCount(const emulator::Program& program);
  // For a warp that enters the basic block with these active lanes.
  double of(uint32_t basic_block, uint32_t active_mask) const;

 private:
  std::vector<int> per_lane_;  // indexed as in Program::basic_blocks()
};

}  // namespace warpshop::timing
