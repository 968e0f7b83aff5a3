#include "state/step_state.h"

namespace warpshop::ui {

size_t questions_left(const lab::Step& step, const lab::StepProgress* progress) {
  size_t left = 0;
  for (int i = 0; i < static_cast<int>(step.questions.size()); ++i)
    left += progress && progress->answered(step, i) ? 0 : 1;
  return left;
}

bool can_be_passed(const lab::Step& step) {
  return (step.exercise && step.exercise->has_solution()) || !step.questions.empty();
}

StepState step_state(const lab::Step& step, const lab::StepProgress* progress) {
  if (!progress) return StepState::kNew;
  if (progress->passed && can_be_passed(step))
    return questions_left(step, progress) > 0 ? StepState::kQuestionsLeft : StepState::kPassed;
  const bool begun = progress->runs > 0 || !progress->answers.empty() ||
                     !progress->numbers.empty() || progress->estimate;
  return begun ? StepState::kBegun : StepState::kNew;
}

LabState lab_state(const lab::Lab& lab, const lab::Progress& progress) {
  LabState all;
  for (const lab::Step& step : lab.steps) {
    if (!can_be_passed(step)) continue;
    ++all.steps;
    const lab::StepProgress* of_step = progress.find(lab, step);
    const StepState state = step_state(step, of_step);
    all.begun |= state != StepState::kNew;
    if (!of_step || !of_step->passed) continue;
    ++all.passed;
    all.questions_left += questions_left(step, of_step);
  }
  return all;
}

LabState all_labs_state(const lab::LabLibrary& labs, const lab::Progress& progress) {
  LabState all;
  for (const lab::Lab& lab : labs.labs) {
    const LabState one = lab_state(lab, progress);
    all.steps += one.steps;
    all.passed += one.passed;
    all.questions_left += one.questions_left;
    all.begun |= one.begun;
  }
  return all;
}

const lab::Step* next_step(const lab::Lab& lab, const lab::Progress& progress) {
  for (const lab::Step& step : lab.steps) {
    const lab::StepProgress* done = progress.find(lab, step);
    if (can_be_passed(step) && (!done || !done->passed)) return &step;
  }
  return lab.steps.empty() ? nullptr : &lab.steps.front();
}

}  // namespace warpshop::ui
