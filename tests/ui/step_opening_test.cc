// What of a step is open, and what waits.
#include "state/step_opening.h"

#include <gtest/gtest.h>

namespace warpshop::ui {
namespace {

TEST(StepOpening, WaitsForTheAnswersAndTheRun) {
  lab::Step step;
  step.questions.resize(2);
  step.questions[0].choices = {"a", "b"};
  step.questions[1].number.emplace().value = 4;
  lab::Step exercise = step;
  exercise.exercise.emplace();
  lab::Step estimated = exercise;
  estimated.exercise->estimate.emplace();
  lab::StepProgress expected;
  expected.answers[0] = 1;
  expected.numbers[1] = 4;
  expected.estimate = 2;
  const auto progress = [](bool choice, bool number, int runs, bool passed) {
    lab::StepProgress out;
    if (choice) out.answers[0] = 1;
    if (number) out.numbers[1] = 3;  // right or wrong
    out.runs = runs;
    out.passed = passed;
    return out;
  };
  const struct {
    const char* what;
    const lab::Step& step;
    lab::StepProgress progress;
    bool has_run;
    StepOpening opening;
  } kCases[] = {
      {"a new page", step, progress(false, false, 0, false), false, {2, false, false, false}},
      {"half answered", step, progress(true, false, 0, false), false, {1, false, false, false}},
      {"answered", step, progress(true, true, 0, false), false, {0, false, true, true}},
      {"a new exercise",
       exercise,
       progress(false, false, 0, false),
       false,
       {2, true, false, false}},
      {"run, not answered",
       exercise,
       progress(false, true, 3, false),
       true,
       {1, false, false, false}},
      {"answered, not run",
       exercise,
       progress(true, true, 0, false),
       false,
       {0, true, false, false}},
      {"the first result is there",
       exercise,
       progress(true, true, 0, false),
       true,
       {0, false, true, false}},
      {"opened again", exercise, progress(true, true, 1, false), false, {0, false, true, false}},
      {"passed", exercise, progress(true, true, 4, true), true, {0, false, true, true}},
      {"passed, with a question left",
       exercise,
       progress(false, true, 4, true),
       true,
       {1, false, false, true}},
      {"answered and run, but nothing was expected",
       estimated,
       progress(true, true, 2, false),
       true,
       {0, false, false, false, true}},
      {"expected, not run", estimated, expected, false, {0, true, false, false, false}},
      {"expected and run", estimated, expected, true, {0, false, true, false, false}},
      {"passed without an estimate, for which it is too late",
       estimated,
       progress(true, true, 2, true),
       true,
       {0, false, true, true, false}},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(opening_of(c.step, &c.progress, c.has_run, false), c.opening) << c.what;
    StepOpening all = c.opening;
    all.after_run = all.passed = true;
    EXPECT_EQ(opening_of(c.step, &c.progress, c.has_run, true), all) << c.what;
  }
  EXPECT_EQ(opening_of(exercise, nullptr, false, false), (StepOpening{2, true, false, false}));
  EXPECT_EQ(opening_of(lab::Step(), nullptr, false, false), (StepOpening{0, false, true, true}));
}

}  // namespace
}  // namespace warpshop::ui
