#include "walk/line_change.h"

#include <gtest/gtest.h>

namespace warpshop::ui {
namespace {

using Lines = std::vector<std::string>;

// Two changes far apart leave the lines between them alone.
TEST(LineChange, LinesBetweenTwoChangesStay) {
  const Lines from = {"int stages = 1;", "a", "b", "c", "loop", "wait", "end"};
  const Lines to = {"int stages = 3;", "a", "b", "c", "ahead", "loop", "end"};
  Lines now = from;
  std::vector<size_t> at, removed, typed;
  for (int changes = 0; changes < 9; ++changes) {
    const std::optional<LineChange> change = first_change(now, to);
    if (!change) break;
    at.push_back(change->line);
    removed.push_back(change->removed.size());
    typed.push_back(change->lines.size());
    const auto place = now.begin() + static_cast<std::ptrdiff_t>(change->line);
    const auto behind =
        now.erase(place, place + static_cast<std::ptrdiff_t>(change->removed.size()));
    now.insert(behind, change->lines.begin(), change->lines.end());
  }
  EXPECT_EQ(now, to);
  EXPECT_EQ(at, (std::vector<size_t>{0, 4, 6}));
  EXPECT_EQ(removed, (std::vector<size_t>{1, 0, 1}));
  EXPECT_EQ(typed, (std::vector<size_t>{1, 1, 0}));
}

// An index is inserted in a line, not the line retyped.
TEST(LineChange, LettersAreInsertedInALine) {
  const LineChange change = {
      .line = 3, .removed = {"x = tile[k][row];"}, .lines = {"x = tile[s][k][row];"}};
  const std::vector<WithinLine> within = within_lines(change);
  ASSERT_EQ(within.size(), 1U);
  EXPECT_EQ(within[0].removed, 0U);
  EXPECT_EQ(within[0].typed.size(), 3U);
  EXPECT_EQ(within[0].typed, "[s]");
  EXPECT_EQ(within[0].keys(), 16U);  // End, 9 letters back, 3 typed, on to the next line with 3
  EXPECT_EQ(keys_to_retype(change), 23U);
}

// Other lines, other letters: these are typed anew.
TEST(LineChange, OtherLinesAreTypedAnew) {
  EXPECT_TRUE(
      within_lines({.line = 0, .removed = {"wait();"}, .lines = {"if (row < rows) {"}}).empty());
  EXPECT_TRUE(within_lines({.line = 0, .removed = {"a"}, .lines = {"a", "b"}}).empty());
  EXPECT_TRUE(
      within_lines({.line = 0, .removed = {"one × row, and x"}, .lines = {"one × row, and y"}})
          .empty());
}

}  // namespace
}  // namespace warpshop::ui
