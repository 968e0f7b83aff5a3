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
  for (const Bound bound :
       {Bound::kLatency, Bound::kDram, Bound::kL2, Bound::kL1, Bound::kShared, Bound::kTexture,
        Bound::kCompute, Bound::kIssue, Bound::kCamping, Bound::kLaunch}) {
    EXPECT_TRUE(names.insert(name_of(bound)).second) << name_of(bound);
  }
}

}  // namespace
}  // namespace warpshop::timing
