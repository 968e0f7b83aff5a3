// The kernel's times, measured, predicted and published side by side, and the choice of the GPU
// that measures.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

struct TimesPanelState {
  int size = 0;  // index of the size whose times are shown
};

void times_panel(const View& view, TimesPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
