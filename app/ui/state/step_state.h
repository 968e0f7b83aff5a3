// A student's progress in a step and in a lab, as shown by every list of them. No drawing.
#pragma once

#include <cstddef>

#include "lab/lab.h"
#include "lab/progress.h"

namespace warpshop::ui {

enum class StepState {
  kNew,
  kBegun,          // run, or a question answered
  kQuestionsLeft,  // passed, except for skipped questions
  kPassed,
};
// `progress` may be null.
StepState step_state(const lab::Step& step, const lab::StepProgress* progress);
size_t questions_left(const lab::Step& step, const lab::StepProgress* progress);

// False for a text without questions: it is read only, with nothing to pass.
bool can_be_passed(const lab::Step& step);

struct LabState {
  size_t steps = 0, passed = 0;  // only those that can be passed
  size_t questions_left = 0;     // in passed steps
  bool begun = false;
  bool done() const { return steps > 0 && passed == steps; }
};
LabState lab_state(const lab::Lab& lab, const lab::Progress& progress);
LabState all_labs_state(const lab::LabLibrary& labs, const lab::Progress& progress);

// The first step that is not passed, else the first; null in a lab without steps.
const lab::Step* next_step(const lab::Lab& lab, const lab::Progress& progress);

}  // namespace warpshop::ui
