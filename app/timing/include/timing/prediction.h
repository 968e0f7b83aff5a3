// How long a kernel takes on a GPU, and why, as timing/predict.h works it out.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/sentence.h"
#include "ptx/module.h"
#include "timing/memory_flow.h"

namespace warpshop::timing {

// What a warp is doing; the names are Nsight Compute's warp states ("smsp__average_warps_issue_
// stalled_long_scoreboard" and so on).
enum class WarpState : uint8_t {
  kSelected,         // it issues
  kWait,             // the fixed delay that the compiler put behind an instruction
  kLongScoreboard,   // a global or local load
  kShortScoreboard,  // shared memory, constants, special functions
  kBarrier,          // __syncthreads
  kMathPipeThrottle,
  kLgThrottle,   // the queue of global accesses is full
  kMioThrottle,  // the queue of shared accesses is full
  kDispatch,     // the register file's ports are busy
  kNotSelected,  // another warp was chosen
  kCount,
};
inline constexpr size_t kWarpStates = static_cast<size_t>(WarpState::kCount);
std::string_view name_of(WarpState state);     // "Stall Long Scoreboard", as Nsight writes it
std::string_view meaning_of(WarpState state);  // one sentence

// What holds the kernel back.
enum class Bound : uint8_t { kLatency, kDram, kL2, kL1, kShared, kTexture, kCompute, kIssue, kCamping, kLaunch };
std::string_view name_of(Bound bound);  // "latency", "DRAM bandwidth", …

struct WarpInterval {
  double start_cycle = 0;  // of the simulated SM, from its first block on
  double cycles = 0;
  WarpState state = WarpState::kSelected;
  int ptx_line = 0;                 // of the instruction that issues or waits; 0: unknown
  ptx::SourceLine source = {};      // likewise, in the source
};
struct WarpTimeline {
  uint64_t block = 0;  // linear
  uint32_t warp = 0;   // of the block
  std::vector<WarpInterval> intervals;  // in time, without gaps
};

// How busy a unit of the simulated SM is, 0 to 1, while the kernel is in its steady state.
struct UnitLoad {
  Bound bound = Bound::kIssue;  // that a full unit of this kind means
  Sentence name = {};           // "DRAM", "the FP32 pipe", "the schedulers", …
  double busy = 0;
  bool plural = false;          // the schedulers *are* busy
};

struct Prediction {
  double time_us = 0;
  double launch_us = 0;  // of it: what an empty kernel takes
  Bound bound = Bound::kLatency;
  Sentence reason;  // one sentence: how busy what is, or what warps wait for
  int blocks_per_sm = 0;
  double waves = 0;                    // blocks of the grid / blocks that the chip holds at once
  double simulated_cycles = 0;         // of the SM; the rest of the grid is extrapolated
  double theoretical_occupancy = 0;    // 0 to 1
  double achieved_occupancy = 0;       // 0 to 1: mean of the simulated time
  double warp_instructions = 0;        // machine instructions of the whole grid
  double instructions_per_cycle = 0;   // of an SM, at most 4
  MemoryFlow flow;                     // whole grid
  double dram_bytes = 0;               // read and written, whole grid: the flow's
  double l2_bytes = 0;                 // between the SMs and L2, whole grid: the flow's
  double latency_cycles = 0;           // mean of a global load, from issue to data
  double bytes_in_flight = 0;          // an SM: mean of the loads on their way (Little's law)
  double bytes_in_flight_needed = 0;   // an SM: unloaded latency × its share of the bandwidth
  // The roofline: floating-point operations for each byte of DRAM, and what was achieved under the
  // chip's ceilings. No arithmetic: flop is 0.
  double flop = 0;  // whole grid; an FMA counts two
  double flop_per_byte = 0;
  double achieved_gflop_s = 0;
  double peak_gflop_s = 0;  // of single precision FMA
  double achieved_gb_s = 0;  // DRAM
  double peak_gb_s = 0;
  std::vector<UnitLoad> units;                     // busiest first
  std::array<double, kWarpStates> state_share{};   // part of the warps' time, sums to 1
  std::vector<WarpTimeline> timelines;             // of some warps of the first simulated blocks
  uint64_t simulated_blocks = 0;
  double seconds = 0;  // that the prediction took
};

}  // namespace warpshop::timing
