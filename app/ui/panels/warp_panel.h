// The film of a warp: which lanes ran each instruction, row by row over time, who waits for whom,
// and the scrubber that plays it forwards and backwards.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

struct WarpPanelState {
  bool visible = false;
};

void warp_panel(const View& view, WarpPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
