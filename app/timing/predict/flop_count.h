// Floating-point operations as the source has them, counted on the PTX: an addition or a product is one, a multiply-add
// two, a division or a root one, of packed halves twice that, each for the lanes that take part. The machine code would
// tell less: it loads constants by multiply-adds (HFMA2.MMA), and divides in ten of them.
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
  // Of a warp that enters the basic block with these lanes.
  double of(uint32_t basic_block, uint32_t active_mask) const;

 private:
  std::vector<int> per_lane_;  // by basic block, as Program::basic_blocks() numbers them
};

}  // namespace warpshop::timing
