// The source's variables at the film's step, a value of one lane and a bar for each, and what the
// step wrote to memory; the PTX registers are folded below them.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

struct RegistersPanelState {
  bool visible = false;
  int lane = 0;
  bool registers_open = false;
};

void registers_panel(const View& view, RegistersPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
