// Ends kernels that do not end by themselves.
#pragma once

#include "state/emulation_thread.h"

namespace warpshop::emulator {

// Adds this thread's work to the launch's sum; false: the budget is spent or a stop was requested.
bool within_budget(EmulationThread& worker, Warp& warp);
// Reports lanes of a warp that wait for spinning lanes. False: there are none.
bool report_deadlock(EmulationThread& worker);

}  // namespace warpshop::emulator
