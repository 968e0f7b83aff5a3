// The lab's steps, the text of the open one (unless it is in the editor's place), and the checks.
#pragma once

#include "panels/step_text.h"

namespace warpshop::ui {

struct StepsPanelState {
  float scroll_to = 0;  // for the text, in the next frame
  enum class List { kAuto, kOpen, kFolded };
  List list = List::kAuto;
  bool questions_below = false;  // out of view in the previous frame
  float pinned_height = 0;       // of the checks at the bottom, in the previous frame
};

void steps_panel(const View& view, StepsPanelState& state, StepTextState& text,
                 CommandQueue& queue);

}  // namespace warpshop::ui
