// The block's shared memory at the current step of the film: arrays in rows and columns, what was
// never written, and what the step's instruction accesses.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

struct SharedPanelState {
  bool visible = false;
  uint64_t shown_step = ~uint64_t{0};  // whose accesses were scrolled into view
};

void shared_panel(const View& view, SharedPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
