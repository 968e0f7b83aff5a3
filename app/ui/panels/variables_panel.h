// The source's variables at the current step of the film, each with the value in one lane and a bar
// per lane, and what the step wrote to memory; the PTX registers are folded below.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

struct VariablesPanelState {
  bool visible = false;
  int lane = 0;
  bool registers_open = false;
};

void variables_panel(const View& view, VariablesPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
