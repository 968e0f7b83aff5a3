// What gives an answer away, on steps made by hand.
#include "proof/leaks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/text_id.h"

namespace warpshop::lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Question choice(std::vector<std::string> choices, int answer) {
  Question question;
  question.choices = std::move(choices);
  question.answer = answer;
  question.line = 7;
  return question;
}

Question number(double value, std::string unit) {
  Question question;
  question.number = NumberAnswer{value, 0, std::move(unit), {}};
  question.line = 7;
  return question;
}

TEST(Leaks, ARightAnswerInTheVisibleTextIsFound) {
  const struct {
    const char* name;
    const char* text;
    Question question;
    bool leaks;
  } kCases[] = {
      {"stated", "A warp asks for 4 sectors.", choice({"4 sectors", "8 sectors"}, 0), true},
      {"the wrong one", "A warp asks for 4 sectors.", choice({"4 sectors", "8 sectors"}, 1), false},
      {"marks and case", "**Four\n`sectors`** move.", choice({"four sectors", "eight sectors"}, 0),
       true},
      {"after the run", "A warp.\n<!-- after the run -->\nIt asks for 4 sectors.\n",
       choice({"4 sectors", "8 sectors"}, 0), false},
      {"inside a longer number", "It has 14 sectors.", choice({"4 sectors", "8 sectors"}, 0),
       false},
      {"inside a decimal", "It has 1.4 sectors.", choice({"4 sectors", "8 sectors"}, 0), false},
      {"inside a longer word", "Walk columnwise.", choice({"column", "diagonal"}, 0), false},
      {"commas of thousands", "That is 65,536 elements.",
       choice({"65536 elements", "4096 elements"}, 0), true},
      {"both choices as words", "A row, or a column.", choice({"column", "row"}, 0), false},
      {"one choice as a word", "It reads a column.", choice({"column", "diagonal"}, 0), true},
      {"a bare number among its rivals", "32 lanes read 4 bytes.", choice({"32", "4"}, 0), false},
      {"a bare number alone", "A warp has 32 lanes.", choice({"32", "4"}, 0), true},
      {"a short word", "Yes, and no.", choice({"yes", "perhaps"}, 0), false},
      {"a number with its unit", "A line has 128 bytes.", number(128, "bytes"), true},
      {"a number with another unit", "A line has 128 bits.", number(128, "bytes"), false},
      {"a number without a unit", "A line has 128 bytes.", number(128, ""), false},
      {"a decimal", "It is 3.6 times as fast.", number(3.6, "times"), true},
      {"half of a decimal", "It is 13.6 times as fast.", number(3.6, "times"), false},
      {"a large number", "All 1,048,576 bytes.", number(1048576, "bytes"), true},
      {"a fraction's digits", "It is 128.5 bytes.", number(5, "bytes"), false},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.name);
    Step step;
    step.text = c.text;
    step.questions = {c.question};
    const std::vector<std::string> leaks = leaks_of(step);
    EXPECT_EQ(leaks.size(), c.leaks ? 1U : 0U) << (leaks.empty() ? "" : leaks[0]);
    for (const std::string& leak : leaks)
      EXPECT_THAT(leak, HasSubstr("lab.toml:7: what is shown before the question says"));
  }
}

TEST(Leaks, AnExplanationAnswersNoLaterQuestionOfAPage) {
  Step step;
  step.questions = {number(4, "sectors"), number(128, "bytes")};
  step.questions[0].explanation = "4 × 32 are 128 bytes.";
  EXPECT_THAT(leaks_of(step), ElementsAre(HasSubstr("says \"128 bytes\"")));
  std::swap(step.questions[0].number, step.questions[1].number);
  EXPECT_THAT(leaks_of(step), IsEmpty()) << "an explanation may say its own question's answer";
  std::swap(step.questions[0].number, step.questions[1].number);
  step.exercise.emplace();
  EXPECT_THAT(leaks_of(step), IsEmpty()) << "in an exercise they open after the run";
}

TEST(Leaks, AnAnswerThatItsLengthSetsApartIsFound) {
  const std::string ten = "1234567890", twenty = ten + "abcdefghij";
  const struct {
    std::vector<std::string> choices;  // the first is right
    const char* says;                  // empty: nothing
  } kCases[] = {
      {{twenty + ten + "abc", twenty}, "longer than every other"},  // 33 : 20
      {{twenty + ten + "ab", twenty}, ""},                          // 32 : 20, exactly 1.6
      {{twenty + ten, twenty, ten}, ""},                            // the longest other counts
      {{"memory", "tensor cores' operands"}, "much shorter"},
      {{"memory", "tensor cores' operands", "lanes"}, ""},  // another is as short
      {{"128", "4"}, ""},                                   // numbers have no length
  };
  for (const auto& c : kCases) {
    Step step;
    step.questions = {choice(c.choices, 0)};
    const std::vector<std::string> leaks = leaks_of(step);
    if (*c.says == 0) {
      EXPECT_THAT(leaks, IsEmpty()) << c.choices[0];
    } else {
      EXPECT_THAT(leaks, ElementsAre(HasSubstr(c.says)));
    }
  }
}

TEST(Leaks, TheSolutionsRowBelongsAfterTheRun) {
  Step step;
  step.text_file = "labs/x/scale.md";
  step.text =
      "| kernel | µs |\n|---|---|\n| scattered (the start) | 9 |\n| close (the solution) | 3 |\n";
  EXPECT_THAT(leaks_of(step), IsEmpty()) << "a page for reading has no solution of the student's";
  step.exercise.emplace();
  EXPECT_THAT(leaks_of(step), ElementsAre(HasSubstr("scale.md:4: the solution's row")));
  step.text = "Before.\n<!-- after the run -->\n" + step.text;
  EXPECT_THAT(leaks_of(step), IsEmpty());
  step.text = "| kernel | µs |\n|---|---|\n| the start | 9 |\n| the solution | 3 |\n";
  EXPECT_THAT(leaks_of(step), ElementsAre(HasSubstr("scale.md:4: the solution's row")));
}

TEST(Leaks, NewLinesAreThoseThatTheStartLacks) {
  Exercise exercise;
  exercise.skeleton = "void f() {\n  int i = 1;\n}\n";
  exercise.solution = "// Neighbours.\nvoid f() {\n\n  int i = 2;\n  g(i);\n  g(i);\n    }\n";
  EXPECT_EQ(new_lines(exercise), 3);  // i = 2, and g twice; an indented brace is no new line
  exercise.skeleton = exercise.solution;
  EXPECT_EQ(new_lines(exercise), 0);
}

TEST(Leaks, TheGainIsThatOfTheRecordedTimes) {
  Lab lab;
  Step step;
  step.id = "scale";
  EXPECT_FALSE(recorded_gain(lab, step, "h200"));
  step.exercise.emplace();
  step.exercise->skeleton = "start";
  step.exercise->solution = "solution";
  RecordedTimes times;
  times.gpu = "h200";
  times.times.resize(3);
  times.times[0].step = times.times[1].step = "scale";
  times.times[0].text = text_id("start");
  times.times[0].warm_us = 90;
  times.times[1].text = text_id("solution");
  times.times[1].warm_us = 25;
  times.times[2] = times.times[1];
  times.times[2].step = "other";
  times.times[2].warm_us = 1;
  lab.recorded_times = {times};
  EXPECT_EQ(recorded_gain(lab, step, "h200"), 3.6);
  EXPECT_FALSE(recorded_gain(lab, step, "h100"));
  step.exercise->solution = "changed since";
  EXPECT_FALSE(recorded_gain(lab, step, "h200"));
}

}  // namespace
}  // namespace warpshop::lab
