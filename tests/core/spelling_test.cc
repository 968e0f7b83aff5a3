#include "core/spelling.h"

#include <gtest/gtest.h>

namespace warpshop {
namespace {

TEST(Spelling, CountsMistakes) {
  const struct {
    const char* a;
    const char* b;
    size_t mistakes;
    bool near;
  } kCases[] = {
      {"copy", "copy", 0, true},
      {"cpoy", "copy", 1, true},
      {"launch", "lunch", 1, true},
      {"Launch", "launch", 0, true},
      {"copyy", "copy", 1, true},
      {"saxpy", "copy", 3, false},
      {"k", "g", 1, false},
      {"", "copy", 4, false},
      {"", "", 0, true},
      {"transpose", "trnaspos", 2, true},
  };
  for (const auto& c : kCases) {
    EXPECT_EQ(spelling_distance(c.a, c.b), c.mistakes) << c.a << ' ' << c.b;
    EXPECT_EQ(spelling_distance(c.b, c.a), c.mistakes) << c.b << ' ' << c.a;
    EXPECT_EQ(is_near(c.a, c.b), c.near) << c.a << ' ' << c.b;
  }
}

}  // namespace
}  // namespace warpshop
