#include "core/child_process.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>

namespace warpshop {
namespace {

using Clock = ChildProcess::Clock;
Clock::time_point soon() { return Clock::now() + std::chrono::seconds(10); }

TEST(ChildProcess, TalksInLines) {
  Result<ChildProcess> child =
      ChildProcess::start({"sh", "-c", "read a; echo \"got $a\"; printf tail >&2; exit 3"});
  ASSERT_TRUE(child.ok());
  EXPECT_TRUE(child->write("one\n", soon()));
  std::string line;
  EXPECT_EQ(child->read_line(line, soon()), ChildProcess::Read::kLine);
  EXPECT_EQ(line, "got one");
  EXPECT_EQ(child->read_line(line, soon()), ChildProcess::Read::kClosed);
  EXPECT_EQ(child->finish(soon()), "ended with status 3");
  EXPECT_EQ(child->error_tail(), "tail");
}

TEST(ChildProcess, AChildThatSaysNothingTimesOutAndIsKilledWithItsOwn) {
  Result<ChildProcess> child = ChildProcess::start({"sh", "-c", "sleep 60 & echo $!; wait"});
  ASSERT_TRUE(child.ok());
  std::string line;
  ASSERT_EQ(child->read_line(line, soon()), ChildProcess::Read::kLine);
  const pid_t grandchild = std::stoi(line);
  EXPECT_EQ(child->read_line(line, Clock::now() + std::chrono::milliseconds(50)),
            ChildProcess::Read::kTimeout);
  child->kill();
  // The grandchild may remain as a zombie of its new parent, but it no longer runs.
  const std::string stat = "/proc/" + std::to_string(grandchild) + "/stat";
  bool gone = false;
  for (int i = 0; i < 500 && !gone; ++i) {
    std::FILE* file = std::fopen(stat.c_str(), "r");
    char state = 'Z';
    if (file != nullptr) {
      if (std::fscanf(file, "%*d %*s %c", &state) != 1) state = 'Z';
      std::fclose(file);
    }
    gone = state == 'Z' || state == 'X';
    if (!gone) ::usleep(10'000);
  }
  EXPECT_TRUE(gone);
}

TEST(ChildProcess, AStopIsHeard) {
  Result<ChildProcess> child = ChildProcess::start({"sleep", "60"});
  ASSERT_TRUE(child.ok());
  StopFlag stop;
  stop.request();
  std::string line;
  EXPECT_EQ(child->read_line(line, soon(), &stop), ChildProcess::Read::kStopped);
}

TEST(ChildProcess, WhatCannotBeStartedSaysSo) {
  const Result<ChildProcess> child = ChildProcess::start({"/no/such/program"});
  ASSERT_FALSE(child.ok());
  EXPECT_NE(child.errors().front().message.english().find("/no/such/program"), std::string::npos);
}

TEST(SplitCommand, SplitsAsAShellDoes) {
  struct Case {
    const char* text;
    std::vector<std::string> words;
  };
  const Case kCases[] = {
      {"ssh host warpshop worker", {"ssh", "host", "warpshop", "worker"}},
      {"  srun  --gres=gpu:1\tw ", {"srun", "--gres=gpu:1", "w"}},
      {"sh -c 'a \"b\" $c'", {"sh", "-c", "a \"b\" $c"}},
      {"a\\ b \"c\\\"d\" ''", {"a b", "c\"d", ""}},
  };
  for (const Case& c : kCases) {
    const Result<std::vector<std::string>> words = split_command(c.text);
    ASSERT_TRUE(words.ok()) << c.text;
    EXPECT_EQ(words.value(), c.words) << c.text;
  }
  for (const char* bad : {"", "   ", "a 'b", "a \"b"}) EXPECT_FALSE(split_command(bad).ok()) << bad;
}

}  // namespace
}  // namespace warpshop
