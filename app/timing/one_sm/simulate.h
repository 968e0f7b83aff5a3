// Simulates one SM and its resident blocks instruction by instruction: four schedulers, the
// scoreboard encoded in the machine code, arithmetic pipes, the load/store unit with shared memory,
// barriers, and the replacement of finished blocks.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/stop.h"
#include "one_sm/code_map.h"
#include "one_sm/figures.h"
#include "one_sm/memory_path.h"
#include "one_sm/trace.h"
#include "timing/memory_flow.h"
#include "timing/pipeline.h"
#include "timing/prediction.h"

namespace warpshop::timing {

struct SimulationInput {
  const OneSmFigures* chip = nullptr;
  const CodeMap* code = nullptr;
  const Trace* trace = nullptr;  // its blocks run in this order
  size_t blocks = 0;  // blocks to simulate; beyond the trace's, these repeat. 0: the trace's
  int resident_blocks = 1;
  int active_sms = 1;
  uint32_t timeline_warps = 0;
  uint64_t max_instructions = 4'000'000;
  const StopFlag* stop = nullptr;
};

// Counts up to a point in time.
struct SimulationMark {
  double cycle = 0;
  uint64_t blocks = 0;  // finished
  uint64_t instructions = 0;
  // summed over the SM's four sub-partitions
  std::array<double, static_cast<size_t>(MachinePipe::kCount)> pipe_cycles{};
  double shared_cycles = 0;   // of the data stage: shared-memory banks and accesses passing through
                              // to L1
  double texture_cycles = 0;  // of the SM's texture units
  double adu_cycles = 0;      // of the unit for constant loads and barriers
  double port_cycles = 0;     // of the register-file ports: mean of both banks, summed over the
                              // four sub-partitions
  double warp_cycles = 0;     // of resident warps
  double launch_cycles = 0;   // that the chip's block launcher worked for this SM
  std::array<double, kWarpStates> state_cycles{};
  MemoryTotals memory;
};

struct SimulationResult {
  std::vector<SimulationMark> marks;  // at each block's end, in time order; the last one when
                                      // everything has finished
  double drained = 0;                 // the cycle in which the memory system is idle
  bool cut = false;                   // max_instructions was reached
  bool stuck = false;                 // all warps wait for mbarrier objects
  MemoryFlow flow;                    // of this SM alone, up to the last mark
  std::vector<WarpTimeline> timelines;
  std::unique_ptr<Pipeline> pipeline;  // of the first block, without names; null without copies
};

SimulationResult simulate(const SimulationInput& input, MemoryPath& memory);

}  // namespace warpshop::timing
