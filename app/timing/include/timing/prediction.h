// The predicted time of a kernel on a GPU and its explanation; computed by timing/predict.h.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/sentence.h"
#include "ptx/module.h"
#include "timing/memory_flow.h"

namespace warpshop::timing {

// Warp states, named as in Nsight Compute ("smsp__average_warps_issue_stalled_long_scoreboard" and
// so on).
enum class WarpState : uint8_t {
  kSelected,         // issuing
  kWait,             // fixed delay that the compiler encoded after an instruction
  kLongScoreboard,   // a global or local load
  kShortScoreboard,  // shared memory, constants, special functions
  kBarrier,          // __syncthreads
  kMathPipeThrottle,
  kLgThrottle,   // the queue for global accesses is full
  kMioThrottle,  // the queue for shared accesses is full
  kDispatch,     // the register file's ports are busy
  kNotSelected,  // the scheduler selected another warp
  kCount,
};
inline constexpr size_t kWarpStates = static_cast<size_t>(WarpState::kCount);
std::string_view name_of(WarpState state);     // as in Nsight: "Stall Long Scoreboard"
std::string_view meaning_of(WarpState state);  // one sentence

// What holds the kernel's time back.
enum class Limiter : uint8_t {
  kLatency,
  kDram,
  kL2,
  kL1,
  kShared,
  kTexture,
  kCompute,
  kIssue,
  kCamping,
  kLaunch
};
std::string_view name_of(Limiter limiter);  // "latency", "DRAM bandwidth", …

struct WarpInterval {
  double start_cycle = 0;  // of the simulated SM, from the start of its first block
  double cycles = 0;
  WarpState state = WarpState::kSelected;
  int ptx_line = 0;             // of the issuing or waiting instruction; 0: unknown
  ptx::SourceLine source = {};  // of the same instruction
};
struct WarpTimeline {
  uint64_t block = 0;                   // linear
  uint32_t warp = 0;                    // within the block
  std::vector<WarpInterval> intervals;  // in time order, without gaps
  bool cut = false;                     // the warp went on, but no more is kept
};

// Utilisation of a unit of the simulated SM, 0 to 1, in the kernel's steady state.
struct UnitLoad {
  Limiter limiter = Limiter::kIssue;  // the limiter if this unit is full
  Sentence name = {};                 // "DRAM", "the FP32 pipe", "the schedulers", …
  double busy = 0;
  bool plural = false;  // "the schedulers *are* busy"
};

struct Pipeline;  // timing/pipeline.h

struct Prediction {
  double time_us = 0;
  double launch_us = 0;  // included: the time of an empty kernel
  Limiter limiter = Limiter::kLatency;
  Sentence reason;  // one sentence: how busy the limiter is, or what warps wait for
  int blocks_per_sm = 0;
  double waves = 0;                   // blocks in the grid / resident blocks on the chip
  double simulated_cycles = 0;        // of the SM; the rest of the grid is extrapolated
  double theoretical_occupancy = 0;   // 0 to 1
  double achieved_occupancy = 0;      // 0 to 1: mean over the simulated time
  double warp_instructions = 0;       // machine instructions, whole grid
  double instructions_per_cycle = 0;  // per SM, at most 4
  MemoryFlow flow;                    // whole grid
  double dram_bytes = 0;              // read and written, whole grid: from `flow`
  double l2_bytes = 0;                // between the SMs and L2, whole grid: from `flow`
  double latency_cycles = 0;          // mean latency of a global load, from issue to data
  double bytes_in_flight = 0;         // per SM: mean bytes of loads in flight (Little's law)
  double bytes_in_flight_needed = 0;  // per SM: unloaded latency × its share of the bandwidth
  // Roofline: floating-point operations per byte of DRAM traffic, and the rates achieved under the
  // chip's ceilings. flop is 0 if there is no arithmetic.
  double flop = 0;  // whole grid; an FMA counts as two
  double flop_per_byte = 0;
  double achieved_gflop_s = 0;
  double peak_gflop_s = 0;   // single-precision FMA
  double tensor_us = 0;      // what the chip's tensor cores take for their products alone
  double achieved_gb_s = 0;  // DRAM
  double peak_gb_s = 0;
  std::vector<UnitLoad> units;                    // busiest first
  std::array<double, kWarpStates> state_share{};  // fractions of the warps' time; the sum is 1
  std::vector<WarpTimeline> timelines;            // of one SM's first warps, in launch order
  // The asynchronous copies of one block; null: it makes none.
  std::shared_ptr<const Pipeline> pipeline;
  uint64_t simulated_blocks = 0;
  double seconds = 0;  // time spent on the prediction
};

}  // namespace warpshop::timing
