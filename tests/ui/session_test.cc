#include "state/session.h"

#include "core/files.h"
#include "home_folder.h"

namespace warpshop::ui {
namespace {

lab::LabLibrary two_labs() {
  lab::LabLibrary library;
  for (const char* id : {"first", "second"}) {
    lab::Lab lab;
    lab.id = lab.title = id;
    for (const char* step_id : {"a", "b"}) {
      lab::Step step;
      step.id = step.title = step_id;
      step.exercise.emplace();
      step.exercise->skeleton = "skeleton\n";
      step.exercise->solution = "solution\n";
      lab.steps.push_back(step);
    }
    library.labs.push_back(lab);
  }
  return library;
}

class SessionTest : public HomeFolderTest {
 protected:
  lab::LabLibrary labs_ = two_labs();
};

std::string text_of(const std::filesystem::path& file) {
  Result<std::string> text = read_file(file);
  return text.ok() ? *text : "(missing)";
}

TEST_F(SessionTest, OpensWhereTheStudentLeftOffElseTheFirstUnpassed) {
  Session session(labs_, false);
  ASSERT_TRUE(session.open_first("", "", "second", "b").ok());
  EXPECT_EQ(session.lab()->id, "second");
  EXPECT_EQ(session.step()->id, "b");
  ASSERT_TRUE(session.open_first("first", "", "second", "b").ok());
  EXPECT_EQ(session.step()->id, "a");
  session.progress().passed = true;
  ASSERT_TRUE(session.open_first("first", "", "", "").ok());
  EXPECT_EQ(session.step()->id, "b");
  Status wrong = session.open("first", "z");
  ASSERT_FALSE(wrong.ok());
  EXPECT_NE(wrong.errors().front().help.english().find("a, b"), std::string::npos);
}

TEST_F(SessionTest, ADraftThatCannotBeKeptSaysWhatIsNotSaved) {
  ASSERT_TRUE(write_file_atomically(home() / "autosave", "a file where the folder should be").ok());
  Session session(labs_, false);
  ASSERT_TRUE(session.open("first", "a").ok());
  session.edit("mine\n");
  const Status kept = session.autosave();
  ASSERT_FALSE(kept.ok());
  EXPECT_EQ(kept.errors()[0].message.english().rfind("your text was not saved: ", 0), 0U);
  EXPECT_EQ(session.text(), "mine\n");
}

// The text matters more than its undo history.
TEST_F(SessionTest, TheTextIsKeptWhereTheUndoHistoryCannotBeWritten) {
  ASSERT_TRUE(write_file_atomically(home() / "undo", "a file where the folder should be").ok());
  Session session(labs_, false);
  ASSERT_TRUE(session.open("first", "a").ok());
  session.edit("mine\n");
  EXPECT_FALSE(session.autosave().ok());
  EXPECT_EQ(text_of(home() / "autosave/first/a.cu"), "mine\n");
}

TEST_F(SessionTest, EarlierSessionsCanBeUndone) {
  {
    Session session(labs_, false);
    ASSERT_TRUE(session.open("first", "a").ok());
    session.edit("one\n");
    session.edit("two\n");
    ASSERT_TRUE(session.save().ok());
  }
  Session session(labs_, false);
  ASSERT_TRUE(session.open("first", "a").ok());
  EXPECT_EQ(session.undo().base(), "skeleton\n");
  EXPECT_EQ(session.undo().place(), 2u);
  // Replacing the whole text is a change like any other.
  ASSERT_TRUE(session.take_solution().ok());
  EXPECT_EQ(session.undo().place(), 3u);
  // Each step has its own history; a picture of the window has none.
  ASSERT_TRUE(session.open("first", "b").ok());
  EXPECT_EQ(session.undo().place(), 0u);
  Session picture(labs_, true);
  ASSERT_TRUE(picture.open("first", "a").ok());
  picture.edit("three\n");
  EXPECT_EQ(picture.undo().place(), 0u);
}

TEST_F(SessionTest, NeighboursCrossLabs) {
  Session session(labs_, false);
  ASSERT_TRUE(session.open("first", "b").ok());
  EXPECT_EQ(session.neighbour(1).first->id, "second");
  EXPECT_EQ(session.neighbour(1).second->id, "a");
  ASSERT_TRUE(session.open("second", "b").ok());
  EXPECT_EQ(session.neighbour(1).second, nullptr);
  EXPECT_EQ(session.neighbour(-1).second->id, "a");
}

TEST_F(SessionTest, UnsavedEditsSurviveACrash) {
  {
    Session session(labs_, false);
    ASSERT_TRUE(session.open("first", "a").ok());
    EXPECT_EQ(session.text(), "skeleton\n");
    EXPECT_FALSE(session.on_disk());
    session.edit("half an idea");
    ASSERT_TRUE(session.autosave().ok());
  }  // not saved: the program has ended
  Session session(labs_, false);
  ASSERT_TRUE(session.open("first", "a").ok());
  EXPECT_EQ(session.text(), "half an idea");
  EXPECT_TRUE(session.recovered());
  EXPECT_TRUE(session.dirty());
  ASSERT_TRUE(session.save().ok());
  EXPECT_EQ(text_of(session.file()), "half an idea");
  EXPECT_FALSE(std::filesystem::exists(home() / "autosave/first/a.cu"));
}

TEST_F(SessionTest, AnOutsideEditIsTakenWhenNothingIsUnsaved) {
  Session session(labs_, false);
  ASSERT_TRUE(session.open("first", "a").ok());
  session.edit("mine");
  ASSERT_TRUE(session.save().ok());
  EXPECT_EQ(session.look_outside(), Session::Outside::kNothing);
  ASSERT_TRUE(write_file_atomically(session.file(), "theirs").ok());
  EXPECT_EQ(session.look_outside(), Session::Outside::kTaken);
  EXPECT_EQ(session.text(), "theirs");
  EXPECT_FALSE(session.dirty());
}

TEST_F(SessionTest, AConflictKeepsBothTexts) {
  for (const bool keep_mine : {true, false}) {
    Session session(labs_, false);
    ASSERT_TRUE(session.open("first", "a").ok());
    session.edit("base");
    ASSERT_TRUE(session.save().ok());
    session.edit("mine, unsaved");
    ASSERT_TRUE(write_file_atomically(session.file(), "theirs, on disk").ok());
    ASSERT_EQ(session.look_outside(), Session::Outside::kConflict);
    EXPECT_EQ(session.theirs(), "theirs, on disk");
    ASSERT_TRUE((keep_mine ? session.keep_mine() : session.take_theirs()).ok());
    EXPECT_EQ(session.text(), keep_mine ? "mine, unsaved" : "theirs, on disk");
    EXPECT_EQ(text_of(session.file()), session.text());
    EXPECT_FALSE(session.dirty());
    bool other_kept = false;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(home())) {
      if (entry.path() == session.file() || !entry.is_regular_file()) continue;
      other_kept |= text_of(entry.path()) == (keep_mine ? "theirs, on disk" : "mine, unsaved");
    }
    EXPECT_TRUE(other_kept) << keep_mine;
  }
}

TEST_F(SessionTest, AfreshAndSolutionKeepTheStudentsText) {
  Session session(labs_, false);
  ASSERT_TRUE(session.open("first", "a").ok());
  session.edit("my work");
  Result<std::filesystem::path> kept = session.reset();
  ASSERT_TRUE(kept.ok());
  EXPECT_EQ(session.text(), "skeleton\n");
  EXPECT_EQ(text_of(*kept), "my work");
  session.edit("more work");
  ASSERT_TRUE(session.take_solution().ok());
  EXPECT_EQ(session.text(), "solution\n");
  bool found = false;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(home())) {
    found |= entry.is_regular_file() && text_of(entry.path()) == "more work";
  }
  EXPECT_TRUE(found);
}

TEST_F(SessionTest, AReadOnlySessionWritesNothing) {
  Session session(labs_, true);
  ASSERT_TRUE(session.open("first", "a").ok());
  session.edit("picture");
  session.progress().passed = true;
  EXPECT_TRUE(session.save().ok());
  EXPECT_TRUE(session.autosave().ok());
  EXPECT_TRUE(session.save_progress().ok());
  EXPECT_TRUE(session.take_solution().ok());
  EXPECT_TRUE(std::filesystem::is_empty(home()));
}

// Rereading the labs while the student works changes nothing of the student's.
TEST_F(SessionTest, LabsThatAreReadAgainKeepTheTextAndItsHistory) {
  Session session(labs_, false);
  ASSERT_TRUE(session.open("second", "b").ok());
  session.edit("mine\n");
  session.progress().hints_shown = 2;
  lab::LabLibrary anew = two_labs();
  lab::Lab more;
  more.id = "new";
  anew.labs.insert(anew.labs.begin(), more);
  lab::Step intro;
  intro.id = "intro";
  anew.labs.back().steps.insert(anew.labs.back().steps.begin(), intro);
  ASSERT_EQ(session.adopt(anew), Session::Adopted::kSame);
  EXPECT_EQ(session.lab(), &anew.labs[2]);
  EXPECT_EQ(session.step(), &anew.labs[2].steps[2]);
  EXPECT_EQ(session.text(), "mine\n");
  EXPECT_TRUE(session.dirty());
  EXPECT_EQ(session.undo().place(), 1U);
  EXPECT_EQ(session.progress().hints_shown, 2);
}

TEST_F(SessionTest, AnUntouchedTextFollowsTheLabsNewOne) {
  Session session(labs_, false);
  ASSERT_TRUE(session.open("first", "a").ok());
  lab::LabLibrary anew = two_labs();
  anew.labs[0].steps[0].exercise->skeleton = "new skeleton\n";
  EXPECT_EQ(session.adopt(anew), Session::Adopted::kNewText);
  EXPECT_EQ(session.text(), "new skeleton\n");
  EXPECT_FALSE(session.dirty());
  // What the student has saved stays, even if it equals the old skeleton.
  session.edit("skeleton\n");
  ASSERT_TRUE(session.save().ok());
  lab::LabLibrary newest = two_labs();
  EXPECT_EQ(session.adopt(newest), Session::Adopted::kSame);
  EXPECT_EQ(session.text(), "skeleton\n");
}

TEST_F(SessionTest, AStepThatHasGoneIsSaidAndNothingElseHappens) {
  Session session(labs_, false);
  ASSERT_TRUE(session.open("first", "a").ok());
  session.edit("mine\n");
  lab::LabLibrary anew = two_labs();
  anew.labs[0].steps.erase(anew.labs[0].steps.begin());
  EXPECT_EQ(session.adopt(anew), Session::Adopted::kGone);
  EXPECT_EQ(session.lab(), &labs_.labs[0]);
  EXPECT_EQ(session.text(), "mine\n");
}

// Two windows on the same step: neither overwrites the other's unsaved text.
TEST_F(SessionTest, EachWindowKeepsItsOwnUnsavedText) {
  Session first(labs_, false), second(labs_, false, 2);
  ASSERT_TRUE(first.open("first", "a").ok());
  ASSERT_TRUE(second.open("first", "a").ok());
  first.edit("of the first\n");
  second.edit("of the second\n");
  ASSERT_TRUE(first.autosave().ok());
  ASSERT_TRUE(second.autosave().ok());
  EXPECT_EQ(text_of(home() / "autosave/first/a.cu"), "of the first\n");
  EXPECT_EQ(text_of(home() / "autosave-2/first/a.cu"), "of the second\n");
  EXPECT_EQ(text_of(home() / "undo/first/a.jsonl").find("second"), std::string::npos);
  // A pass in one window counts for both.
  first.progress().passed = true;
  ASSERT_TRUE(first.save_progress().ok());
  second.progress().hints_shown = 1;
  ASSERT_TRUE(second.save_progress().ok());
  const lab::LoadedProgress loaded = lab::load_progress();
  const lab::StepProgress* saved = loaded.progress.find(labs_.labs[0], labs_.labs[0].steps[0]);
  ASSERT_NE(saved, nullptr);
  EXPECT_TRUE(saved->passed);
  EXPECT_EQ(saved->hints_shown, 1);
}

TEST_F(SessionTest, ATextIsKeptOnceItIsOnTheDiskSomewhere) {
  Session session(labs_, false);
  ASSERT_TRUE(session.open("first", "a").ok());
  EXPECT_TRUE(session.kept());
  session.edit("mine\n");
  EXPECT_FALSE(session.kept());
  ASSERT_TRUE(session.autosave().ok());
  EXPECT_TRUE(session.kept());
  session.edit("mine, more\n");
  EXPECT_FALSE(session.kept());
  // Unsaved edits that are given up disappear; what was kept before stays where it is.
  session.give_up_unsaved();
  EXPECT_TRUE(session.kept());
  ASSERT_TRUE(session.autosave().ok());
  EXPECT_EQ(text_of(home() / "autosave/first/a.cu"), "mine\n");
}

}  // namespace
}  // namespace warpshop::ui
