#include "steady_exp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace warpshop::timing {
namespace {

TEST(SteadyExp, IsCloseToTheLibrarys) {
  for (double x = -708; x < 709; x += 0.00713) {
    SCOPED_TRACE(x);
    ASSERT_NEAR(steady_exp(x) / std::exp(x), 1, 1e-15);
  }
}

TEST(SteadyExp, Edges) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(steady_exp(0), 1);
  EXPECT_EQ(steady_exp(-0.0), 1);
  EXPECT_EQ(steady_exp(-1000), 0);
  EXPECT_EQ(steady_exp(-kInfinity), 0);
  EXPECT_EQ(steady_exp(kInfinity), kInfinity);
  EXPECT_TRUE(std::isnan(steady_exp(std::numeric_limits<double>::quiet_NaN())));
}

// Correctly rounded values, from 50 digits: at most one unit in the last place away.
TEST(SteadyExp, OneUnit) {
  const auto is_near = [](double value, double exact) {
    return value >= std::nextafter(exact, 0) && value <= std::nextafter(exact, 10);
  };
  EXPECT_TRUE(is_near(steady_exp(1), 0x1.5bf0a8b145769p+1));
  EXPECT_TRUE(is_near(steady_exp(-1), 0x1.78b56362cef38p-2));
  EXPECT_TRUE(is_near(steady_exp(-0.5), 0x1.368b2fc6f960ap-1));
}

}  // namespace
}  // namespace warpshop::timing
