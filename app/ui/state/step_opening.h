// How much of a step is open to the student: what would answer its questions waits. No drawing.
#pragma once

#include <cstddef>

#include "lab/lab.h"
#include "lab/progress.h"

namespace warpshop::ui {

struct StepOpening {
  size_t questions_left = 0;
  bool run_left = false;   // an exercise of which no version has run
  bool after_run = false;  // the text's second part: lab/step_text.h
  bool passed = false;     // what was learned, and answers to further questions
  bool operator==(const StepOpening&) const = default;
};

// `has_run`: a result is shown. `everything`: as a lecturer sees it, before any answer.
StepOpening opening_of(const lab::Step& step, const lab::StepProgress* progress, bool has_run,
                       bool everything);

}  // namespace warpshop::ui
