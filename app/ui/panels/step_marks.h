// Draws a student's progress: a mark per step, a bar per lab, and both in words.
#pragma once

#include <string>

#include "app/commands.h"
#include "app/view.h"
#include "imgui.h"
#include "state/step_state.h"

namespace warpshop::ui {

// Draws a filled disc with a tick if passed, a ring with a tick if passed with questions left, a
// ring with a dot if started. `here`: this is the open step.
void draw_step_mark(ImDrawList* list, ImVec2 center, StepState state, bool here);
// "Passed", "Passed · 2 questions left", "Begun", "Not begun"
std::string step_state_words(const lab::Step& step, const lab::StepProgress* progress);

// Draws a segment per step; hovering names the step, a click opens it.
void lab_progress_bar(const View& view, const lab::Lab& lab, ImVec2 at, float width,
                      CommandQueue& queue);
// "3 of 11 steps passed · 2 questions left"
std::string lab_state_words(const LabState& state);

// Draws a row of a pop-up list: the step with its mark, or the lab with its progress. True when
// chosen.
bool step_row(const View& view, const lab::Lab& lab, const lab::Step& step, float width);
bool lab_row(const View& view, const lab::Lab& lab, float width);
// The width at which the list of labs shows every title whole, if the window has room for it.
float lab_row_width(const View& view);

}  // namespace warpshop::ui
