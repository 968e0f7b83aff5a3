// How far a student is with a step and with a lab: what every list of them shows. No drawing.
#pragma once

#include <cstddef>

#include "lab/lab.h"
#include "lab/workspace.h"

namespace warpshop::ui {

enum class StepState {
  kNew,
  kBegun,          // run, or a question answered
  kQuestionsLeft,  // passed, but for questions that were skipped
  kPassed,
};
// `progress` may be null.
StepState step_state(const lab::Step& step, const lab::StepProgress* progress);
size_t questions_left(const lab::Step& step, const lab::StepProgress* progress);

// A text without questions is read, and there is nothing to pass.
bool can_be_passed(const lab::Step& step);

struct LabState {
  size_t steps = 0, passed = 0;  // of those that can be passed
  size_t questions_left = 0;     // of steps that are passed
  bool begun = false;
  bool done() const { return steps > 0 && passed == steps; }
};
LabState lab_state(const lab::Lab& lab, const lab::Progress& progress);
LabState all_labs_state(const lab::LabLibrary& labs, const lab::Progress& progress);

// The first step that is not passed, else the first; null in a lab without steps.
const lab::Step* next_step(const lab::Lab& lab, const lab::Progress& progress);

}  // namespace warpshop::ui
