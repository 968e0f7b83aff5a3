// Classifies a prediction's limiter and derives its shares, rates and summary sentence.
#pragma once

#include <array>

#include "emulator/program.h"
#include "timing/prediction.h"

namespace warpshop::timing {

// Thresholds of our own, without a measurement behind them: docs/models.md, "The stated limiter".
// A unit with this utilisation or more is the limiter: its queue is never empty.
inline constexpr double kFull = 0.75;
// A launch that takes more than this share of the time is the limiter.
inline constexpr double kMostlyLaunch = 0.5;
// With less than this share of its bytes from DRAM, a kernel's data is mostly in L2.
inline constexpr double kFromDram = 0.25;

// Derives the rest of the prediction from its time, FLOP, bytes, units and timelines: state_share
// from the warps' cycles in each state, FLOP per byte, GFLOP/s and GB/s achieved, the timelines'
// source lines, limiter and reason.
void complete_prediction(const emulator::Program& program,
                         const std::array<double, kWarpStates>& state_cycles,
                         Prediction& prediction);

}  // namespace warpshop::timing
