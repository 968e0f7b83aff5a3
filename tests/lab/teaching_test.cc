// What the program's own labs promise their students together.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "lab/lab.h"

namespace warpshop::lab {
namespace {

class Teaching : public testing::Test {
 protected:
  Teaching() : library_(load_labs(WARPSHOP_SOURCE_DIR)) {
    EXPECT_TRUE(library_.problems.empty()) << render(library_.problems);
    EXPECT_EQ(library_.labs.size(), 20U);
  }
  template <typename Visit>
  void for_each_step(Visit visit) const {
    for (const Lab& lab : library_.labs) {
      for (const Step& step : lab.steps) visit(lab.id + "/" + step.id, step);
    }
  }
  LabLibrary library_;
};

TEST_F(Teaching, EachStepSaysWhatItIsForAndWhatWasLearned) {
  for_each_step([](const std::string& place, const Step& step) {
    EXPECT_NE(step.able, "") << place;
    EXPECT_EQ(step.learned.size(), 2U) << place;
    EXPECT_FALSE(step.questions.empty()) << place;
  });
}

TEST_F(Teaching, AThirdOfTheQuestionsAsksForANumberInEachLab) {
  std::map<std::string, std::pair<int, int>> of_lab;  // typed, all
  for_each_step([&](const std::string& place, const Step& step) {
    auto& [typed, all] = of_lab[place.substr(0, place.find('/'))];
    for (const Question& question : step.questions) {
      typed += question.number ? 1 : 0;
      ++all;
    }
  });
  for (const auto& [lab, counts] : of_lab) EXPECT_GE(3 * counts.first, counts.second) << lab;
}

TEST_F(Teaching, EachExerciseAsksForATimeOrARatioAndAThirdStartsFromAnEmptyBody) {
  int exercises = 0, empty = 0;
  for_each_step([&](const std::string& place, const Step& step) {
    if (!step.exercise) return;
    ++exercises;
    EXPECT_TRUE(step.exercise->estimate) << place;
    if (!step.exercise->contract) return;
    ++empty;
    EXPECT_FALSE(step.exercise->contract->budget.empty()) << place;
  });
  EXPECT_GE(3 * empty, exercises);
}

TEST_F(Teaching, EachLabEndsWithFiveQuestionsOverTheLabsSoFar) {
  for (const Lab& lab : library_.labs) {
    EXPECT_EQ(lab.steps.back().id, "review") << lab.id;
    EXPECT_EQ(lab.steps.back().questions.size(), 5U) << lab.id;
  }
}

// Whoever always takes the choice in one place is right as often as by chance: within four standard
// deviations, so that a lab may be edited without luck.
TEST_F(Teaching, TheRightAnswerIsInAnyPlace) {
  constexpr size_t kMost = 6;
  std::vector<double> found(kMost), expected(kMost), variance(kMost);
  for_each_step([&](const std::string& place, const Step& step) {
    for (const Question& question : step.questions) {
      if (question.number) continue;
      const size_t choices = question.choices.size();
      ASSERT_LE(choices, kMost) << place;
      const auto right = std::find(question.order.begin(), question.order.end(), question.answer);
      ASSERT_NE(right, question.order.end()) << place;
      ++found[static_cast<size_t>(right - question.order.begin())];
      const double chance = 1 / static_cast<double>(choices);
      for (size_t p = 0; p < choices; ++p) {
        expected[p] += chance;
        variance[p] += chance * (1 - chance);
      }
    }
  });
  for (size_t p = 0; p < kMost; ++p)
    EXPECT_NEAR(found[p], expected[p], 4 * std::sqrt(variance[p]) + 1e-9) << "place " << p + 1;
}

}  // namespace
}  // namespace warpshop::lab
