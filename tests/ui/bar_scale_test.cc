#include "maps/bar_scale.h"

#include <gtest/gtest.h>

namespace warpshop::ui {
namespace {

TEST(BarScale, IsOneForAllBarsAndLetsEveryFigureEndInside) {
  EXPECT_DOUBLE_EQ(bar_scale({{100, 20}}, 120, 24), 1);
  // The longest bar has a short figure, a shorter bar has a long one, which decides the scale.
  EXPECT_DOUBLE_EQ(bar_scale({{100, 20}, {80, 80}}, 120, 24), 0.5);
  EXPECT_DOUBLE_EQ(bar_scale({{80, 80}, {100, 20}}, 120, 24), 0.5);
  // A short bar's long figure does not shorten the long bar.
  EXPECT_DOUBLE_EQ(bar_scale({{100, 20}, {10, 80}}, 120, 24), 1);
}

TEST(BarScale, LeavesBarsWhereThereIsNoRoomAndNothingWhereThereAreNone) {
  EXPECT_DOUBLE_EQ(bar_scale({{100, 300}, {50, 10}}, 120, 24), 0.24);
  EXPECT_EQ(bar_scale({{0, 20}}, 120, 24), 0);
  EXPECT_EQ(bar_scale({}, 120, 24), 0);
}

}  // namespace
}  // namespace warpshop::ui
