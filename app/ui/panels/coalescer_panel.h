// The transaction map: 32 lanes, and the sectors that one access of the warp moves.
#pragma once

#include <optional>

#include "coalescer_map.h"
#include "commands.h"
#include "view.h"

namespace warpshop::ui {

struct CoalescerPanelState {
  const PreparedResult* of = nullptr;  // what `map` was made from
  size_t entry = 0;
  std::optional<CoalescerMap> map;
  int hovered_lane = -1;               // in the frame before
};

void coalescer_panel(const View& view, CoalescerPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
