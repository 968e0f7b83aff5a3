#include "core/lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpshop {
namespace {

using testing::ElementsAre;

TEST(Lines, AreFoundByTheirNumber) {
  constexpr std::string_view kText = "one\n\nthree\r\nlast";
  EXPECT_EQ(nth_line(kText, 1), "one");
  EXPECT_EQ(nth_line(kText, 2), "");
  EXPECT_EQ(nth_line(kText, 3), "three");
  EXPECT_EQ(nth_line(kText, 4), "last");
  EXPECT_EQ(nth_line(kText, 5), "");
  EXPECT_EQ(nth_line(kText, 0), "");
  EXPECT_EQ(offset_of_line(kText, 1), 0u);
  EXPECT_EQ(kText.substr(offset_of_line(kText, 3)), "three\r\nlast");
  EXPECT_EQ(offset_of_line(kText, 5), std::string_view::npos);
}

TEST(Lines, AreOneMoreThanTheirEnds) {
  EXPECT_THAT(split_lines(""), ElementsAre(""));
  EXPECT_THAT(split_lines("a\n\nb\n"), ElementsAre("a", "", "b", ""));
}

TEST(Lines, ThatEndAsOnOldMacsAreKnown) {
  for (const char* text : {"a\rb", "// c\r\rk();\r", "\rb"})
    EXPECT_TRUE(has_only_carriage_returns(text)) << text;
  for (const char* text : {"", "a", "a\r", "a\r \r", "a\r\nb\r\n", "a\rb\nc"})
    EXPECT_FALSE(has_only_carriage_returns(text)) << text;
}

TEST(Lines, APlaceCountsLinesAndColumnsFromOne) {
  const std::string_view text = "ab\n\ncd";
  EXPECT_EQ(place_in_text(text, 0, 2, "f"), (SourcePlace{"f", 1, 1, 2}));
  EXPECT_EQ(place_in_text(text, 1, 1, "f"), (SourcePlace{"f", 1, 2, 1}));
  EXPECT_EQ(place_in_text(text, 3, 0, "f"), (SourcePlace{"f", 2, 1, 0}));
  EXPECT_EQ(place_in_text(text, 5, 1, "f"), (SourcePlace{"f", 3, 2, 1}));
  EXPECT_EQ(place_in_text(text, 6, 0, "f"), (SourcePlace{"f", 3, 3, 0}));
}

}  // namespace
}  // namespace warpshop
