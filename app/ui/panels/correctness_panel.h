// Is it right? The output as a picture with its wrong parts, the first wrong element, and every
// size.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

struct CorrectnessPanelState {
  int output = 0;  // which output buffer is shown
};

void correctness_panel(const View& view, CorrectnessPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
