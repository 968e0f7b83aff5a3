#include "core/cpp_text.h"

#include <gtest/gtest.h>

#include <string>

namespace warpshop {
namespace {

struct BraceCase {
  const char* name;
  std::string text;   // from the outermost unclosed brace onwards
  const char* brace;  // the expected brace and the text after it
};

class UnclosedBrace : public testing::TestWithParam<BraceCase> {};

TEST_P(UnclosedBrace, IsFoundByTheIndentation) {
  const std::string& text = GetParam().text;
  EXPECT_TRUE(text.substr(unclosed_brace(text, text.find('{'))).starts_with(GetParam().brace))
      << unclosed_brace(text, text.find('{'));
}

const BraceCase kBraces[] = {
    {"the_only_one", "void k() {\n  a();\n", "{\n  a"},
    {"of_a_function", "void k() {\n  if (x) {\n    a();\n  }\n\nvoid l() {\n}\n", "{\n  if"},
    {"of_a_block", "void k() {\n  if (x) {\n    a();\n}\n\nvoid l() {\n}\n", "{\n    a"},
    {"of_a_block_on_a_line_of_its_own", "void k()\n{\n  if (x)\n  {\n    a();\n}\n", "{\n    a"},
    {"of_the_inner_of_two", "void k() {\n  for (;;) {\n    if (x) {\n      a();\n  }\n}\n",
     "{\n      a"},
    {"after_a_head_of_two_lines", "void k(int a,\n       int b) {\n  if (x) {\n    a();\n}\n",
     "{\n    a"},
    {"braces_in_comments_and_strings",
     "void k() {\n  // }\n  f(\"}\", '}'); /* }\n} */\n  if (x) {\n    a();\n}\n", "{\n    a"},
    {"initialisers_are_no_blocks", "void k() {\n  int a[] = {1, 2};\n  if (x) {\n    a();\n}\n",
     "{\n    a"},
    {"else", "void k() {\n  if (x) {\n    a();\n  } else {\n    b();\n}\n", "{\n    b"},
    {"tabs", "void k() {\n\tif (x) {\n\t\ta();\n}\n", "{\n\t\ta"},
    {"without_indentation_the_outermost_that_is_left", "void k() {\nif (x) {\na();\n}\n", "{\nif"},
};

INSTANTIATE_TEST_SUITE_P(Texts, UnclosedBrace, testing::ValuesIn(kBraces),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace warpshop
