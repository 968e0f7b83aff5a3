#include "state/instance_lock.h"

#include <sys/wait.h>
#include <unistd.h>

#include "core/files.h"
#include "home_folder.h"

namespace warpshop::ui {
namespace {

class InstanceLockTest : public HomeFolderTest {};

TEST_F(InstanceLockTest, TheSecondWindowKnowsOfTheFirst) {
  InstanceLock first, second, third;
  first.take(home());
  EXPECT_EQ(first.window(), 1);
  EXPECT_EQ(first.first(), "");
  second.take(home());
  EXPECT_EQ(second.window(), 2);
  EXPECT_EQ(second.first().substr(0, second.first().find(' ')), std::to_string(::getpid()));
  third.take(home());
  EXPECT_EQ(third.window(), 3);
}

TEST_F(InstanceLockTest, APlaceIsFreeOnceItsWindowHasGone) {
  {
    InstanceLock gone;
    gone.take(home());
  }
  InstanceLock next;
  next.take(home());
  EXPECT_EQ(next.window(), 1);
}

// A killed process leaves its file behind, with a process ID that may belong to another process by
// now.
TEST_F(InstanceLockTest, WhatACrashLeavesBehindIsNoWindow) {
  const pid_t child = ::fork();
  if (child == 0) {
    auto* never_freed = new InstanceLock;
    never_freed->take(home());
    ::_exit(never_freed->window());
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_EQ(WEXITSTATUS(status), 1);
  const Result<std::string> left = read_file(home() / "window.lock");
  ASSERT_TRUE(left.ok());
  EXPECT_TRUE(left->starts_with(std::to_string(child) + " "));
  InstanceLock next;
  next.take(home());
  EXPECT_EQ(next.window(), 1);
  EXPECT_EQ(next.first(), "");
}

TEST_F(InstanceLockTest, WhereNothingCanBeWrittenTheWindowOpensAllTheSame) {
  ASSERT_TRUE(write_file_atomically(home() / "file", "no folder").ok());
  InstanceLock lock;
  lock.take(home() / "file");
  EXPECT_EQ(lock.window(), 1);
}

TEST_F(InstanceLockTest, UnsavedEditsOfACrashedSecondWindowAreFoundByTheNextFirst) {
  ASSERT_TRUE(write_file_atomically(home() / "autosave-2/lab/a.cu", "of the second").ok());
  ASSERT_TRUE(write_file_atomically(home() / "autosave-2/lab/b.cu", "of the second, too").ok());
  ASSERT_TRUE(write_file_atomically(home() / "autosave/lab/b.cu", "of the first").ok());
  ASSERT_TRUE(write_file_atomically(home() / "autosave-3/lab/c.cu", "of one that lives").ok());
  InstanceLock first, third;
  first.take(home());
  {
    InstanceLock second;
    second.take(home());
    third.take(home());
    ASSERT_EQ(third.window(), 3);
    EXPECT_EQ(gather_unsaved(home()), 0);  // both are still running
  }
  EXPECT_EQ(gather_unsaved(home()), 2);
  EXPECT_EQ(read_file(home() / "autosave/lab/a.cu").value(), "of the second");
  EXPECT_EQ(read_file(home() / "autosave/lab/b.cu").value(), "of the first");
  std::string in_history;
  for (const auto& file : std::filesystem::directory_iterator(home() / "history/lab")) {
    in_history += read_file(file.path()).value();
  }
  EXPECT_EQ(in_history, "of the second, too");
  EXPECT_EQ(read_file(home() / "autosave-3/lab/c.cu").value(), "of one that lives");
}

}  // namespace
}  // namespace warpshop::ui
