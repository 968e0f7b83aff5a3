// Correctness of the result: the output as a picture with its wrong parts marked, the first wrong
// element, and the outcome at every size.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

struct ResultPanelState {
  int output = 0;  // index of the output buffer shown
};

void result_panel(const View& view, ResultPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
