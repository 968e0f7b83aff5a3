// Where the kernel is measured, and its times: measured beside predicted beside published.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

struct TimesPanelState {
  int size = 0;  // whose times are shown
};

void times_panel(const View& view, TimesPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
