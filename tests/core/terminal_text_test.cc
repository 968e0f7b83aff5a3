#include "core/terminal_text.h"

#include <gtest/gtest.h>

namespace warpshop {
namespace {

TEST(TerminalText, ControlCharactersAreSpelledOut) {
  struct Case {
    std::string text;
    std::string shown;
  };
  const Case kCases[] = {
      {"plain, tab\tand line\n", "plain, tab\tand line\n"},
      {"µ × 値 😀", "µ × 値 😀"},
      {"\033]52;c;ZXZpbA==\a", "\\x1B]52;c;ZXZpbA==\\x07"},
      {"\033[31mred\033[0m", "\\x1B[31mred\\x1B[0m"},
      {"one\rtwo", "one\\x0Dtwo"},
      {"one\r\ntwo", "one\r\ntwo"},
      {"\u009b31m", "\\x9B31m"},  // 8-bit CSI, encoded in UTF-8
      {"\x9b\x31m", "\\x9B1m"},   // 8-bit CSI, as a raw byte
      {"\x7f\x08", "\\x7F\\x08"},
      {std::string("a\0b", 3), "a\\x00b"},
      {"\xff\xc3", "\\xFF\\xC3"},
      {"\u00a0é", "\u00a0é"},
      {"a \u202A\u202E\u2066\u2069 b", "a \\u202A\\u202E\\u2066\\u2069 b"},
      {"\u2029\u202F\u2065", "\u2029\u202F\u2065"},
      {"", ""},
  };
  for (const Case& c : kCases) EXPECT_EQ(terminal_text(c.text), c.shown);
}

TEST(TerminalText, JsonKeepsItsMeaning) {
  EXPECT_EQ(terminal_json("\"\u202e\""), "\"\\u202E\"");
  EXPECT_EQ(terminal_json("{\"a\": \"\u009b31m\x7f µ\\u001b\"}\n"),
            "{\"a\": \"\\u009B31m\\u007F µ\\u001b\"}\n");
}

}  // namespace
}  // namespace warpshop
