#include "app/class_link.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "home_folder.h"

namespace warpshop::ui {
namespace {

using nlohmann::json;

class ClassLinkTest : public HomeFolderTest {
 protected:
  void SetUp() override {
    HomeFolderTest::SetUp();
    lab::Lab lab;
    lab.id = "coalescing";
    for (const char* id : {"read", "stride"}) {
      lab::Step step;
      step.id = id;
      step.exercise.emplace();
      step.exercise->skeleton = "skeleton\n";
      lab.steps.push_back(step);
    }
    lab::Question question;
    question.ask = "How many sectors?";
    question.choices = {"4", "32"};
    question.order = {0, 1};
    question.answer = 1;
    lab.steps[1].questions = {question};
    labs_.labs = {lab};
    session_.emplace(labs_, false);
    ASSERT_TRUE(session_->open("coalescing", "stride").ok());
    view_.session = &*session_;
    view_.settings = &settings_;
  }

  static PreparedResult result(bool preview,
                               const std::vector<std::pair<std::string, bool>>& checks) {
    PreparedResult out;
    out.preview = preview;
    out.result.lab = "coalescing";
    out.result.step = "stride";
    for (const auto& [id, passed] : checks) {
      lab::CheckResult check;
      check.id = id;
      check.passed = passed;
      out.result.checks.push_back(check);
    }
    return out;
  }

  lab::LabLibrary labs_;
  Settings settings_;
  std::optional<Session> session_;
  View view_;
  ClassLink link_;
};

TEST_F(ClassLinkTest, TellsWhereTheStudentIsWhenThatChanges) {
  const auto first = link_.news(view_);
  ASSERT_TRUE(first);
  EXPECT_EQ(json::parse(*first),
            json::parse(R"({"lab": "coalescing", "step": "stride", "mode": "student",
    "passed": [], "failing": null, "of": 0, "source": "skeleton\n"})"));
  EXPECT_FALSE(link_.news(view_));
  view_.home = true;
  EXPECT_EQ(json::parse(link_.news(view_).value()).at("mode"), "home");
  view_.home = false;
  ASSERT_TRUE(session_->open("coalescing", "read").ok());
  EXPECT_EQ(json::parse(link_.news(view_).value()).at("step"), "read");
}

TEST_F(ClassLinkTest, AResultOfAnotherStepIsNotThisOnes) {
  link_.news(view_);
  const PreparedResult passed = result(false, {{"correct", true}, {"whole-kernel", true}});
  view_.latest = &passed;
  EXPECT_EQ(json::parse(link_.news(view_).value()).at("of"), 2);
  ASSERT_TRUE(session_->open("coalescing", "read").ok());
  const json told = json::parse(link_.news(view_).value());
  EXPECT_EQ(told.at("step"), "read");
  EXPECT_EQ(told.at("passed"), json::array());
  EXPECT_EQ(told.at("of"), 0);
}

TEST_F(ClassLinkTest, ChecksAreThoseOfTheLastFinishedRun) {
  link_.news(view_);
  const PreparedResult ran =
      result(false, {{"correct", true}, {"sectors", false}, {"whole-kernel", false}});
  view_.latest = &ran;
  json told = json::parse(link_.news(view_).value());
  EXPECT_EQ(told.at("passed"), json::array({"correct"}));
  EXPECT_EQ(told.at("failing"), "sectors");
  EXPECT_EQ(told.at("of"), 3);
  // A preview has run on one size only.
  const PreparedResult preview = result(true, {{"correct", false}});
  view_.latest = &preview;
  EXPECT_FALSE(link_.news(view_));
  session_->edit("typed\n");
  told = json::parse(link_.news(view_).value());
  EXPECT_EQ(told.at("source"), "typed\n");
  EXPECT_EQ(told.at("failing"), "sectors");
  // The lecturer's text is no pass of the student's.
  view_.latest = &ran;
  view_.following = true;
  EXPECT_EQ(json::parse(link_.news(view_).value()).at("passed"), json::array());
  view_.following = false;
  EXPECT_EQ(json::parse(link_.news(view_).value()).at("passed"), json::array({"correct"}));
  // What a GPU finds of the same run is no other run.
  const PreparedResult measured = result(
      false, {{"correct", true}, {"sectors", false}, {"whole", false}, {"gpu-correct", true}});
  view_.latest = &measured;
  EXPECT_FALSE(link_.news(view_));
  // Another step's checks are others.
  view_.latest = nullptr;
  ASSERT_TRUE(session_->open("coalescing", "read").ok());
  told = json::parse(link_.news(view_).value());
  EXPECT_EQ(told.at("passed"), json::array());
  EXPECT_EQ(told.at("of"), 0);
}

TEST_F(ClassLinkTest, TextsThatAreNotUtf8AreToldNevertheless) {
  session_->edit("// \xff\n");
  EXPECT_EQ(json::parse(link_.news(view_).value()).at("source"), "// \xef\xbf\xbd\n");
}

TEST_F(ClassLinkTest, AsksTheStepsQuestion) {
  const json question = json::parse(question_json(view_));
  EXPECT_EQ(question.at("text"), "How many sectors?");
  EXPECT_EQ(question.at("choices"), json::array({"4", "32"}));
  EXPECT_EQ(question.at("answer"), 1);
  ASSERT_TRUE(session_->open("coalescing", "read").ok());
  EXPECT_EQ(question_json(view_), "null");
}

// Whatever the class counts as right there, the lab counts as right here.
TEST_F(ClassLinkTest, AskedNumbersCarryTheirToleranceAndWords) {
  lab::Question question;
  question.ask = "How many microseconds?";
  question.explanation = "because";
  question.number = lab::NumberAnswer{32.1, 0.4, "microseconds", "microsecond"};
  labs_.labs[0].steps[1].questions = {question};
  const json asked = json::parse(question_json(view_));
  EXPECT_EQ(asked.at("answer"), 32.1);
  EXPECT_EQ(asked.at("tolerance"), 0.4);
  EXPECT_EQ(asked.at("number"), json({{"unit", "microseconds"}, {"unit_one", "microsecond"}}));
  EXPECT_EQ(asked.at("explanation"), "because");
}

TEST(FollowText, IsReadStrictly) {
  const auto text = follow_text_of(R"({"lab": "a", "step": "b", "source": "c"})");
  ASSERT_TRUE(text);
  EXPECT_EQ(text->lab + text->step + text->source, "abc");
  for (const char* wrong : {"", "[]", "{}", "null", R"({"lab": "a", "step": "b"})",
                            R"({"lab": "a", "step": 1, "source": "c"})"})
    EXPECT_FALSE(follow_text_of(wrong)) << wrong;
}

}  // namespace
}  // namespace warpshop::ui
