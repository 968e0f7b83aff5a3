// The film of a warp: the lanes that ran each instruction, row by row over time, the dependencies
// between waiting lanes, and the scrubber that plays it forwards and backwards.
#pragma once

#include <cstddef>

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

struct WarpPanelState {
  bool visible = false;
  size_t step = 0;  // of the film, in the last frame
};

void warp_panel(const View& view, WarpPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
