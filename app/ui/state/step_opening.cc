#include "state/step_opening.h"

#include "state/step_state.h"

namespace warpshop::ui {

StepOpening opening_of(const lab::Step& step, const lab::StepProgress* progress, bool has_run,
                       bool everything) {
  StepOpening out;
  out.questions_left = questions_left(step, progress);
  out.run_left = step.exercise && !has_run && (!progress || progress->runs == 0);
  const bool passed = step.exercise ? progress && progress->passed : out.questions_left == 0;
  out.estimate_left =
      step.exercise && step.exercise->estimate && !passed && !(progress && progress->estimate);
  out.after_run = everything || (out.questions_left == 0 && !out.run_left && !out.estimate_left);
  out.passed = everything || passed;
  return out;
}

}  // namespace warpshop::ui
