// Simulates all SMs of a chip and their resident blocks on the PTX: schedulers that issue a warp's
// instructions in order, register dependences, units per kind of instruction, shared-memory banks,
// barriers, and one memory for all. Blocks are distributed round-robin, then to whichever SM has
// room.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/stop.h"
#include "timing/prediction.h"
#include "whole_chip/chip_memory.h"
#include "whole_chip/chip_trace.h"
#include "whole_chip/figures.h"
#include "whole_chip/ptx_code.h"

namespace warpshop::timing {

struct WholeChipInput {
  const WholeChipFigures* chip = nullptr;
  const PtxCode* code = nullptr;
  const ChipTrace* trace = nullptr;
  int sms = 1;
  int resident_blocks = 1;  // per SM
  uint64_t blocks = 1;      // blocks to simulate: the trace's in order, then again from the first
  // Steady state in the middle of a large grid: resident blocks start at random progress, and
  // finished blocks are replaced until `max_work` is reached.
  bool stationary = false;
  uint64_t max_work = 6'000'000;  // PTX warp instructions and their pieces
  uint32_t timeline_warps = 0;    // timelines to keep: of the first SM's first warps
  const StopFlag* stop = nullptr;
};

// Counts up to a point in time, over all simulated SMs.
struct ChipMark {
  double cycle = 0;
  uint64_t blocks = 0;        // finished
  uint64_t instructions = 0;  // machine-level warp instructions
  uint64_t ops = 0;           // PTX instructions issued
  double issue_cycles = 0;    // cycles the schedulers were busy
  double shared_cycles = 0;
  double warp_cycles = 0;
  std::array<double, kUnits> unit_cycles{};
  std::array<double, kWarpStates> state_cycles{};
  ChipMemoryTotals memory;
};

struct WholeChipResult {
  std::vector<ChipMark> marks;  // at each block's end, in time order; the last one when everything
                                // has finished
  ChipMark settled;             // stationary: after a quarter of the work
  double drained = 0;
  bool cut = false;  // max_work was reached
  MemoryFlow flow;   // up to the last mark
  std::vector<WarpTimeline> timelines;
};

WholeChipResult simulate_chip(const WholeChipInput& input, ChipMemory& memory);

}  // namespace warpshop::timing
