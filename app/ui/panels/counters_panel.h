// The counters of the student's kernel beside the reference's, and occupancy with its limiter.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

struct CountersPanelState {
  bool all = false;  // also show counters that are zero on both sides
};

void counters_panel(const View& view, CountersPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
