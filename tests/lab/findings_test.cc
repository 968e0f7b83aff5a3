// The single list of a run's findings, and their counts.
#include "lab/findings.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warpshop::lab {
namespace {

emulator::Finding finding(emulator::FindingKind kind, Severity severity, int line,
                          const char* access = "read", const char* buffer = "a") {
  emulator::Finding f;
  f.kind = kind;
  f.severity = severity;
  f.place = {"k.cu", line};
  f.access = access;
  f.allocation = buffer;
  f.message = "what happened";
  return f;
}

using Kind = emulator::FindingKind;

struct FoundCase {
  const char* name;
  std::vector<std::vector<emulator::Finding>> sizes;
  std::vector<int> lines;  // expected in the list
  const char* words;
};

class FindingsTest : public testing::TestWithParam<FoundCase> {};

TEST_P(FindingsTest, AreToldAndCountedOnce) {
  RunResult result;
  for (const auto& findings : GetParam().sizes)
    result.sizes.emplace_back().student.findings = findings;
  std::vector<int> lines;
  for (const FoundAt& found : findings_of(result.sizes)) lines.push_back(found.finding->place.line);
  EXPECT_EQ(lines, GetParam().lines);
  EXPECT_EQ(count_findings(result).words(), GetParam().words);
}

const FoundCase kFoundCases[] = {
    {"none", {{}, {}}, {}, "none"},
    {"one_at_two_sizes",
     {{finding(Kind::kRace, Severity::kError, 4)}, {finding(Kind::kRace, Severity::kError, 4)}},
     {4},
     "1 error"},
    {"another_at_the_second_size",
     {{finding(Kind::kRace, Severity::kError, 4)},
      {finding(Kind::kRace, Severity::kError, 5), finding(Kind::kRace, Severity::kError, 6)}},
     {4, 5, 6},
     "3 errors"},
    {"a_read_and_a_write_of_one_line",
     {{finding(Kind::kOutOfBounds, Severity::kError, 4),
       finding(Kind::kOutOfBounds, Severity::kError, 4, "write")}},
     {4, 4},
     "2 errors"},
    {"two_buffers_on_one_line",
     {{finding(Kind::kOutOfBounds, Severity::kError, 4, "read", "weight"),
       finding(Kind::kOutOfBounds, Severity::kError, 4, "read", "in")}},
     {4, 4},
     "2 errors"},
    {"errors_come_first",
     {{finding(Kind::kUninitialised, Severity::kWarning, 2)},
      {finding(Kind::kRace, Severity::kError, 9)}},
     {9, 2},
     "1 error, 1 warning"},
    {"a_cause_comes_before_what_comes_of_it",
     {{finding(Kind::kOutOfBounds, Severity::kError, 5),
       finding(Kind::kDivisionByZero, Severity::kError, 7)}},
     {7, 5},
     "2 errors"},
    {"the_worst_of_the_sizes",
     {{finding(Kind::kRace, Severity::kWarning, 3)}, {finding(Kind::kRace, Severity::kError, 3)}},
     {3},
     "1 error"},
    {"notes_fail_nothing",
     {{finding(Kind::kSyncwarpMask, Severity::kNote, 2),
       finding(Kind::kSyncwarpMask, Severity::kWarning, 3)}},
     {3, 2},
     "1 warning"},
};

INSTANTIATE_TEST_SUITE_P(Sizes, FindingsTest, testing::ValuesIn(kFoundCases),
                         [](const testing::TestParamInfo<FoundCase>& one) {
                           return one.param.name;
                         });

TEST(Problems, ARefusedLaunchIsToldOnce) {
  const Diagnostic refused = make_error_at({"k.cu", 9}, "launch", "the block has 2048 threads");
  RunResult result;
  result.diagnostics = {refused, {Severity::kWarning, "compile", {"k.cu", 3}, "unused", ""}};
  result.sizes.emplace_back().problems = {refused};
  EXPECT_EQ(problems_of(result).size(), 2U);
  EXPECT_EQ(count_findings(result).words(), "1 error");
}

}  // namespace
}  // namespace warpshop::lab
