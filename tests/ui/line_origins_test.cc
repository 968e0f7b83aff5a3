#include "maps/line_origins.h"

#include <gtest/gtest.h>

namespace warpshop::ui {
namespace {

TEST(LineOrigins, MarksMoveWithTheirLines) {
  struct Case {
    const char *name, *then, *now;
    std::vector<int> origins;
  };
  const Case cases[] = {
      {"nothing changed", "a\nb", "a\nb", {1, 2}},
      {"a line before", "int a;\nint b;", "int x;\nint a;\nint b;", {0, 1, 2}},
      {"lines before and behind",
       "load(in);\nstore(out);",
       "\n\nload(in);\nwait;\nstore(out);\n",
       {0, 0, 1, 0, 2, 0}},
      {"a line is gone", "one();\ntwo();\nthree();", "one();\nthree();", {1, 3}},
      {"a line is edited", "x = in[i];\ny = 1;", "x = in[i + 1];\ny = 1;", {1, 2}},
      {"edited, with a new one before",
       "float v = in[i];\nout[i] = v;",
       "int j = 3;\nfloat v = in[i + j];\nout[i] = v;",
       {0, 1, 2}},
      {"indented", "a();\nb();", "if (x) {\n  a();\n}\nb();", {0, 1, 0, 2}},
      {"another text", "alpha();\nbeta();", "x = 1;\ny = 2;", {0, 0}},
      {"no text any more", "a\nb", "", {0}},
  };
  for (const Case& c : cases) EXPECT_EQ(line_origins(c.then, c.now), c.origins) << c.name;
}

TEST(LineOrigins, OfATextThatChangedAsAWholeIsNotWorkedOut) {
  std::string then, now;
  for (int n = 0; n < 2000; ++n) {
    then += "a" + std::to_string(n) + "\n";
    now += "b" + std::to_string(n) + "\n";
  }
  const std::vector<int> origins = line_origins(then, now);
  ASSERT_EQ(origins.size(), 2001u);
  EXPECT_EQ(origins.front(), 0);
  EXPECT_EQ(origins.back(), 2001);  // the empty last line is the same
}

}  // namespace
}  // namespace warpshop::ui
