// How lists of steps and labs show progress.
#include "state/step_state.h"

#include <gtest/gtest.h>

#include <optional>

namespace warpshop::ui {
namespace {

lab::Step step_with(const char* id, size_t questions) {
  lab::Step step;
  step.id = id;
  step.questions.resize(questions);
  for (lab::Question& question : step.questions) question.choices = {"a", "b"};
  return step;
}

lab::Step exercise_with(const char* id, size_t questions) {
  lab::Step step = step_with(id, questions);
  step.exercise.emplace().solution = "solved";
  return step;
}

lab::StepProgress progress_of(bool passed, int runs, size_t answers) {
  lab::StepProgress progress;
  progress.passed = passed;
  progress.runs = runs;
  for (size_t n = 0; n < answers; ++n) progress.answers[static_cast<int>(n)] = 0;
  return progress;
}

TEST(StepState, SaysWhatWasDoneAndWhatWasSkipped) {
  struct Case {
    const char* what;
    size_t questions;
    std::optional<lab::StepProgress> progress;
    StepState state;
    size_t left;
  };
  const Case cases[] = {
      {"never opened", 2, std::nullopt, StepState::kNew, 2},
      {"opened", 2, progress_of(false, 0, 0), StepState::kNew, 2},
      {"a question answered", 2, progress_of(false, 0, 1), StepState::kBegun, 1},
      {"run", 0, progress_of(false, 1, 0), StepState::kBegun, 0},
      {"passed, its questions skipped", 2, progress_of(true, 5, 1), StepState::kQuestionsLeft, 1},
      {"passed", 2, progress_of(true, 5, 2), StepState::kPassed, 0},
      {"passed, without questions", 0, progress_of(true, 1, 0), StepState::kPassed, 0},
      {"a lab that has fewer questions by now", 1, progress_of(true, 1, 3), StepState::kPassed, 0},
  };
  for (const Case& c : cases) {
    const lab::Step step = exercise_with("a", c.questions);
    const lab::StepProgress* progress = c.progress ? &*c.progress : nullptr;
    EXPECT_EQ(step_state(step, progress), c.state) << c.what;
    EXPECT_EQ(questions_left(step, progress), c.left) << c.what;
  }
}

TEST(StepState, AnOwnKernelIsNothingToPass) {
  lab::LabLibrary labs;
  lab::Lab& lab = labs.labs.emplace_back();
  lab.id = "own";
  lab.steps.push_back(step_with("kernel", 0));
  lab.steps.back().exercise.emplace();  // without a solution: compared with itself
  lab::Progress progress;
  progress.steps["own/kernel"] = progress_of(true, 1, 0);
  EXPECT_EQ(step_state(lab.steps[0], &progress.steps["own/kernel"]), StepState::kBegun);
  EXPECT_EQ(all_labs_state(labs, progress).steps, 0u);
  EXPECT_EQ(all_labs_state(labs, progress).passed, 0u);
}

TEST(StepState, OfALabCountsItsSteps) {
  lab::LabLibrary labs;
  labs.labs.resize(2);
  lab::Lab& lab = labs.labs[0];
  lab.id = "one";
  lab.steps.push_back(step_with("only read", 0));
  for (const char* id : {"a", "b", "c"}) lab.steps.push_back(step_with(id, 1));
  labs.labs[1].id = "two";
  labs.labs[1].steps.push_back(step_with("d", 1));
  lab::Progress progress;
  EXPECT_FALSE(lab_state(lab, progress).begun);
  EXPECT_EQ(next_step(lab, progress)->id, "a");
  progress.steps["one/a"] = progress_of(true, 1, 0);
  progress.steps["one/b"] = progress_of(false, 1, 1);
  const LabState one = lab_state(lab, progress);
  EXPECT_EQ(one.passed, 1u);
  EXPECT_EQ(one.steps, 3u);
  EXPECT_EQ(one.questions_left, 1u) << "of the step that is passed";
  EXPECT_TRUE(one.begun);
  EXPECT_FALSE(one.done());
  EXPECT_EQ(next_step(lab, progress)->id, "b");
  progress.steps["two/d"] = progress_of(true, 1, 0);
  EXPECT_EQ(all_labs_state(labs, progress).passed, 2u);
  EXPECT_EQ(all_labs_state(labs, progress).steps, 4u);
  for (const char* step : {"one/b", "one/c"}) progress.steps[step] = progress_of(true, 1, 1);
  EXPECT_TRUE(lab_state(lab, progress).done());
  EXPECT_EQ(next_step(lab, progress)->id, "only read") << "all are passed: the first";
  EXPECT_EQ(next_step(lab::Lab{}, progress), nullptr);
}

}  // namespace
}  // namespace warpshop::ui
