// The occupancy calculator: how many warps are resident on an SM, the limiter, and what another
// block size, fewer registers or less shared memory would change. Each slider lies on its curve.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/view.h"
#include "timing/occupancy_curve.h"

namespace warpshop::ui {

struct OccupancyPanelState {
  timing::OccupancyInput kernel;  // from the result
  timing::OccupancyInput input;   // the sliders' positions
  // Inputs of the curves.
  std::string gpu;
  timing::OccupancyInput curves_of;
  std::array<std::vector<timing::OccupancyPoint>, 3> curves;
};

void occupancy_panel(const View& view, OccupancyPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
