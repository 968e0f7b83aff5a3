// What a prediction's figures mean: the bound, and the sentence about it.
#pragma once

#include "emulator/program.h"
#include "timing/prediction.h"

namespace warpshop::timing {

// Fills in bound and reason from units, states, bytes in flight and times.
void judge(Prediction& prediction);

// Puts the lines of the source beside those of the PTX.
void tell_sources(const emulator::Program& program, Prediction& prediction);

}  // namespace warpshop::timing
