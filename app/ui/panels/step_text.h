// The text of the open step with its questions and hints: beside the editor, or, where a step has
// no kernel, in its place.
#pragma once

#include <string>

#include "app/commands.h"
#include "app/view.h"
#include "draw/markdown_view.h"
#include "panels/questions.h"
#include "panels/text_figures.h"

namespace warpshop::ui {

struct StepTextState {
  MarkdownView text, task;  // the task stands behind the questions
  std::string shown;        // "lab/step" whose text is shown: a change scrolls to the top
  int hints_seen = -1;      // a new hint scrolls into sight
  int hint_frames = 0;      // until its height is known
  FollowedAnswer answer;
  TextFigures figures;
};

// At each side of a text in a place of that width, in pixels: lines stay short enough to read.
float page_margin(float width);

// Inside of the window that scrolls: at the top where another step was opened; else the page keys
// turn it.
void turn_pages(const View& view, StepTextState& state);
UnansweredBelow step_text(const View& view, StepTextState& state, CommandQueue& queue);

// The editor's panel in a step that has no kernel: the text as a page, larger, in lines that are
// short enough to read.
void reading_panel(const View& view, StepTextState& state, CommandQueue& queue);

}  // namespace warpshop::ui
