// All SMs of a chip with their resident blocks, on the PTX: schedulers that issue a warp's
// instructions in order, registers that are not there yet, units by instruction, shared memory's banks, barriers, and
// one memory for all. Blocks are dealt to SMs in turn, and then to whichever has room.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/stop.h"
#include "predict/chip_memory.h"
#include "predict/chip_trace.h"
#include "predict/machine.h"
#include "predict/ptx_code.h"
#include "timing/prediction.h"

namespace warpshop::timing {

struct WholeChipInput {
  const Machine* machine = nullptr;
  const PtxCode* code = nullptr;
  const ChipTrace* trace = nullptr;
  int sms = 1;
  int resident_blocks = 1;  // of an SM
  uint64_t blocks = 1;      // that are played; the trace's, in order and then again from its first
  // A moment in the middle of a large grid: blocks begin all over their length, others follow without end, and
  // `max_work` ends it.
  bool stationary = false;
  uint64_t max_work = 6'000'000;  // PTX instructions of warps and their pieces
  uint32_t timeline_warps = 0;
  const StopFlag* stop = nullptr;
};

// Counts up to a moment, of all simulated SMs together.
struct ChipMark {
  double cycle = 0;
  uint64_t blocks = 0;        // ended
  uint64_t instructions = 0;  // machine instructions of warps
  uint64_t ops = 0;           // PTX instructions that were issued
  double issue_cycles = 0;    // that schedulers were taken for
  double shared_cycles = 0;
  double warp_cycles = 0;
  std::array<double, kUnits> unit_cycles{};
  std::array<double, kWarpStates> state_cycles{};
  ChipMemoryTotals memory;
};

struct WholeChipResult {
  std::vector<ChipMark> marks;  // at each block's end, in time; the last: when everything has ended
  ChipMark settled;             // stationary: after a quarter of the work
  double drained = 0;
  bool cut = false;             // max_work was reached
  MemoryFlow flow;              // up to the last mark
  std::vector<WarpTimeline> timelines;
};

WholeChipResult simulate_chip(const WholeChipInput& input, ChipMemory& memory);

}  // namespace warpshop::timing
