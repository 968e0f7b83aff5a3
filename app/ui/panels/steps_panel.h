// The steps of the lab, the text of the open one, its questions and hints, and what the checks say.
#pragma once

#include <string>

#include "app/commands.h"
#include "app/view.h"
#include "draw/markdown_view.h"
#include "panels/questions.h"
#include "panels/text_figures.h"

namespace warpshop::ui {

struct StepsPanelState {
  MarkdownView text;
  std::string shown;          // "lab/step" whose text is shown: a change scrolls to the top
  int hints_seen = -1;        // a new hint scrolls into sight
  int hint_frames = 0;        // until its height is known
  FollowedAnswer answer;
  TextFigures figures;
  float scroll_to = 0;        // of the text, in the next frame
  enum class List { kAuto, kOpen, kFolded };
  List list = List::kAuto;
  float pinned_height = 0;    // of the checks at the bottom, in the frame before
};

void steps_panel(const View& view, StepsPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
