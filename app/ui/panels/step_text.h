// The text of the open step with its questions and hints, beside the editor, or in its place for a
// step without a kernel.
#pragma once

#include <set>
#include <string>

#include "app/commands.h"
#include "app/view.h"
#include "draw/markdown_view.h"
#include "panels/questions.h"
#include "panels/scroll_keeper.h"
#include "panels/text_figures.h"

namespace warpshop::ui {

struct StepTextState {
  MarkdownView title, text, task, after_run;  // the task follows the questions
  std::string shown;    // "lab/step" of the text shown; a change scrolls to the top
  int hints_seen = -1;  // a new hint scrolls into view
  int hint_frames = 0;  // until its height is known
  QuestionsState questions;
  NumberFieldState estimate;
  std::set<size_t> further;  // answers that are unfolded
  ScrollKeeper keeper;
  TextFigures figures;
};

// Returns the margin on each side of a text, in pixels, that keeps lines short enough to read.
float page_margin(float width);

// Call inside the scrolling window: scrolls to the top if another step was opened, and otherwise
// scrolls by pages with the page keys.
void turn_pages(const View& view, StepTextState& state);
UnansweredBelow step_text(const View& view, StepTextState& state, CommandQueue& queue);

// Draws the editor's panel in a step without a kernel: the text as a page, in larger type and lines
// short enough to read.
void reading_panel(const View& view, StepTextState& state, CommandQueue& queue);

}  // namespace warpshop::ui
