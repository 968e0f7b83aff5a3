// A warp on an SM: its progress along its trace, and what its next instruction waits for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "timing/prediction.h"
#include "whole_chip/chip_trace.h"
#include "whole_chip/ptx_code.h"

namespace warpshop::timing {

inline constexpr double kNoTime = std::numeric_limits<double>::infinity();

struct ResidentBlock;

struct ResidentWarp {
  ResidentBlock* block = nullptr;
  const ChipWarp* trace = nullptr;
  size_t step = 0;    // index into the path
  uint32_t turn = 0;  // executions of this step's block so far
  int op = 0;
  int end = 0;
  std::vector<uint32_t> next_access;  // by site
  std::vector<double> ready;          // by register
  std::vector<WarpState> why;         // by register: the state of a warp that waits for it
  double needs = 0;
  WarpState waits_for = WarpState::kWait;
  double barrier_until = 0;
  double last_issue = 0;
  bool at_barrier = false;
  bool done = false;
  int timeline = -1;
  size_t scheduler = 0;

  const PtxOp& op_in(const PtxCode& code) const { return code.ops[static_cast<size_t>(op)]; }
  // Goes to the first instruction that is issued.
  void enter(const PtxCode& code);
  // Skips the first part of the path, 0 to 1.
  void skip(const PtxCode& code, double part);
  // Goes on to an instruction that is issued or waits for memory; handles folded ones on the way.
  void settle(const PtxCode& code);
  // Sets needs and waits_for: when the operands of the next instruction are there.
  void work_out_needs(const PtxCode& code);
};

struct ResidentBlock {
  std::vector<ResidentWarp> warps;
  int sm = 0;
  uint32_t live = 0;
  uint32_t arrived = 0;
};

}  // namespace warpshop::timing
