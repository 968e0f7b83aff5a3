#include "lab/translation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "temporary_folder.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

const fs::path kTranslationData = fs::path(WARPSHOP_TESTS_DIR) / "lab" / "data";

// The fixture with a folder of German texts.
class Translation : public testing::Test {
 protected:
  Translation() { fs::copy(kTranslationData, folder_.path(), fs::copy_options::recursive); }
  void write(const std::string& name, const std::string& text) {
    folder_.write("labs/fixture/de/" + name, text);
  }
  Lab english() {
    Result<Lab> lab = load_lab(folder_.path(), "fixture");
    EXPECT_TRUE(lab.ok()) << render(lab.errors());
    return *lab;
  }
  TemporaryFolder folder_;
};

TEST_F(Translation, WhatIsThereIsTakenAndTheRestStaysEnglish) {
  const Lab before = english();
  write("reading.md", "Sektoren.\n<!-- after the run -->\nEiner hat 32 Byte.\n");
  write("scale-solution.md", "Der Index ist ein anderer.\n");
  write("lab.toml", R"(format = 1
title = "Probe"
[step.reading]
title = "Was man wissen muss"
[[step.reading.question]]
ask = "Wie viele Byte hat ein Sektor?"
choices = ["vier", "zweiunddreißig", "128"]
[step.scale]
hints = ["Erstens", "Zweitens", "Drittens"]
[step.scale.check.coalesced-loads]
title = "Höchstens 4 Sektoren"
unit = "Sektoren je Anfrage"
)");
  Lab lab = before;
  Diagnostics problems;
  EXPECT_TRUE(translate(lab, "de", problems));
  EXPECT_TRUE(problems.empty()) << render(problems);
  EXPECT_EQ(lab.title, "Probe");
  EXPECT_EQ(lab.summary, before.summary);
  EXPECT_EQ(lab.steps[0].title, "Was man wissen muss");
  EXPECT_EQ(lab.steps[0].text, "Sektoren.\n<!-- after the run -->\nEiner hat 32 Byte.\n");
  EXPECT_EQ(lab.steps[0].questions[0].ask, "Wie viele Byte hat ein Sektor?");
  EXPECT_THAT(lab.steps[0].questions[0].choices, ElementsAre("vier", "zweiunddreißig", "128"));
  EXPECT_EQ(lab.steps[0].questions[0].answer, 1);  // by position
  EXPECT_EQ(lab.steps[0].questions[0].explanation, before.steps[0].questions[0].explanation);
  const Step &scale = *lab.find_step("scale"), &scale_before = *before.find_step("scale");
  EXPECT_EQ(scale.title, scale_before.title);
  EXPECT_EQ(scale.text, scale_before.text);
  EXPECT_EQ(scale.exercise->solution_note, "Der Index ist ein anderer.\n");
  EXPECT_THAT(scale.exercise->hints, ElementsAre("Erstens", "Zweitens", "Drittens"));
  EXPECT_EQ(scale.exercise->checks[0].title, "Höchstens 4 Sektoren");
  EXPECT_EQ(scale.exercise->checks[0].unit, "Sektoren je Anfrage");
  EXPECT_EQ(scale.exercise->checks[0].unit_one, "Sektor je Anfrage");
  EXPECT_EQ(scale.exercise->checks[0].message, scale_before.exercise->checks[0].message);
  // Code and checks are the same in every language.
  EXPECT_EQ(scale.exercise->checks[0].metric, scale_before.exercise->checks[0].metric);
  EXPECT_EQ(scale.exercise->skeleton, scale_before.exercise->skeleton);
  EXPECT_EQ(scale.id, "scale");
}

TEST_F(Translation, ALanguageThatALabDoesNotSpeakChangesNothing) {
  Lab lab = english();
  Diagnostics problems;
  EXPECT_FALSE(translate(lab, "fr", problems));
  EXPECT_FALSE(translate(lab, "../fixture", problems));
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(lab.title, "Fixture");
}

TEST_F(Translation, AScriptSpeaksItToo) {
  folder_.write("labs/fixture/demo.toml", R"(format = 1
title = "A script"
[[scene]]
title = "Scale"
step = "scale"
kernel = "solution"
say = "Neighbours."
show = "transactions"
)");
  write("demo.toml", "format = 1\ntitle = \"Ein Vortrag\"\n[[scene]]\nsay = \"Nachbarn.\"\n");
  Lab lab = english();
  ASSERT_TRUE(lab.demo.has_value());
  Diagnostics problems;
  EXPECT_TRUE(translate(lab, "de", problems));
  EXPECT_TRUE(problems.empty()) << render(problems);
  EXPECT_EQ(lab.demo->title, "Ein Vortrag");
  EXPECT_EQ(lab.demo->scenes[0].say, "Nachbarn.");
  EXPECT_EQ(lab.demo->scenes[0].title, "Scale");
}

TEST_F(Translation, EveryMistakeHasItsPlaceAndItsTextStaysEnglish) {
  struct Case {
    const char* file;
    const char* text;
    int line;
    const char* says;
  };
  const Case kCases[] = {
      {"lab.toml", "title = \"Probe\"\n", 1, "format"},
      {"lab.toml", "format = 2\n", 1, "format 2"},
      {"lab.toml", "format = 1\nheading = \"Probe\"\n", 2, "heading"},
      {"lab.toml", "format = 1\n[step.scales]\ntitle = \"x\"\n", 2, "no step 'scales'"},
      {"lab.toml", "format = 1\n[step.scale]\nhints = [\"a\", \"b\"]\n", 3,
       "2 texts, in English 3"},
      {"lab.toml", "format = 1\n[step.scale.check.fast]\ntitle = \"x\"\n", 2, "no check 'fast'"},
      {"lab.toml", "format = 1\n[step.scale.check.coalesced-loads]\nmetric = \"1\"\n", 3, "metric"},
      {"lab.toml", "format = 1\n[[step.scale.question]]\nask = \"?\"\n", 2, "in English 0"},
      {"lab.toml", "format = 1\ntitle = \n", 2, ""},
      {"lab.toml", "format = 1\n[step.scale]\nhints = [\"a\", \"b\",\n\"$\\\\foo$\"]\n", 4,
       "the command '\\foo' is not supported"},
      {"other.md", "x", 0, "no text 'other.md'"},
      {"reading.md", "Ein Sektor\nhat $\\foo$ Byte.\n<!-- after the run -->\nx", 2,
       "the command '\\foo' is not supported"},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.text);
    fs::remove_all(folder_.path() / "labs/fixture/de");
    write(c.file, c.text);
    const Lab before = english();
    Lab lab = before;
    Diagnostics problems;
    EXPECT_TRUE(translate(lab, "de", problems));
    ASSERT_EQ(problems.size(), 1U) << render(problems);
    EXPECT_THAT(problems[0].place.file, HasSubstr(std::string("de/") + c.file));
    EXPECT_EQ(problems[0].place.line, c.line);
    EXPECT_THAT(problems[0].message + problems[0].help, HasSubstr(c.says));
    EXPECT_EQ(lab.find_step("scale")->exercise->hints, before.find_step("scale")->exercise->hints);
    if (std::string(c.file) == "lab.toml") {
      EXPECT_EQ(translation_problems(lab).size(), 1U);
    }
  }
}

TEST_F(Translation, TheWholeLibraryIsReadInALanguage) {
  write("lab.toml", "format = 1\ntitle = \"Probe\"\n");
  EXPECT_EQ(load_labs_in(folder_.path(), "en").labs[0].title, "Fixture");
  const LabLibrary german = load_labs_in(folder_.path(), "de");
  EXPECT_TRUE(german.problems.empty()) << render(german.problems);
  EXPECT_EQ(german.labs[0].title, "Probe");
  // A lab that lacks the wanted language says so, unless it is the user's own.
  EXPECT_TRUE(speaks(german.labs[0], "de"));
  EXPECT_TRUE(speaks(german.labs[0], "en"));
  EXPECT_FALSE(speaks(german.labs[0], "fr"));
  TemporaryFolder nothing;
  const LabLibrary own = load_labs_in({nothing.path(), {folder_.path()}}, "fr");
  ASSERT_EQ(own.labs.size(), 1U) << render(own.problems);
  EXPECT_TRUE(speaks(own.labs[0], "fr"));
}

TEST_F(Translation, QuestionsForWrongResultsAndLabelsOfSizesAreTaken) {
  Lab before = english();
  ASSERT_EQ(before.find_step("scale")->exercise->sizes.size(), 2U);
  const auto scale = std::find_if(before.steps.begin(), before.steps.end(),
                                  [](const Step& step) { return step.id == "scale"; });
  scale->exercise->timed = ProblemSize{"a million", {{"n", 1 << 20}}};
  write("lab.toml",
        "format = 1\n[step.scale]\nwrong_result = \"Welche?\"\nsizes = [\"klein\", "
        "\"groß\"]\ntimed = \"eine Million\"\n");
  Lab lab = before;
  Diagnostics problems;
  EXPECT_TRUE(translate(lab, "de", problems));
  EXPECT_TRUE(problems.empty()) << render(problems);
  const Exercise& exercise = *lab.find_step("scale")->exercise;
  EXPECT_EQ(exercise.wrong_result, "Welche?");
  EXPECT_EQ(exercise.sizes[1].label, "groß");
  EXPECT_EQ(exercise.timed->label, "eine Million");
  EXPECT_EQ(exercise.sizes[1].variables, before.find_step("scale")->exercise->sizes[1].variables);
}

// The fixture with each kind of text that an exercise may have beside its task.
TEST_F(Translation, PromisesContractsEstimatesAndFurtherQuestionsAreTaken) {
  std::string toml = folder_.read("labs/fixture/lab.toml");
  toml = with(toml, "text = \"scale.md\"\n", R"(text = "scale.md"
able = "tell neighbours apart"
learned = ["One.", "Two."]
[[step.question]]
ask = "How long is a line?"
number = 128
tolerance = 0
unit = "bytes"
explanation = "It has four sectors."
[[step.further]]
ask = "And twice as wide?"
answer = "Eight."
)");
  toml = with(toml, "useful_bytes = ", R"(estimate = { ask = "How much faster?", of = "time" }
contract = { text = "Doubles.", lines = 2, budget = ["1 load", "1 store"] }
useful_bytes = )");
  folder_.write("labs/fixture/lab.toml", toml);
  const Lab before = english();
  write("lab.toml", R"(format = 1
[step.scale]
able = "Nachbarn erkennen"
learned = ["Eins.", "Zwei."]
estimate = "Wie viel schneller?"
contract = "Verdoppelt."
budget = ["1 Laden", "1 Speichern"]
[[step.scale.question]]
ask = "Wie lang ist eine Zeile?"
unit = "Byte"
explanation = "Sie hat vier Sektoren."
[[step.scale.further]]
ask = "Und doppelt so breit?"
answer = "Acht."
)");
  Lab lab = before;
  Diagnostics problems;
  EXPECT_TRUE(translate(lab, "de", problems));
  EXPECT_TRUE(problems.empty()) << render(problems);
  const Step& scale = *lab.find_step("scale");
  EXPECT_EQ(scale.able, "Nachbarn erkennen");
  EXPECT_THAT(scale.learned, ElementsAre("Eins.", "Zwei."));
  EXPECT_EQ(scale.questions[0].number->unit, "Byte");
  EXPECT_EQ(scale.questions[0].number->value, 128);
  EXPECT_EQ(scale.further[0].ask, "Und doppelt so breit?");
  EXPECT_EQ(scale.further[0].answer, "Acht.");
  EXPECT_EQ(scale.exercise->estimate->ask, "Wie viel schneller?");
  EXPECT_EQ(scale.exercise->contract->text, "Verdoppelt.");
  EXPECT_EQ(scale.exercise->contract->lines, 2);
  EXPECT_THAT(scale.exercise->contract->budget, ElementsAre("1 Laden", "1 Speichern"));
  const struct {
    const char* text;
    const char* says;
  } kMistakes[] = {
      {"learned = [\"Eins.\"]\n", "'learned' has 1 texts, in English 2"},
      {"budget = [\"1 Laden\"]\n", "'budget' has 1 texts, in English 2"},
      {"[[step.scale.further]]\nask = \"a\"\n[[step.scale.further]]\nask = \"b\"\n",
       "there are 2 [[further]], in English 1"},
      {"[[step.scale.question]]\nnumber = 64\n", "unknown key 'number'"},
      {"[step.reading]\ncontract = \"x\"\n", "unknown key 'contract'"},
  };
  for (const auto& c : kMistakes) {
    write("lab.toml", std::string("format = 1\n[step.scale]\n") + c.text);
    Lab wrong = before;
    problems.clear();
    EXPECT_TRUE(translate(wrong, "de", problems));
    ASSERT_EQ(problems.size(), 1U) << c.text << render(problems);
    EXPECT_THAT(problems[0].message.english(), HasSubstr(c.says));
    EXPECT_GT(problems[0].place.line, 1);
  }
}

// What would answer the questions is hidden in every language, or in none.
TEST_F(Translation, ATextHidesItsSecondPartInEveryLanguage) {
  write("reading.md", "Ein Sektor hat 32 Byte.\n");
  Lab lab = english();
  Diagnostics problems;
  EXPECT_TRUE(translate(lab, "de", problems));
  ASSERT_EQ(problems.size(), 1U) << render(problems);
  EXPECT_THAT(problems[0].message.english(), HasSubstr("<!-- after the run -->"));
  EXPECT_THAT(problems[0].place.file, HasSubstr("de/reading.md"));
  EXPECT_EQ(lab.steps[0].text, english().steps[0].text);
}

// Coalescing is complete in German, from its first step to its lecture, with no English left.
TEST(GermanLab, CoalescingLacksNothing) {
  const Result<Lab> english = load_lab(WARPSHOP_SOURCE_DIR, "coalescing");
  ASSERT_TRUE(english.ok()) << render(english.errors());
  Lab german = *english;
  Diagnostics problems;
  ASSERT_TRUE(translate(german, "de", problems));
  EXPECT_TRUE(problems.empty()) << render(problems);
  const auto other = [](const std::string& before, const std::string& now) {
    EXPECT_TRUE(now.empty() == before.empty() && (now.empty() || now != before))
        << "is English: " << before;
  };
  other(english->summary, german.summary);
  for (size_t s = 0; s < german.steps.size(); ++s) {
    const Step &before = english->steps[s], &now = german.steps[s];
    SCOPED_TRACE(now.id);
    other(before.title, now.title);
    other(before.text, now.text);
    for (size_t q = 0; q < now.questions.size(); ++q) {
      other(before.questions[q].ask, now.questions[q].ask);
      other(before.questions[q].explanation, now.questions[q].explanation);
      EXPECT_EQ(now.questions[q].answer, before.questions[q].answer);
    }
    other(before.able, now.able);
    for (size_t l = 0; l < now.learned.size(); ++l) other(before.learned[l], now.learned[l]);
    for (size_t f = 0; f < now.further.size(); ++f) {
      other(before.further[f].ask, now.further[f].ask);
      other(before.further[f].answer, now.further[f].answer);
    }
    if (!now.exercise) continue;
    const Exercise &was = *before.exercise, &is = *now.exercise;
    other(was.wrong_result, is.wrong_result);
    other(was.solution_note, is.solution_note);
    if (is.estimate) other(was.estimate->ask, is.estimate->ask);
    if (is.contract) {
      other(was.contract->text, is.contract->text);
      for (size_t b = 0; b < is.contract->budget.size(); ++b)
        other(was.contract->budget[b], is.contract->budget[b]);
    }
    for (size_t h = 0; h < is.hints.size(); ++h) other(was.hints[h], is.hints[h]);
    for (size_t c = 0; c < is.checks.size(); ++c) {
      other(was.checks[c].title, is.checks[c].title);
      other(was.checks[c].message, is.checks[c].message);
      if (was.checks[c].unit != "%") other(was.checks[c].unit, is.checks[c].unit);
    }
  }
  for (size_t n = 0; n < german.demo->scenes.size(); ++n) {
    const Scene &before = english->demo->scenes[n], &now = german.demo->scenes[n];
    other(before.title, now.title);
    other(before.say, now.say);
    other(before.ask, now.ask);
    other(before.answer, now.answer);
    other(before.unit, now.unit);
    if (before.published) other(before.published->label, now.published->label);
  }
}

}  // namespace
}  // namespace warpshop::lab
