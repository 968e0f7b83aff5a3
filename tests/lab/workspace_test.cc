#include "lab/workspace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "lab/progress.h"
#include "temporary_folder.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Workspace : public testing::Test {
 protected:
  Workspace() : home_("WARPSHOP_HOME", folder_.path().string()) {
    lab_ = load_lab(fs::path(WARPSHOP_TESTS_DIR) / "lab" / "data", "fixture").value();
    step_ = lab_.find_step("scale");
  }
  size_t history_count() const {
    size_t count = 0;
    if (!fs::exists(folder_.path() / "history")) return 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path() / "history")) {
      count += entry.is_regular_file() ? 1 : 0;
    }
    return count;
  }

  TemporaryFolder folder_;
  ScopedVariable home_;
  Lab lab_;
  const Step* step_ = nullptr;
};

TEST_F(Workspace, OpeningGivesTheSkeletonAndWritesNothing) {
  EXPECT_EQ(open_student_file(lab_, *step_).value(), step_->exercise->skeleton);
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(Workspace, SavedTextIsOpenedAgain) {
  ASSERT_TRUE(save_student_file(lab_, *step_, "mine").ok());
  EXPECT_EQ(open_student_file(lab_, *step_).value(), "mine");
  EXPECT_EQ(folder_.read("work/fixture/scale.cu"), "mine");
  EXPECT_EQ(history_count(), 0U);
}

TEST_F(Workspace, TheTextBeforeIsKeptWhenAsked) {
  ASSERT_TRUE(save_student_file(lab_, *step_, "first").ok());
  ASSERT_TRUE(save_student_file(lab_, *step_, "second", true).ok());
  ASSERT_TRUE(save_student_file(lab_, *step_, "third", true).ok());
  EXPECT_EQ(history_count(), 2U);  // two names, although in the same second
}

TEST_F(Workspace, ResettingKeepsTheStudentsText) {
  ASSERT_TRUE(save_student_file(lab_, *step_, "my long work").ok());
  const Result<fs::path> kept = reset_student_file(lab_, *step_);
  ASSERT_TRUE(kept.ok());
  EXPECT_EQ(folder_.read(fs::relative(*kept, folder_.path())), "my long work");
  EXPECT_EQ(open_student_file(lab_, *step_).value(), step_->exercise->skeleton);
}

TEST_F(Workspace, WhatStandsForTheWorkIsTheLastVersionThatPassed) {
  using Version = StandingText::Version;
  const std::string skeleton = step_->exercise->skeleton, solution = step_->exercise->solution;
  struct Case {
    const char* what;
    std::function<void(const Lab&, const Step&)> done;
    Version version;
    std::string source;
    bool changed_since;
  };
  const auto write = [](const std::string& text) {
    return [text](const Lab& lab, const Step& step) {
      ASSERT_TRUE(save_student_file(lab, step, text).ok());
    };
  };
  const auto pass = [](const std::string& text) {
    return [text](const Lab& lab, const Step& step) {
      ASSERT_TRUE(keep_passed_version(lab, step, text).ok());
    };
  };
  // The cases run one after another in the same home folder.
  const Case cases[] = {
      {"nothing", [](const Lab&, const Step&) {}, Version::kNotBegun, skeleton, false},
      {"the start was saved as it is", write(skeleton), Version::kNotBegun, skeleton, false},
      {"some work", write("work"), Version::kLatest, "work", false},
      {"it passes", pass("work"), Version::kPassed, "work", false},
      {"an experiment", write("experiment"), Version::kPassed, "work", true},
      {"the solution was looked at and run", pass(solution), Version::kPassed, "work", true},
      {"another version passes", pass("better"), Version::kPassed, "better", true},
      {"it is what the editor has", write("better"), Version::kPassed, "better", false},
  };
  for (const Case& c : cases) {
    c.done(lab_, *step_);
    const Result<StandingText> text = standing_text(lab_, *step_);
    ASSERT_TRUE(text.ok()) << c.what;
    EXPECT_EQ(text->version, c.version) << c.what;
    EXPECT_EQ(text->source, c.source) << c.what;
    EXPECT_EQ(text->changed_since, c.changed_since) << c.what;
  }
  ASSERT_TRUE(reset_student_file(lab_, *step_).ok());
  EXPECT_EQ(standing_text(lab_, *step_)->source, "better") << "a reset takes no pass away";
}

// A crash leaves the last words in a draft: they are the student's work as well.
TEST_F(Workspace, WhatACrashLeftStandsForTheWork) {
  ASSERT_TRUE(save_student_file(lab_, *step_, "saved").ok());
  ASSERT_TRUE(save_draft(lab_, *step_, 1, "typed since").ok());
  fs::last_write_time(student_file(lab_, *step_),
                      fs::last_write_time(draft_file(lab_, *step_, 1)) - std::chrono::seconds(2));
  EXPECT_EQ(standing_text(lab_, *step_)->source, "typed since");
  ASSERT_TRUE(keep_passed_version(lab_, *step_, "typed since").ok());
  EXPECT_FALSE(standing_text(lab_, *step_)->changed_since);
  EXPECT_EQ(newest_text(lab_, *step_)->value().file, draft_file(lab_, *step_, 1));
}

// If no other version passed, the solution remains.
TEST_F(Workspace, TheSolutionIsKeptWhereNothingElsePassed) {
  ASSERT_TRUE(keep_passed_version(lab_, *step_, step_->exercise->solution).ok());
  EXPECT_EQ(passed_version(lab_, *step_)->value(), step_->exercise->solution);
}

// Root ignores permissions, but a file in place of the work folder stops even root.
TEST_F(Workspace, AFolderThatCannotBeWrittenIsSaidAndOpeningStillWorks) {
  folder_.write("work", "a file where the folder should be");
  const Status saved = save_student_file(lab_, *step_, "mine");
  ASSERT_FALSE(saved.ok());
  EXPECT_THAT(saved.errors().front().message, HasSubstr("your text was not saved"));
  EXPECT_THAT(saved.errors().front().help, HasSubstr("WARPSHOP_HOME"));
}

// Root may write anywhere, so the test briefly runs as another user.
class AsUnprivileged {
 public:
  AsUnprivileged() : was_root_(::geteuid() == 0) {
    if (was_root_ && ::seteuid(65534) != 0) ADD_FAILURE() << "seteuid";
  }
  ~AsUnprivileged() {
    if (was_root_ && ::seteuid(0) != 0) ADD_FAILURE() << "seteuid back";
  }

 private:
  bool was_root_;
};

TEST_F(Workspace, AReadOnlyFolderIsSaidAndNothingIsLost) {
  const auto read_only = static_cast<fs::perms>(0555);  // for the group too: seteuid keeps it
  ASSERT_TRUE(save_student_file(lab_, *step_, "mine").ok());
  folder_.write("progress.json", "{\"version\": 1, \"steps\": {}}");
  for (const char* name : {"", "work", "work/fixture"}) {
    fs::permissions(folder_.path() / name, read_only);
  }
  {
    const AsUnprivileged unprivileged;
    EXPECT_FALSE(save_student_file(lab_, *step_, "newer").ok());
    EXPECT_FALSE(save_student_file(lab_, *step_, "newer", true).ok());
    EXPECT_FALSE(reset_student_file(lab_, *step_).ok());
    EXPECT_EQ(open_student_file(lab_, *step_).value(), "mine");
    EXPECT_TRUE(load_progress().problems.empty());
    const Status saved = save_progress({});
    ASSERT_FALSE(saved.ok());
    EXPECT_THAT(saved.errors().front().message, HasSubstr("your progress was not saved"));
  }
  for (const char* name : {"", "work", "work/fixture"}) {
    fs::permissions(folder_.path() / name, fs::perms::owner_all);
  }
  EXPECT_EQ(open_student_file(lab_, *step_).value(), "mine");
}

TEST_F(Workspace, ProgressSurvivesSaveAndLoad) {
  Progress progress;
  StepProgress& step = progress.of(lab_, *step_);
  step.passed = true;
  step.passed_at = "2026-01-02T03:04:05Z";
  step.runs = 7;
  step.hints_shown = 2;
  step.solution_shown = true;
  step.answers[0] = 2;
  step.numbers[1] = 0.125;
  step.estimate = 3.5;
  ASSERT_TRUE(save_progress(progress).ok());
  const LoadedProgress loaded = load_progress();
  EXPECT_TRUE(loaded.problems.empty());
  const StepProgress* read = loaded.progress.find(lab_, *step_);
  ASSERT_NE(read, nullptr);
  EXPECT_TRUE(read->passed);
  EXPECT_EQ(read->passed_at, "2026-01-02T03:04:05Z");
  EXPECT_EQ(read->runs, 7);
  EXPECT_EQ(read->hints_shown, 2);
  EXPECT_TRUE(read->solution_shown);
  EXPECT_EQ(read->answers, (std::map<int, int>{{0, 2}}));
  EXPECT_EQ(read->numbers, (std::map<int, double>{{1, 0.125}}));
  EXPECT_EQ(read->estimate, 3.5);
}

// Two windows: what the other one wrote in the meantime stays, and mine wins where both answered.
TEST_F(Workspace, NumbersAndEstimatesOfAnotherWindowStay) {
  Progress other, mine;
  other.of(lab_, *step_).numbers = {{0, 1}, {1, 2}};
  other.of(lab_, *step_).estimate = 4;
  ASSERT_TRUE(save_progress(other).ok());
  mine.of(lab_, *step_).numbers = {{1, 3}};
  ASSERT_TRUE(save_progress(mine).ok());
  const LoadedProgress loaded = load_progress();
  const StepProgress* read = loaded.progress.find(lab_, *step_);
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(read->numbers, (std::map<int, double>{{0, 1}, {1, 3}}));
  EXPECT_EQ(read->estimate, 4);
}

// Progress of a version without numbers.
TEST_F(Workspace, ProgressWithoutNumbersIsRead) {
  folder_.write("progress.json",
                "{\"version\": 1, \"steps\": {\"fixture/scale\": {\"answers\": {\"0\": 9}}}}");
  const LoadedProgress loaded = load_progress();
  EXPECT_TRUE(loaded.problems.empty());
  const StepProgress* read = loaded.progress.find(lab_, *step_);
  ASSERT_NE(read, nullptr);
  EXPECT_TRUE(read->numbers.empty());
  EXPECT_FALSE(read->estimate);
}

TEST_F(Workspace, AStepIsAnsweredOnceEachQuestionIsInItsOwnWay) {
  Step step;
  step.questions.resize(2);
  step.questions[0].choices = {"a", "b"};
  step.questions[1].number.emplace().value = 4;
  StepProgress progress;
  EXPECT_FALSE(progress.answered(step, 0));
  progress.answers = {{0, 1}, {1, 0}};  // a choice does not answer a question for a number
  EXPECT_TRUE(progress.answered(step, 0));
  EXPECT_FALSE(progress.answered(step, 1));
  for (const int choice : {-1, 2}) {  // the lab has fewer by now
    progress.answers[0] = choice;
    EXPECT_FALSE(progress.answered(step, 0));
  }
  progress.answers[0] = 0;
  EXPECT_FALSE(progress.answered_all(step));
  progress.numbers = {{1, 3}};
  EXPECT_TRUE(progress.answered_all(step));
  EXPECT_TRUE(StepProgress().answered_all(Step()));
}

TEST_F(Workspace, NoProgressYetIsNoProblem) {
  const LoadedProgress loaded = load_progress();
  EXPECT_TRUE(loaded.problems.empty());
  EXPECT_TRUE(loaded.progress.steps.empty());
}

TEST_F(Workspace, BrokenProgressIsKeptAsideAndSaid) {
  const char* const kBroken[] = {
      "{\"version\": 1, \"steps\": {", "[]", "{\"version\": 99, \"steps\": {}}",
      "{\"version\": 1, \"steps\": {\"a/b\": {\"runs\": \"many\"}}}",
      "{\"version\": 1, \"steps\": {\"a/b\": {\"answers\": {\"x\": 1}}}}"};
  int number = 0;
  for (const char* text : kBroken) {
    folder_.write("progress.json", text);
    const LoadedProgress loaded = load_progress();
    ++number;
    ASSERT_EQ(loaded.problems.size(), 1U) << text;
    EXPECT_TRUE(loaded.progress.steps.empty());
    EXPECT_EQ(folder_.read("progress.json.broken-" + std::to_string(number)), text);
    EXPECT_FALSE(fs::exists(folder_.path() / "progress.json"));
    EXPECT_THAT(loaded.problems.front().help, HasSubstr("broken-" + std::to_string(number)));
  }
}

TEST_F(Workspace, BrokenProgressIsNeverOverwritten) {
  ASSERT_TRUE(save_progress({}).ok());
  folder_.write("progress.json", "somebody wrote into this");
  ASSERT_TRUE(save_progress({}).ok());
  EXPECT_EQ(folder_.read("progress.json.broken-1"), "somebody wrote into this");
}

}  // namespace
}  // namespace warpshop::lab
