// Decides how much of a step is open to the student: anything that would answer its questions
// waits. No drawing.
#pragma once

#include <cstddef>

#include "lab/lab.h"
#include "lab/progress.h"

namespace warpshop::ui {

struct StepOpening {
  size_t questions_left = 0;
  bool run_left = false;       // an exercise of which no version has run
  bool after_run = false;      // the text's second part: lab/step_text.h
  bool passed = false;         // what was learned, and answers to further questions
  bool estimate_left = false;  // an exercise asks for one, and no version has passed yet
  bool operator==(const StepOpening&) const = default;
};

// `has_run`: a kernel has run, so that its figures are shown; text that does not compile has not.
// `everything`: as a lecturer sees it, before any answer.
StepOpening opening_of(const lab::Step& step, const lab::StepProgress* progress, bool has_run,
                       bool everything);

}  // namespace warpshop::ui
