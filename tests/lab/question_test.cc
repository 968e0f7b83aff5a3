// What a lab asks: numbers to type, choices in an order of their own, estimates, contracts, and the
// part of a text that waits for the answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "broken_lab.h"
#include "files/question_file.h"
#include "lab/shown_choices.h"
#include "lab/step_text.h"

namespace warpshop::lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kChoices = "choices = [\"4\", \"32\", \"128\"]\nanswer = \"32\"\n";

TEST(Question, ANumberIsReadWithItsToleranceAndUnit) {
  BrokenLab lab;
  lab.change(kChoices, "number = 32.5\ntolerance = 0.5\nunit = \"bytes\"\n");
  const Result<Lab> read = lab.load();
  ASSERT_TRUE(read.ok()) << render(read.errors());
  const Question& question = read->steps[0].questions[0];
  ASSERT_TRUE(question.number);
  EXPECT_EQ(question.number->value, 32.5);
  EXPECT_EQ(question.number->tolerance, 0.5);
  EXPECT_EQ(question.number->unit, "bytes");
  EXPECT_EQ(question.number->unit_of(32), "bytes");
  EXPECT_EQ(question.number->unit_of(1), "byte");
  EXPECT_TRUE(question.choices.empty());
  EXPECT_EQ(question.line, line_of(lab.text(), "[[step.question]]"));
}

TEST(Question, ANumberIsRightUpToItsTolerance) {
  const struct {
    double value, tolerance, typed;
    bool right;
  } kCases[] = {
      {128, 0, 128, true},       {128, 0, 128.5, false}, {128, 0, 127, false},
      {0.3, 0, 0.1 + 0.2, true},  // the same number in another rounding
      {3.6, 0.2, 3.8, true},     {3.6, 0.2, 3.4, true},  {3.6, 0.2, 3.81, false},
      {3.6, 0.2, 3.39, false},   {-2, 0.5, -2.5, true},  {-2, 0.5, 2, false},
      {0, 0, 0, true},           {0, 0, 1e-6, false},    {128, 0, INFINITY, false},
      {128, 5, NAN, false},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ((NumberAnswer{c.value, c.tolerance, {}, {}}).accepts(c.typed), c.right)
        << c.typed << " for " << c.value << " ± " << c.tolerance;
  }
}

TEST(Question, AStepPromisesAndAsksFurther) {
  BrokenLab lab;
  lab.change("text = \"scale.md\"\n", R"(text = "scale.md"
able = "tell neighbours apart"
learned = ["One.", "Two."]
[[step.further]]
ask = "And twice as wide?"
answer = "Eight."
)");
  lab.change("useful_bytes = ", R"(estimate = { ask = "How many µs?", of = "time" }
contract = { text = "Doubles.", lines = 2, budget = ["1 load", "1 store"] }
useful_bytes = )");
  const Result<Lab> read = lab.load();
  ASSERT_TRUE(read.ok()) << render(read.errors());
  const Step& scale = *read->find_step("scale");
  EXPECT_EQ(scale.able, "tell neighbours apart");
  EXPECT_THAT(scale.learned, ElementsAre("One.", "Two."));
  ASSERT_EQ(scale.further.size(), 1U);
  EXPECT_EQ(scale.further[0].ask, "And twice as wide?");
  EXPECT_EQ(scale.further[0].answer, "Eight.");
  ASSERT_TRUE(scale.exercise->estimate);
  EXPECT_EQ(scale.exercise->estimate->of, Estimate::Of::kTime);
  EXPECT_EQ(scale.exercise->estimate->ask, "How many µs?");
  ASSERT_TRUE(scale.exercise->contract);
  EXPECT_EQ(scale.exercise->contract->text, "Doubles.");
  EXPECT_EQ(scale.exercise->contract->lines, 2);
  EXPECT_THAT(scale.exercise->contract->budget, ElementsAre("1 load", "1 store"));
  BrokenLab without;
  without.change("useful_bytes = ",
                 "estimate = { ask = \"How many times?\", of = \"speedup\" }\nuseful_bytes = ");
  const Result<Lab> other = without.load();
  ASSERT_TRUE(other.ok()) << render(other.errors());
  EXPECT_EQ(other->find_step("scale")->exercise->estimate->of, Estimate::Of::kSpeedup);
  const Step& reading = read->steps[0];
  EXPECT_TRUE(reading.able.empty() && reading.learned.empty() && reading.further.empty());
}

TEST(Question, EveryMistakeIsNamedWithItsLine) {
  const struct {
    const char* name;
    std::string from, to;
    std::string at;  // text on the line of the error, in the changed file
    const char* message;
  } kCases[] = {
      {"no tolerance", kChoices, "number = 32\n", "number = 32", "no 'tolerance'"},
      {"negative tolerance", kChoices, "number = 32\ntolerance = -1\n", "tolerance = -1",
       "0 or more"},
      {"endless tolerance", kChoices, "number = 32\ntolerance = inf\n", "tolerance = inf",
       "0 or more"},
      {"tolerance is text", kChoices, "number = 32\ntolerance = \"1\"\n",
       "tolerance =", "'tolerance' must be a number"},
      {"no number", kChoices, "number = \"32\"\ntolerance = 0\n",
       "number =", "'number' must be a number"},
      {"endless number", kChoices, "number = inf\ntolerance = 0\n", "number =", "finite"},
      {"number and choices", "answer = \"32\"\n", "number = 32\ntolerance = 0\n",
       "choices =", "either 'number', or 'choices' and 'answer'"},
      {"number and answer", "choices = [\"4\", \"32\", \"128\"]\n", "number = 32\ntolerance = 0\n",
       "answer =", "either 'number', or 'choices' and 'answer'"},
      {"unit of a choice", kChoices, kChoices + "unit = \"bytes\"\n",
       "unit =", "unknown key 'unit'"},
      {"no explanation", "explanation = ", "#explanation = ", "[[step.question]]",
       "has no 'explanation'"},
      {"formula in a further answer", "[[step.question]]",
       "[[step.further]]\nask = \"x\"\nanswer = \"$*$\"\n[[step.question]]", "answer = \"$*$\"",
       "the sign '*'"},
      {"formula in a promise", "text = \"reading.md\"\n", "text = \"reading.md\"\nable = \"$*$\"\n",
       "able =", "the sign '*'"},
      {"formula in what was learned", "text = \"reading.md\"\n",
       "text = \"reading.md\"\nlearned = [\"x\", \"$*$\"]\n", "learned =", "the sign '*'"},
      {"formula in an estimate", "useful_bytes = ",
       "estimate = { ask = \"$*$\", of = \"time\" }\nuseful_bytes = ", "estimate", "the sign '*'"},
      {"formula in a budget", "useful_bytes = ",
       "contract = { text = \"x\", lines = 3, budget = [\"$*$\"] }\nuseful_bytes = ", "contract",
       "the sign '*'"},
      {"further without an answer", "[[step.question]]",
       "[[step.further]]\nask = \"x\"\n[[step.question]]", "[[step.further]]", "has no 'answer'"},
      {"one line learned", "text = \"reading.md\"\n", "text = \"reading.md\"\nlearned = [\"x\"]\n",
       "learned", "'learned' has two lines"},
      {"estimate of something else",
       "useful_bytes = ", "estimate = { ask = \"x\", of = \"bytes\" }\nuseful_bytes = ", "estimate",
       "no estimate of 'bytes'"},
      {"estimate of nothing",
       "useful_bytes = ", "estimate = { ask = \"x\" }\nuseful_bytes = ", "estimate", "has no 'of'"},
      {"speedup of an empty start", "useful_bytes = ",
       "estimate = { ask = \"x\", of = \"speedup\" }\ncontract = { text = \"x\", lines = 3, budget "
       "= "
       "[\"y\"] }\nuseful_bytes = ",
       "estimate", "has no time that a speedup could be relative to"},
      {"contract of no line", "useful_bytes = ",
       "contract = { text = \"x\", lines = 0, budget = [\"y\"] }\nuseful_bytes = ", "contract",
       "'lines' is from 1 to 200"},
      {"contract without a budget", "useful_bytes = ",
       "contract = { text = \"x\", lines = 3 }\nuseful_bytes = ", "contract", "has no 'budget'"},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.name);
    BrokenLab broken;
    broken.change(c.from, c.to);
    const Result<Lab> lab = broken.load();
    ASSERT_FALSE(lab.ok());
    ASSERT_EQ(lab.errors().size(), 1U) << render(lab.errors());
    EXPECT_THAT(lab.errors()[0].message.english(), HasSubstr(c.message));
    EXPECT_THAT(lab.errors()[0].place.file, HasSubstr("fixture/lab.toml"));
    EXPECT_EQ(lab.errors()[0].place.line, line_of(broken.text(), c.at));
  }
}

TEST(Question, AMarkThatHidesTheWrongWayIsNamedWithItsLine) {
  const struct {
    const char* name;
    const char* text;
    int line;
    const char* message;
  } kCases[] = {
      {"not alone", "# Sectors\n\nHere: <!-- after the run -->\nmore\n", 3, "hides nothing"},
      {"indented", "# Sectors\n\n <!-- after the run -->\nmore\n", 3, "hides nothing"},
      {"at the end", "# Sectors\n\n<!-- after the run -->\n", 3, "hides nothing"},
      {"only blank lines", "# Sectors\n\n<!-- after the run -->\n\n \n", 3, "hides nothing"},
      {"other words", "a\n\n<!-- After the answers -->\nb\n", 3, "hides nothing"},
      {"twice", "a\n<!-- after the run -->\nb\n<!-- after the run -->\nc\n", 4, "only one"},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.name);
    BrokenLab broken;
    broken.folder().write("labs/fixture/reading.md", c.text);
    const Result<Lab> lab = broken.load();
    ASSERT_FALSE(lab.ok());
    ASSERT_EQ(lab.errors().size(), 1U) << render(lab.errors());
    EXPECT_THAT(lab.errors()[0].message.english(), HasSubstr(c.message));
    EXPECT_THAT(lab.errors()[0].place.file, HasSubstr("reading.md"));
    EXPECT_EQ(lab.errors()[0].place.line, c.line);
  }
  // Nothing would ever open the second part.
  BrokenLab broken;
  const std::string toml = broken.folder().read("labs/fixture/lab.toml");
  const size_t from = toml.find("[[step.question]]"), to = toml.find("[[step]]", from);
  broken.change(toml.substr(from, to - from), "");
  const Result<Lab> lab = broken.load();
  ASSERT_FALSE(lab.ok());
  EXPECT_THAT(lab.errors()[0].message.english(), HasSubstr("nothing opens what follows"));
  EXPECT_EQ(lab.errors()[0].place.line, 5);
}

TEST(StepText, IsDividedAtTheMarksLine) {
  const struct {
    const char* text;
    const char* before;
    const char* after;
  } kCases[] = {
      {"a\n<!-- after the run -->\nb\n", "a\n", "b\n"},
      {"a\r\n<!-- after the run -->\r\nb\r\n", "a\r\n", "b\r\n"},
      {"<!-- after the run -->\nb", "", "b"},
      {"a\n<!-- after the run -->", "a\n", ""},
      {"a <!-- after the run -->\nb", "a <!-- after the run -->\nb", ""},
      {"`<!-- after the run -->`\n<!-- after the run -->\nb", "`<!-- after the run -->`\n", "b"},
      {"", "", ""},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(parts_of(c.text).before, c.before);
    EXPECT_EQ(parts_of(c.text).after_run, c.after);
  }
}

std::vector<int> order_at(const std::string& place, size_t choices) {
  std::string text = "ask = \"?\"\nanswer = \"0\"\nexplanation = \"!\"\nchoices = [\"0\"";
  for (size_t n = 1; n < choices; ++n) text += ", \"" + std::to_string(n) + "\"";
  Diagnostics problems;
  const toml::table table = toml::parse(text + "]");
  std::vector<int> order = read_question(table, place, ".", "lab.toml", problems).order;
  EXPECT_TRUE(problems.empty()) << render(problems);
  return order;
}

// A class sees the choices in one order, on every machine, whatever the language. The orders are
// those of a second implementation, in Python.
TEST(Question, ChoicesAreShownInTheSameOrderEveryTime) {
  EXPECT_THAT(order_at("coalescing/stride/0", 4), ElementsAre(0, 3, 1, 2));
  EXPECT_THAT(order_at("coalescing/one-warp/1", 3), ElementsAre(2, 0, 1));
  EXPECT_THAT(order_at("a/b/0", 2), ElementsAre(0, 1));
  // The place that the loader gives.
  EXPECT_THAT(BrokenLab().load()->steps[0].questions[0].order, ElementsAre(1, 0, 2));
  EXPECT_EQ(order_at("fixture/reading/0", 3), BrokenLab().load()->steps[0].questions[0].order);
}

// Whatever its place in the file, an answer is shown anywhere with the same chance.
TEST(Question, TheAnswerIsFoundAmongTheShownChoices) {
  Question question;
  question.choices = {"4", "32", "128"};
  question.order = {2, 0, 1};
  question.answer = 1;
  const ShownChoices shown = shown_choices(question);
  EXPECT_THAT(shown.choices, ElementsAre("128", "4", "32"));
  EXPECT_EQ(shown.answer, 2);
}

TEST(Question, TheRightAnswerStandsAnywhere) {
  for (const size_t choices : {2U, 3U, 4U, 5U}) {
    std::vector<std::vector<int>> shown(choices, std::vector<int>(choices));
    constexpr int kSteps = 40, kQuestions = 25;
    for (int step = 0; step < kSteps; ++step) {
      for (int question = 0; question < kQuestions; ++question) {
        const std::vector<int> order = order_at(
            "coalescing/step-" + std::to_string(step) + "/" + std::to_string(question), choices);
        ASSERT_EQ(order.size(), choices);
        for (size_t at = 0; at < choices; ++at) ++shown[static_cast<size_t>(order[at])][at];
      }
    }
    // Four standard deviations of a count of successes with chance 1/choices.
    const double mean = 1.0 * kSteps * kQuestions / static_cast<double>(choices);
    const double bound = 4 * std::sqrt(mean * (1 - 1.0 / static_cast<double>(choices)));
    for (const std::vector<int>& of_choice : shown) {
      for (const int count : of_choice) EXPECT_NEAR(count, mean, bound) << choices << " choices";
    }
  }
}

}  // namespace
}  // namespace warpshop::lab
