// The questions, numbers and estimates of a step in its report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/report.h"

namespace warpshop::report {
namespace {

using testing::HasSubstr;
using testing::Not;

class PredictFirst : public testing::Test {
 protected:
  PredictFirst() {
    lab_.id = "lab";
    lab_.title = "Lab";
    lab::Step& step = lab_.steps.emplace_back();
    step.id = "scale";
    step.title = "Scale";
    step.able = "count `sectors`";
    step.text = "Before.\n\n<!-- after the run -->\n\nAfter.\n";
    step.learned = {"One *thing*.", "Another."};
    step.questions.resize(2);
    step.questions[0].ask = "How many bytes?";
    step.questions[0].number = lab::NumberAnswer{128, 0, "bytes", "byte"};
    step.questions[0].explanation = "Four sectors.";
    step.questions[1].ask = "Which?";
    step.questions[1].choices = {"alpha", "beta", "gamma"};
    step.questions[1].order = {2, 0, 1};
    step.questions[1].answer = 1;
    step.further = {{"And then?", "Then *eight*."}};
    lab::Exercise& exercise = step.exercise.emplace();
    exercise.estimate = lab::Estimate{"How much faster?", lab::Estimate::Of::kSpeedup};
    exercise.contract = lab::Contract{"Doubles `in`.", 2, {"1 load per thread"}};
  }
  lab::StepProgress& progress() { return progress_.of(lab_, lab_.steps[0]); }
  std::string page() const {
    Report report;
    report.lab = &lab_;
    report.progress = &progress_;
    StepReport& part = report.steps.emplace_back();
    part.step = &lab_.steps[0];
    part.result = result_;
    return html_page(report);
  }
  // Passed; the start takes 36 µs and the kernel 10.
  void pass() {
    progress().passed = true;
    lab::RunResult& result = result_.emplace();
    result.lab = "lab";
    result.step = "scale";
    result.passed = true;
    lab::SizeResult& size = result.sizes.emplace_back();
    size.student.prediction.emplace().time_us = 10;
    size.start_us = 36;
  }

  lab::Lab lab_;
  lab::Progress progress_;
  std::optional<lab::RunResult> result_;
};

TEST_F(PredictFirst, WhatIsNotAnsweredIsNotRevealed) {
  const std::string text = page();
  EXPECT_THAT(text, HasSubstr("After this step you can count <code>sectors</code>."));
  EXPECT_THAT(text, HasSubstr("A number, in bytes: <span class=\"open\">– not answered"));
  EXPECT_THAT(text, HasSubstr("– no estimate was made"));
  EXPECT_THAT(text, HasSubstr("About 2 lines, within this budget"));
  EXPECT_THAT(text, HasSubstr("1 load per thread"));
  EXPECT_THAT(text, HasSubstr("And then?"));
  for (const char* hidden :
       {"128", "Four sectors", "✓ right", "<em>eight</em>", "<em>thing</em>", "after the run"})
    EXPECT_THAT(text, Not(HasSubstr(hidden)));
  EXPECT_THAT(text, HasSubstr("After."));
  // As the window shows them.
  EXPECT_LT(text.find("gamma"), text.find("alpha"));
  EXPECT_LT(text.find("alpha"), text.find("beta"));
}

TEST_F(PredictFirst, NumbersAndEstimatesHaveTheirOutcome) {
  progress().numbers = {{0, 64}};
  progress().answers = {{1, 1}};
  progress().estimate = 4;
  std::string text = page();
  EXPECT_THAT(text, HasSubstr("You said <strong>64 bytes</strong> <span class=\"poor\">✗</span>; "
                              "it is 128 bytes."));
  EXPECT_THAT(text, HasSubstr("Four sectors."));
  EXPECT_THAT(text, HasSubstr("beta <strong>(your answer)</strong>"));
  EXPECT_THAT(text, HasSubstr("You said <strong>4 ×</strong>.")) << "nothing has run";
  EXPECT_THAT(text, Not(HasSubstr("<em>eight</em>")));
  progress().numbers = {{0, 128}};
  pass();
  text = page();
  EXPECT_THAT(text, HasSubstr("<strong>128 bytes</strong> <span class=\"good\">✓ right"));
  EXPECT_THAT(text, HasSubstr("You said <strong>4 ×</strong>; it is 3.6 × (predicted)."));
  EXPECT_THAT(text, HasSubstr("<em>eight</em>"));
  EXPECT_THAT(text, HasSubstr("<em>thing</em>"));
}

TEST_F(PredictFirst, AnAnswerThatTheLabNoLongerHasIsNone) {
  progress().answers = {{0, 2}, {1, 7}};
  const std::string text = page();
  EXPECT_THAT(text, HasSubstr("– not answered"));
  EXPECT_THAT(text, Not(HasSubstr("your answer")));
}

}  // namespace
}  // namespace warpshop::report
