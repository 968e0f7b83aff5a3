// The occupancy calculator: how many warps share an SM, what limits them, and what another block
// size, fewer registers or less shared memory would change. Each slider is drawn on its curve.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/view.h"
#include "timing/occupancy_curve.h"

namespace warpshop::ui {

struct OccupancyPanelState {
  timing::OccupancyInput kernel;  // of the result
  timing::OccupancyInput input;   // where the sliders stand
  // What the curves were made of.
  std::string gpu;
  timing::OccupancyInput curves_of;
  std::array<std::vector<timing::OccupancyPoint>, 3> curves;
};

void occupancy_panel(const View& view, OccupancyPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
