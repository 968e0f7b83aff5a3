#include "core/nesting.h"

#include <gtest/gtest.h>

namespace warpshop {
namespace {

std::string repeated(const std::string& part, int times) {
  std::string out;
  for (int n = 0; n < times; ++n) out += part;
  return out;
}

TEST(Nesting, Json) {
  EXPECT_FALSE(json_nests_too_deep(repeated("[", 64) + repeated("]", 64)));
  EXPECT_TRUE(json_nests_too_deep(repeated("[", 65) + repeated("]", 65)));
  EXPECT_TRUE(json_nests_too_deep(repeated("{\"1\": ", 200'000)));
  EXPECT_FALSE(json_nests_too_deep(repeated("[{}],", 1000))) << "one after the other";
  EXPECT_FALSE(json_nests_too_deep("\"" + repeated("[", 500) + "\\\"" + repeated("{", 500) + "\""))
      << "inside a text";
  EXPECT_TRUE(json_nests_too_deep("\"text\\\\\"" + repeated("[", 65))) << "behind a text";
  EXPECT_FALSE(json_nests_too_deep("\"text that ends nowhere\\"));
}

TEST(Nesting, Toml) {
  struct Case {
    std::string text;
    int line;  // 0: not too deep
  };
  const Case kCases[] = {
      {"[a]\nb = 1.5\nc = [[1, 2], [3]]\n", 0},
      {"title = \"x\"\n[" + repeated("a.", 200'000) + "a]\n", 2},
      {repeated("a.", 65) + "a = 1\n", 1},
      {repeated("a.", 64) + "a = 1\n", 0},
      {"\n\nx = " + repeated("[", 65), 3},
      {"x = " + repeated("{a = ", 65), 1},
      {"[" + repeated("\"a\" . ", 65) + "a]\n", 1},
      {"# " + repeated("a.", 500) + "\nx = 1\n", 0},
      {"x = \"" + repeated("a.[", 500) + "\"\n", 0},
      {"x = '" + repeated("a.[", 500) + "\\'\n", 0},
      {"x = \"\"\"\n" + repeated("a.\n[\"", 500) + "\"\"\"\n", 0},
      {"x = '''\n" + repeated("a.[", 500) + "'''\ny = " + repeated("[", 65), 3},
      {"x = \"\\\"" + repeated("[", 65) + "\"\n", 0},
      {"x = \"\"\ny = " + repeated("[", 65), 2},
      {"# the end without a line end " + repeated("[", 65), 0},
      {"x = 1\n" + repeated("x1 = 1.5\n", 100), 0},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.text.substr(0, 60));
    const std::optional<Diagnostic> problem = toml_nests_too_deep(c.text, "lab.toml", "lab-file");
    ASSERT_EQ(problem.has_value(), c.line > 0);
    if (problem) {
      EXPECT_EQ(problem->place.line, c.line);
      EXPECT_EQ(problem->place.file, "lab.toml");
    }
  }
}

}  // namespace
}  // namespace warpshop
