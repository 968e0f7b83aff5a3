// The steps of the lab, the text of the open one unless it stands in the editor's place, and what
// the checks say.
#pragma once

#include "panels/step_text.h"

namespace warpshop::ui {

struct StepsPanelState {
  float scroll_to = 0;  // of the text, in the next frame
  enum class List { kAuto, kOpen, kFolded };
  List list = List::kAuto;
  bool questions_below = false;  // out of sight, in the frame before
  float pinned_height = 0;       // of the checks at the bottom, in the frame before
};

void steps_panel(const View& view, StepsPanelState& state, StepTextState& text,
                 CommandQueue& queue);

}  // namespace warpshop::ui
