// What wrong elements have in common, as reported to the student.
#include "checks/mismatch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

namespace warpshop::lab {
namespace {

// Values that follow no pattern.
double value(uint64_t i) { return std::fmod(static_cast<double>(i * i * 7 + i * 13), 101.0) + 1; }

constexpr double kNever = -1e300;

struct MismatchCase {
  const char* name;
  uint64_t count;
  uint64_t width;
  std::function<double(uint64_t)> got;  // kNever: not written
  const char* says;
};

class MismatchTest : public testing::TestWithParam<MismatchCase> {};

TEST_P(MismatchTest, Says) {
  const MismatchCase& c = GetParam();
  const Mismatches m{
      .count = c.count,
      .width = c.width,
      .wrong = [&](uint64_t i) { return c.got(i) != value(i); },
      .written = [&](uint64_t i) { return c.got(i) != kNever; },
      .expected = value,
      .got = c.got,
  };
  EXPECT_EQ(common_to_mismatches(m), c.says);
}

const MismatchCase kMismatches[] = {
    {"nothing_is_wrong", 100, 100, [](uint64_t i) { return value(i); }, ""},
    {"the_end_was_never_written", 100, 100, [](uint64_t i) { return i < 96 ? value(i) : kNever; },
     "All elements from 96 to the end are wrong. They were never written."},
    {"a_part_was_never_written", 100, 100,
     [](uint64_t i) { return i < 90   ? value(i)
                             : i < 95 ? kNever
                                      : value(i) + 1; },
     "All elements from 90 to the end are wrong. 5 of them were never written."},
    {"the_begin", 100, 100, [](uint64_t i) { return i < 10 ? 0 : value(i); },
     "The first 10 elements are wrong; all others are correct. All of them are 0."},
    {"every_second", 100, 100, [](uint64_t i) { return i % 2 == 1 ? kNever : value(i); },
     "Every second element is wrong, starting with element 1. They were never written."},
    {"only_every_fourth", 100, 100, [](uint64_t i) { return i % 4 == 0 ? value(i) : kNever; },
     "Only every fourth element is correct. They were never written."},
    {"every_32nd", 1000, 1000, [](uint64_t i) { return i % 32 == 5 ? kNever : value(i); },
     "Every 32nd element is wrong, starting with element 5. They were never written."},
    {"an_index_divided_by_two", 1000, 1000, [](uint64_t i) { return value(i / 2); },
     "Element i holds the value that belongs in element i / 2: is an index divided by 2?"},
    {"an_index_divided_by_the_warp", 4096, 64, [](uint64_t i) { return value(i / 32); },
     "Element i holds the value that belongs in element i / 32: is an index divided by 32?"},
    {"the_last_columns", 100, 10, [](uint64_t i) { return i % 10 < 8 ? value(i) : kNever; },
     "All are in columns 8 through the last one. They were never written."},
    {"the_first_row", 100, 10, [](uint64_t i) { return i > 3 && i < 7 ? value(i) + 1 : value(i); },
     "All are in row 0."},
    {"rows_and_columns_exchanged", 100, 10, [](uint64_t i) { return value(i % 10 * 10 + i / 10); },
     "Rows and columns are swapped."},
    {"infinite_everywhere", 100, 10,
     [](uint64_t) { return std::numeric_limits<double>::infinity(); }, "All of them are inf."},
    {"one_further", 100, 100, [](uint64_t i) { return value(i + 1); },
     "Each holds the value that belongs 1 place later."},
    {"two_columns_before", 100, 10, [](uint64_t i) { return i < 2 ? 0.5 : value(i - 2); },
     "Each holds the value that belongs 2 columns to the left."},
    {"one_row_further", 100, 10, [](uint64_t i) { return value(i + 10); },
     "Each holds the value that belongs 1 row further down."},
    {"twice", 100, 100, [](uint64_t i) { return 2 * value(i); },
     "Each is 2 times the expected value."},
    {"one_more", 100, 100, [](uint64_t i) { return value(i) + 1; }, "Each is 1 too large."},
    {"rounding", 100, 100, [](uint64_t i) { return value(i) * (i % 2 ? 1.00002 : 0.99999); },
     "They differ only in the last digits, by at most 0.002%."},
    {"something_left_out", 100, 100,
     [](uint64_t i) { return value(i) - static_cast<double>(i % 3 + 1); }, "All are too small."},
    {"something_twice", 100, 100,
     [](uint64_t i) { return value(i) + static_cast<double>(i % 3 + 1); }, "All are too large."},
    {"without_a_pattern", 100, 100, [](uint64_t i) { return i % 3 ? 51 - value(i) / 2 : 90; }, ""},
    {"too_few_to_tell", 5, 5, [](uint64_t i) { return 2 * value(i); }, ""},
};

INSTANTIATE_TEST_SUITE_P(Table, MismatchTest, testing::ValuesIn(kMismatches),
                         [](const testing::TestParamInfo<MismatchCase>& c) {
                           return c.param.name;
                         });

}  // namespace
}  // namespace warpshop::lab
