#include "core/ascii.h"

#include <gtest/gtest.h>

#include <string>

namespace warpshop {
namespace {

TEST(Ascii, CharactersBeyondAsciiAreOfNoKind) {
  for (int byte = 0x80; byte < 0x100; ++byte) {
    const char c = static_cast<char>(byte);
    EXPECT_FALSE(is_digit(c) || is_letter(c) || is_word_character(c) || is_white_space(c)) << byte;
    EXPECT_EQ(lower(c), c);
  }
}

TEST(Ascii, EachCharacterIsOfItsKind) {
  for (const char c : {'0', '9'}) EXPECT_TRUE(is_digit(c) && is_word_character(c) && !is_letter(c));
  for (const char c : {'a', 'z', 'A', 'Z'})
    EXPECT_TRUE(is_letter(c) && is_word_character(c) && !is_digit(c));
  for (const char c : {'/', ':', '@', '[', '`', '{', '-', '.', ' '})
    EXPECT_FALSE(is_letter(c) || is_digit(c) || is_word_character(c)) << c;
  EXPECT_TRUE(is_word_character('_'));
  for (const char c : {' ', '\t', '\n', '\v', '\f', '\r'}) EXPECT_TRUE(is_white_space(c));
  for (const char c : {'\b', '\x0e', '\0', 'x'}) EXPECT_FALSE(is_white_space(c));
}

TEST(Ascii, LowerLeavesWhatIsNoLetter) { EXPECT_EQ(lower("AZ[\u00c4_9"), "az[\u00c4_9"); }

TEST(Ascii, TrimsBothEnds) {
  EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
  EXPECT_EQ(trimmed("a"), "a");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(Ascii, KnowsIdentifiers) {
  for (const char* name : {"a", "_", "_1", "blockDim", "x2"})
    EXPECT_TRUE(is_identifier(name)) << name;
  for (const char* text : {"", "2x", "a-b", "a b", "a.x", "\u00e4"})
    EXPECT_FALSE(is_identifier(text)) << text;
}

TEST(Ascii, FindsWholeWords) {
  struct Case {
    const char* text;
    const char* word;
    size_t at;
  };
  for (const Case& c : {Case{"scale(scales, scale)", "scale", 0},
                        {"rescale scales scale", "scale", 15},
                        {"scale", "scale", 0},
                        {"scale_2 2scale", "scale", std::string::npos},
                        {"scale", "", std::string::npos},
                        {"", "scale", std::string::npos}}) {
    EXPECT_EQ(find_word(c.text, c.word), c.at) << c.text;
  }
  EXPECT_EQ(find_word("a b a", "a", 1), 4U);
}

TEST(Ascii, ReplacesWithoutReadingItsOwnReplacement) {
  EXPECT_EQ(replace_all("aaa", "a", "aa"), "aaaaaa");
  EXPECT_EQ(replace_all("a-b-c", "-", ""), "abc");
  EXPECT_EQ(replace_all("abc", "x", "y"), "abc");
}

TEST(Ascii, WritesHexadecimalNumbers) {
  EXPECT_EQ(hexadecimal(0), "0x0");
  EXPECT_EQ(hexadecimal(0x2f400), "0x2f400");
  EXPECT_EQ(hexadecimal(~uint64_t{0}), "0xffffffffffffffff");
}

}  // namespace
}  // namespace warpshop
