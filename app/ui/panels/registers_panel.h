// Registers of the warp at the film's step: those of the current line first, a value of one lane and a cell for each,
// and what the step wrote to memory.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

struct RegistersPanelState {
  bool visible = false;
  int lane = 0;
};

void registers_panel(const View& view, RegistersPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
