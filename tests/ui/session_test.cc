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

// What can be undone is worth less than the text.
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
  // What replaces the text in another way is a change like any other.
  ASSERT_TRUE(session.take_solution().ok());
  EXPECT_EQ(session.undo().place(), 3u);
  // Another step has a history of its own; a picture of the window has none.
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
  }  // no save: the program is gone
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

}  // namespace
}  // namespace warpshop::ui
