// The block's shared memory at the film's step: arrays in their rows and columns, what was never
// written, and what the step's instruction touches.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

struct SharedPanelState {
  bool visible = false;
  uint64_t shown_step = ~uint64_t{0};  // at which what is touched has been brought into sight
};

void shared_panel(const View& view, SharedPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
