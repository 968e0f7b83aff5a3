// Lines printed by a kernel, and the threads that printed them.
#include "maps/output_lines.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warpshop::ui {
namespace {

struct PrintedText {
  uint64_t block;
  uint32_t thread;
  const char* text;
};

struct PrintedCase {
  const char* name;
  std::vector<PrintedText> calls;
  std::vector<std::string> lines;  // "block.x thread.x,thread.y: text"
};

class OutputLinesTest : public testing::TestWithParam<PrintedCase> {};

TEST_P(OutputLinesTest, HaveTheirThreads) {
  lab::KernelRun run;
  run.grid = {4, 1, 1};
  run.block = {8, 4, 1};
  for (const PrintedText& call : GetParam().calls) {
    run.printed += call.text;
    run.printed_calls.push_back(
        {call.block, call.thread, static_cast<uint32_t>(std::string(call.text).size())});
  }
  // This line belongs to no thread.
  run.printed += "(printf: 3 calls were dropped, the buffer of 1 MiB is full)\n";
  std::vector<std::string> got;
  for (const OutputLine& line : output_lines(run)) {
    got.push_back(std::to_string(line.block.x) + " " + std::to_string(line.thread.x) + "," +
                  std::to_string(line.thread.y) + ": " + line.text);
  }
  EXPECT_EQ(got, GetParam().lines);
}

TEST(OutputLines, OfAKernelThatRunsAreInTheOrderOfBlocks) {
  emulator::LivePrints prints;
  prints.start({4, 1, 1}, {8, 4, 1});
  prints.add(2, 9, "c\n");
  prints.add(0, 1, "a\n");
  prints.add(2, 9, "d\n");
  prints.add(0, 31, "b\n");
  EXPECT_EQ(prints.calls(), 4u);
  std::string text;
  for (const OutputLine& line : output_lines(prints.text()))
    text += std::to_string(line.block.x) + line.text;
  EXPECT_EQ(text, "0a0b2c2d");
  prints.start({1, 1, 1}, {1, 1, 1});
  EXPECT_TRUE(output_lines(prints.text()).empty());
}

TEST(OutputLines, OfAKernelThatRunsAreBounded) {
  emulator::LivePrints prints;
  prints.start({1, 1, 1}, {32, 1, 1});
  const std::string line(1023, 'x');
  for (int n = 0; n < 1000; ++n) prints.add(0, 0, line + "\n");
  const emulator::LivePrints::Text text = prints.text();
  EXPECT_EQ(text.calls.size(), 64u);  // 64 KiB of calls of 1 KiB each
  EXPECT_EQ(text.dropped, 936u);
  EXPECT_EQ(prints.calls(), 1000u);
  EXPECT_EQ(output_lines(text).size(), 64u);
}

const PrintedCase kPrintedCases[] = {
    {"nothing", {}, {}},
    {"a_line_each",
     {{0, 0, "a\n"}, {0, 9, "b\n"}, {3, 31, "c\n"}},
     {"0 0,0: a", "0 1,1: b", "3 7,3: c"}},
    {"several_lines_of_one_call", {{1, 2, "a\n\nb\n"}}, {"1 2,0: a", "1 2,0: ", "1 2,0: b"}},
    {"a_line_of_several_calls",
     {{0, 5, "x = "}, {0, 5, "1, "}, {0, 5, "2\n"}, {0, 5, "y\n"}},
     {"0 5,0: x = 1, 2", "0 5,0: y"}},
    {"another_thread_does_not_go_on_in_it",
     {{0, 0, "a"}, {0, 1, "b"}, {1, 1, "c"}},
     {"0 0,0: a", "0 1,0: b", "1 1,0: c"}},
    {"an_empty_call", {{0, 0, ""}, {0, 1, "b\n"}}, {"0 1,0: b"}},
};

INSTANTIATE_TEST_SUITE_P(Printf, OutputLinesTest, testing::ValuesIn(kPrintedCases),
                         [](const testing::TestParamInfo<PrintedCase>& one) {
                           return one.param.name;
                         });

}  // namespace
}  // namespace warpshop::ui
