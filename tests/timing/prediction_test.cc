// The names used in the window and in results.
#include "timing/prediction.h"

#include <gtest/gtest.h>

#include <set>

namespace warpshop::timing {
namespace {

TEST(Prediction, EveryStateHasANameOfNsightsAndAMeaning) {
  std::set<std::string_view> names;
  for (size_t s = 0; s < kWarpStates; ++s) {
    const auto state = static_cast<WarpState>(s);
    EXPECT_TRUE(names.insert(name_of(state)).second) << name_of(state);
    EXPECT_TRUE(name_of(state) == "Selected" || name_of(state).starts_with("Stall "));
    EXPECT_TRUE(meaning_of(state).ends_with("."));
  }
  EXPECT_EQ(name_of(WarpState::kLongScoreboard), "Stall Long Scoreboard");
  EXPECT_EQ(name_of(WarpState::kNotSelected), "Stall Not Selected");
}

TEST(Prediction, EveryBoundHasAName) {
  std::set<std::string_view> names;
  for (const Limiter limiter : {Limiter::kLatency, Limiter::kDram, Limiter::kL2, Limiter::kL1,
                                Limiter::kShared, Limiter::kTexture, Limiter::kCompute,
                                Limiter::kIssue, Limiter::kCamping, Limiter::kLaunch}) {
    EXPECT_TRUE(names.insert(name_of(limiter)).second) << name_of(limiter);
  }
}

}  // namespace
}  // namespace warpshop::timing
