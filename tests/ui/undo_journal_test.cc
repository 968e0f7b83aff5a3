// Changes are kept and can be redone; a crash loses at most the last line.
#include "state/undo_journal.h"

#include <gtest/gtest.h>

#include <fstream>

#include "core/files.h"
#include "home_folder.h"

namespace warpshop::ui {
namespace {

class UndoJournalTest : public HomeFolderTest {
 protected:
  std::filesystem::path file() const { return home() / "undo/coalescing/stride.jsonl"; }
  // The text at each place, starting with the base.
  static std::vector<std::string> texts_of(const UndoJournal& journal) {
    std::vector<std::string> out = {journal.base()};
    for (const TextChange& change : journal.changes()) {
      std::string text = out.back();
      EXPECT_EQ(text.substr(change.at, change.removed.size()), change.removed);
      out.push_back(text.replace(change.at, change.removed.size(), change.inserted));
    }
    return out;
  }
};

TEST(TextChange, IsTheOneStretchThatDiffers) {
  struct Case {
    const char *from, *to;
    size_t at;
    const char *removed, *inserted;
  };
  for (const Case& c :
       {Case{"abc", "abc", 3, "", ""}, Case{"", "x", 0, "", "x"}, Case{"abc", "axc", 1, "b", "x"},
        Case{"aa", "aaa", 2, "", "a"}, Case{"abab", "ab", 2, "ab", ""},
        // é and è share their first byte, € and ₭ their first two, ä and ö likewise: changes are
        // made of whole characters.
        Case{"é", "è", 0, "é", "è"}, Case{"x€y", "x₭y", 1, "€", "₭"}, Case{"ñ1", "ô1", 0, "ñ", "ô"},
        Case{"Ã©", "©", 0, "Ã", ""}}) {
    const TextChange change = change_between(c.from, c.to);
    EXPECT_EQ(change, (TextChange{c.at, c.removed, c.inserted})) << c.from << " → " << c.to;
  }
}

TEST_F(UndoJournalTest, JoinedChangesAreUndoneTogetherInTheNextSessionToo) {
  UndoJournal first;
  first.open(file(), "a\n");
  first.note("a x\n");
  first.note("a xy\n", true);
  first.note("a xyz\n", true);
  first.note("a xyz w\n");
  ASSERT_TRUE(first.write().ok());
  const std::vector<std::string> texts = {"a\n", "a xyz\n", "a xyz w\n"};
  EXPECT_EQ(texts_of(first), texts);

  UndoJournal second;
  second.open(file(), "a xyz w\n");
  EXPECT_EQ(texts_of(second), texts);
  second.note("a xyz\n");  // undone
  second.note("a\n");
  EXPECT_EQ(second.place(), 0u);
  second.note("ab\n", true);  // no change to join it to
  EXPECT_EQ(texts_of(second), (std::vector<std::string>{"a\n", "ab\n"}));
}

TEST_F(UndoJournalTest, ChangesAndThePlaceSurviveTheSession) {
  UndoJournal first;
  first.open(file(), "one\n");
  first.note("one two\n");
  first.note("one two three\n");
  ASSERT_TRUE(first.write().ok());
  first.note("one two\n");  // undone
  ASSERT_TRUE(first.write().ok());
  EXPECT_EQ(first.place(), 1u);
  EXPECT_EQ(first.changes().size(), 2u);

  UndoJournal second;
  second.open(file(), "one two\n");
  EXPECT_EQ(texts_of(second), (std::vector<std::string>{"one\n", "one two\n", "one two three\n"}));
  EXPECT_EQ(second.place(), 1u);
  second.note("one two three\n");  // redone
  EXPECT_EQ(second.place(), 2u);
  second.note("one two\n");
  second.note("one two 3\n");  // drops what could be redone
  EXPECT_EQ(texts_of(second), (std::vector<std::string>{"one\n", "one two\n", "one two 3\n"}));
  ASSERT_TRUE(second.write().ok());
  UndoJournal third;
  third.open(file(), "one two 3\n");
  EXPECT_EQ(third.changes(), second.changes());
}

TEST_F(UndoJournalTest, WhatAnotherProgramWroteCanBeUndone) {
  UndoJournal first;
  first.open(file(), "mine\n");
  first.note("mine 2\n");
  ASSERT_TRUE(first.write().ok());
  UndoJournal second;
  second.open(file(), "theirs\n");
  EXPECT_EQ(texts_of(second), (std::vector<std::string>{"mine\n", "mine 2\n", "theirs\n"}));
}

// Cut the file at every byte, as a crash might: the journal opens, and its changes lead to the
// text.
TEST_F(UndoJournalTest, ACrashAtAnyByteLeavesAJournalThatCanBeRead) {
  UndoJournal journal;
  journal.open(file(), "α\n");
  for (const char* text : {"αβ\n", "αβ\"γ\"\n", "αβ\n", "\n", "δ\n\n"}) {
    journal.note(text);
    ASSERT_TRUE(journal.write().ok());
  }
  const std::string whole = read_file(file()).value();
  for (size_t size = 0; size <= whole.size(); ++size) {
    std::ofstream(file(), std::ios::trunc) << whole.substr(0, size);
    UndoJournal opened;
    opened.open(file(), "δ\n\n");
    EXPECT_EQ(texts_of(opened)[opened.place()], "δ\n\n") << size;
    // More changes can be added.
    opened.note("ε\n");
    ASSERT_TRUE(opened.write().ok());
    UndoJournal again;
    again.open(file(), "ε\n");
    EXPECT_EQ(texts_of(again), texts_of(opened)) << size;
    EXPECT_EQ(again.place(), opened.place());
  }
}

TEST_F(UndoJournalTest, NonsenseIsBegunAnew) {
  for (const char* text :
       {"", "nonsense\n", "{\"version\":2,\"text\":\"\"}\n", "{\"version\":1}\n",
        "{\"version\":1,\"text\":\"a\"}\n{\"at\":9,\"removed\":\"\",\"inserted\":\"x\"}\n",
        "{\"version\":1,\"text\":\"a\"}\n{\"at\":0,\"removed\":\"b\",\"inserted\":\"x\"}\n",
        "{\"version\":1,\"text\":\"a\"}\n{\"place\":4}\n",
        "{\"version\":1,\"text\":\"a\"}\n[1]\n"}) {
    ASSERT_TRUE(write_file_atomically(file(), text).ok());
    UndoJournal journal;
    journal.open(file(), "text\n");
    EXPECT_EQ(journal.base(), "text\n") << text;
    EXPECT_TRUE(journal.changes().empty()) << text;
    journal.note("text 2\n");
    ASSERT_TRUE(journal.write().ok());
    UndoJournal again;
    again.open(file(), "text 2\n");
    EXPECT_EQ(again.place(), 1u) << text;
  }
}

TEST_F(UndoJournalTest, TheOldestAreForgotten) {
  UndoJournal journal;
  journal.open(file(), "");
  std::string text;
  for (size_t n = 0; n < 3 * UndoJournal::kMostChanges; ++n)
    journal.note(text += static_cast<char>('a' + n % 26));
  EXPECT_LE(journal.changes().size(), 2 * UndoJournal::kMostChanges);
  EXPECT_EQ(texts_of(journal).back(), text);
  ASSERT_TRUE(journal.write().ok());
  UndoJournal again;
  again.open(file(), text);
  EXPECT_LE(again.changes().size(), UndoJournal::kMostChanges);
  EXPECT_EQ(texts_of(again).back(), text);
}

// Opening and closing alone write nothing.
TEST_F(UndoJournalTest, ReadingWritesNothing) {
  UndoJournal journal;
  journal.open(file(), "text");
  ASSERT_TRUE(journal.write().ok());
  EXPECT_FALSE(std::filesystem::exists(file()));
}

}  // namespace
}  // namespace warpshop::ui
