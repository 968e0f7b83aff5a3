// Classifies a prediction's limiter and derives its shares, rates and summary sentence.
#pragma once

#include <array>

#include "emulator/program.h"
#include "timing/prediction.h"

namespace warpshop::timing {

// Derives the rest of the prediction from its time, FLOP, bytes, units and timelines: state_share
// from the warps' cycles in each state, FLOP per byte, GFLOP/s and GB/s achieved, the timelines'
// source lines, bound and reason.
void complete_prediction(const emulator::Program& program,
                         const std::array<double, kWarpStates>& state_cycles,
                         Prediction& prediction);

}  // namespace warpshop::timing
