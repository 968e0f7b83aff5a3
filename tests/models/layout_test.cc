// Expected tables: CUTLASS 4, media/docs/cpp/cute/01_layout.md. Swizzles: the bits of swizzle.hpp's
// comment, exchanged by hand.
#include "models/layout.h"

#include <gtest/gtest.h>

#include <set>

namespace warpshop::models {
namespace {

using Row = std::vector<uint64_t>;

std::vector<Row> table(std::string_view text) {
  Result<Layout> layout = parse_layout(text);
  EXPECT_TRUE(layout.ok()) << text;
  std::vector<Row> out;
  for (uint64_t row = 0; row < layout->rows(); ++row) {
    out.emplace_back();
    for (uint64_t column = 0; column < layout->columns(); ++column)
      out.back().push_back(layout->at(row, column));
  }
  return out;
}

TEST(LayoutTest, TheTablesOfCutesDocumentation) {
  EXPECT_EQ(table("(_2,_4):(_1,_2)"), (std::vector<Row>{{0, 2, 4, 6}, {1, 3, 5, 7}}));
  EXPECT_EQ(table("(_2,4):(_12,_1)"), (std::vector<Row>{{0, 1, 2, 3}, {12, 13, 14, 15}}));
  EXPECT_EQ(table("(2,(2,2)):(4,(2,1))"), (std::vector<Row>{{0, 2, 1, 3}, {4, 6, 5, 7}}));
  EXPECT_EQ(table("(2,(2,2)):(_1,(2,4))"), (std::vector<Row>{{0, 2, 4, 6}, {1, 3, 5, 7}}));
  EXPECT_EQ(table("((2,2),2):((4,1),2)"), (std::vector<Row>{{0, 2}, {4, 6}, {1, 3}, {5, 7}}));
  EXPECT_EQ(table("8:2"), (std::vector<Row>{{0, 2, 4, 6, 8, 10, 12, 14}}));
  EXPECT_EQ(table("((4,2)):((2,1))"), (std::vector<Row>{{0, 2, 4, 6, 1, 3, 5, 7}}));
}

TEST(LayoutTest, WithoutStridesTheFirstModeIsContiguous) {
  EXPECT_EQ(table("(4,2)"), table("(4,2):(1,4)"));
  EXPECT_EQ(table("(2,(2,2))"), table("(2,(2,2)):(1,(2,4))"));
  EXPECT_EQ(table(" 8 "), table("8:1"));
}

TEST(LayoutTest, MoreThanTwoModesGoAcross) {
  EXPECT_EQ(table("(2,2,2):(4,1,2)"), (std::vector<Row>{{0, 1, 2, 3}, {4, 5, 6, 7}}));
}

TEST(LayoutTest, ASwizzleFlipsLowBitsByHighOnes) {
  // YY at bits 5 and 6, ZZ at bits 2 and 3: Swizzle<2,2,3>.
  const Swizzle swizzle{2, 2, 3};
  EXPECT_EQ(swizzle(0b0000000), 0b0000000u);
  EXPECT_EQ(swizzle(0b0100000), 0b0100100u);
  EXPECT_EQ(swizzle(0b1100100), 0b1101000u);
  EXPECT_EQ(swizzle(0b0011111), 0b0011111u);
  // Negative: from the lower bits into the higher ones.
  EXPECT_EQ((Swizzle{2, 2, -3}(0b0000100)), 0b0100100u);
  EXPECT_EQ(table("Sw<1,0,1> o (2,2):(2,1)"), (std::vector<Row>{{0, 1}, {3, 2}}));
  EXPECT_EQ(table("Swizzle<1,0> o _0 o (_2,_2):(_2,_1)"), table("Sw<1,0,1> o (2,2):(2,1)"));
}

// A swizzle is its own inverse, so each element keeps a place of its own.
TEST(LayoutTest, ASwizzleMovesElementsWithoutLosingOne) {
  std::set<uint64_t> indices;
  for (const Row& row : table("Sw<3,3,3> o (32,64):(64,1)")) indices.insert(row.begin(), row.end());
  EXPECT_EQ(indices.size(), 32u * 64);
  EXPECT_EQ(*indices.rbegin(), 32u * 64 - 1);
}

TEST(LayoutTest, WhatIsNoLayoutIsRefusedAtItsColumn) {
  const struct {
    std::string text;
    int column;
    std::string_view words;
  } cases[] = {
      {"", 1, "expected a number at the end"},
      {"(32,32", 7, "expected a comma or “)” at the end"},
      {"(32,32):", 9, "expected a number at the end"},
      {"(32,32):(33,1) 4", 16, "expected the end instead of “4” at character 16"},
      {"(32,x)", 5, "expected a number instead of “x” at character 5"},
      {"(32,32):33", 9, "the strides must have the shape's parentheses"},
      {"(32,32):(33,1,1)", 9, "the strides must have the shape's parentheses"},
      {"(32,(4,8)):(33,1)", 16, "the strides must have the shape's parentheses"},
      {"(32,0):(1,1)", 5, "an extent of 0"},
      {"(200,200)", 1, "more than 16384 elements"},
      {"(2,99999999999999999999):(1,1)", 1, "more than 16384 elements"},
      {"(2,2):(1,2147483648)", 1, "an index of 2^31 or more"},
      {"Sw<3,3,2> o 8", 3, "shift must be at least its number of bits, 3"},
      {"Sw<30,30,30> o 8", 3, "above bit 30"},
      {"Sw<3,3,3> (8,8)", 11, "expected “o”"},
      {"Sw<3> o 8", 5, "expected a comma"},
      {std::string(40, '('), 18, "more than 16 parentheses"},
  };
  for (const auto& one : cases) {
    const Result<Layout> layout = parse_layout(one.text);
    ASSERT_FALSE(layout.ok()) << one.text;
    EXPECT_EQ(layout.errors()[0].place.column, one.column) << one.text;
    EXPECT_NE(layout.errors()[0].message.english().find(one.words), std::string::npos)
        << one.text << ": " << layout.errors()[0].message;
  }
}

}  // namespace
}  // namespace warpshop::models
