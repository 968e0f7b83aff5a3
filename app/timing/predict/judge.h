// What a prediction's figures mean: shares, rates, the bound, and the sentence about it.
#pragma once

#include <array>

#include "emulator/program.h"
#include "timing/prediction.h"

namespace warpshop::timing {

// Fills in what follows from the prediction's time, FLOP, bytes, units and timelines: state_share from the warps'
// cycles in each state, FLOP a byte, GFLOP/s and GB/s achieved, the timelines' source lines, bound and reason.
void conclude(const emulator::Program& program, const std::array<double, kWarpStates>& state_cycles,
              Prediction& prediction);

}  // namespace warpshop::timing
