#include "core/utf8.h"

#include <gtest/gtest.h>

namespace warpshop {
namespace {

// The Unicode Standard, table 3-7, and one byte beyond each of its bounds.
TEST(Utf8, ACharacterIsAsTheStandardHasIt) {
  struct Case {
    std::string bytes;
    size_t length;
  };
  const Case kCases[] = {
      {"a", 1},
      {"\x7F", 1},
      {"\x80", 0},
      {"\xC1\xBF", 0},
      {"\xC2\x80", 2},
      {"\xC2\x7F", 0},
      {"\xC2\xC0", 0},
      {"\xDF\xBF", 2},
      {"\xE0\x9F\x80", 0},
      {"\xE0\xA0\x80", 3},
      {"\xED\x9F\xBF", 3},
      {"\xED\xA0\x80", 0},
      {"\xEF\xBF\xBF", 3},
      {"\xF0\x8F\xBF\xBF", 0},
      {"\xF0\x90\x80\x80", 4},
      {"\xF4\x8F\xBF\xBF", 4},
      {"\xF4\x90\x80\x80", 0},
      {"\xF5\x80\x80\x80", 0},
      {"\xE2\x82", 0},  // truncated
      {"ab", 1},
  };
  for (const Case& c : kCases)
    EXPECT_EQ(utf8_length(c.bytes), c.length) << ::testing::PrintToString(c.bytes);
}

TEST(Utf8, ACodePointIsThatOfTheCompilersOwnLiteral) {
  EXPECT_EQ(code_point("A"), U'A');
  EXPECT_EQ(code_point("\u00e9"), U'\u00e9');
  EXPECT_EQ(code_point("\u20ac"), U'\u20ac');
  EXPECT_EQ(code_point("\U0001f600"), U'\U0001f600');
  EXPECT_EQ(code_point("\xff"), 0xffU) << "a stray byte";
}

TEST(Utf8, BytesOfNoCharacterAreReplacedOneByOne) {
  EXPECT_EQ(valid_utf8("a\xFF\xE2\x82z\xC3\xA4"), "a\uFFFD\uFFFD\uFFFDzä");
  EXPECT_EQ(valid_utf8(""), "");
}

TEST(Utf16, IsKnownByItsZeros) {
  const auto wide = [](std::string_view text, bool big) {
    std::string out;
    for (const char c : text) out += big ? std::string{'\0', c} : std::string{c, '\0'};
    return out;
  };
  EXPECT_TRUE(looks_like_utf16(wide("int x;\n", false)));
  EXPECT_TRUE(looks_like_utf16(wide("int x;\n", true)));
  EXPECT_TRUE(looks_like_utf16("\xFF\xFE" + wide("i", false)));
  EXPECT_FALSE(looks_like_utf16(""));
  EXPECT_FALSE(looks_like_utf16("int x;\n"));
  EXPECT_FALSE(looks_like_utf16(std::string(64, '\0')));
  EXPECT_FALSE(looks_like_utf16(std::string("int x;\n") + std::string(5, '\0')));
}

}  // namespace
}  // namespace warpshop
