#include "core/toml_string.h"

#include <gtest/gtest.h>

namespace warpshop {
namespace {

TEST(TomlString, IsTheTextOnOneLine) {
  EXPECT_EQ(toml_string("a"), R"("a")");
  EXPECT_EQ(toml_string(R"(says "C:\new")"), R"("says \"C:\\new\"")");
  EXPECT_EQ(toml_string("two\nlines"), R"("two\u000Alines")");
}

}  // namespace
}  // namespace warpshop
