// The system check asks for what this program needs.
#include "lab/system_check.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace warpshop::lab {
namespace {

std::set<std::string> checked(bool window) {
  std::set<std::string> out;
  for (const SystemCheckLine& line : check_system(window)) out.insert(line.what.english());
  return out;
}

TEST(SystemCheck, AProgramWithoutAWindowNeedsNoDisplayAndNoFonts) {
  const std::set<std::string> with = checked(true), without = checked(false);
  for (const char* of_window : {"display", "OpenGL", "fonts"}) {
    EXPECT_TRUE(with.contains(of_window)) << of_window;
    EXPECT_FALSE(without.contains(of_window)) << of_window;
  }
  for (const char* of_both : {"NVRTC", "data", "labs", "GPU profiles", "your work"}) {
    EXPECT_TRUE(with.contains(of_both)) << of_both;
    EXPECT_TRUE(without.contains(of_both)) << of_both;
  }
}

}  // namespace
}  // namespace warpshop::lab
