#include "timing/prediction.h"

namespace warpshop::timing {
namespace {

struct StateRow {
  std::string_view name;
  std::string_view meaning;
};

// Names: Nsight Compute 2025, "Warp State Statistics". One row per WarpState, in the same order.
constexpr std::array<StateRow, kWarpStates> kStates = {{
    {"Selected", "The warp issues an instruction."},
    {"Stall Wait",
     "It waits for the fixed delay that the compiler set after its last instruction."},
    {"Stall Long Scoreboard",
     "It needs data from a global or local load that has not arrived yet."},
    {"Stall Short Scoreboard",
     "It needs a result from shared memory, the special function unit or a constant load that is "
     "not ready yet."},
    {"Stall Barrier", "It waits at a barrier for the other warps of its block."},
    {"Stall Math Pipe Throttle", "It is ready, but the arithmetic unit it needs is busy."},
    {"Stall LG Throttle", "It is ready, but the queue for global and local accesses is full."},
    {"Stall MIO Throttle",
     "It is ready, but the queue for shared-memory and special instructions is full."},
    {"Stall Dispatch Stall", "It is ready, but the register ports it needs are busy."},
    {"Stall Not Selected", "It is ready, but the scheduler selected another warp."},
}};

constexpr std::array<std::string_view, 10> kLimiters = {
    "latency",           "DRAM bandwidth",   "L2 bandwidth", "the load/store unit",
    "shared memory",     "the texture unit", "arithmetic",   "instruction issue",
    "partition camping", "launching blocks"};

}  // namespace

std::string_view name_of(WarpState state) { return kStates.at(static_cast<size_t>(state)).name; }
std::string_view meaning_of(WarpState state) {
  return kStates.at(static_cast<size_t>(state)).meaning;
}
std::string_view name_of(Limiter limiter) { return kLimiters.at(static_cast<size_t>(limiter)); }

}  // namespace warpshop::timing
