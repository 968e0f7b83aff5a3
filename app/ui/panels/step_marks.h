// How far a student is, drawn: the mark of a step, the bar of a lab, and what both say in words.
#pragma once

#include <string>

#include "app/commands.h"
#include "app/view.h"
#include "imgui.h"
#include "state/step_state.h"

namespace warpshop::ui {

// Filled with a tick: passed. A ring with a tick: passed, questions left. A ring with a dot: begun.
// `here`: the open step.
void draw_step_mark(ImDrawList* list, ImVec2 center, StepState state, bool here);
// "Passed", "Passed · 2 questions left", "Begun", "Not begun"
std::string step_state_words(const lab::Step& step, const lab::StepProgress* progress);

// A part for each step; the mouse over one names it, a click opens it.
void lab_progress_bar(const View& view, const lab::Lab& lab, ImVec2 at, float width,
                      CommandQueue& queue);
// "3 of 11 steps passed · 2 questions left"
std::string lab_state_words(const LabState& state);

// A row of a pop-up list: the step with its mark, or the lab with how far it is. True when it is
// chosen.
bool step_row(const View& view, const lab::Lab& lab, const lab::Step& step, float width);
bool lab_row(const View& view, const lab::Lab& lab, float width);

}  // namespace warpshop::ui
