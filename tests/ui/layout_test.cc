#include "window/layout.h"

#include <gtest/gtest.h>

#include "window/system_theme.h"

namespace warpshop::ui {
namespace {

TEST(Layout, FollowsTheRoomThatZoomLeaves) {
  struct Case {
    const char* what;
    float width, height;
    LayoutClass layout;
  };
  for (const Case& c : {Case{"1600 × 1000 at 100%", 1600, 1000, LayoutClass::kWide},
                        Case{"1600 × 1000 at 75%", 2133, 1333, LayoutClass::kWide},
                        Case{"1600 × 1000 at 200%", 800, 500, LayoutClass::kTwo},
                        Case{"1600 × 1000 at 400%", 400, 250, LayoutClass::kSingle},
                        Case{"1280 × 720", 1280, 720, LayoutClass::kWide},
                        Case{"a low window", 1600, 500, LayoutClass::kTwo}}) {
    EXPECT_EQ(layout_class({c.width, c.height}), c.layout) << c.what;
  }
}

TEST(SystemTheme, ReadsWhatTheDesktopsKeep) {
  EXPECT_EQ(preference_from_gsettings("'prefer-dark'\n"), Preference::kDark);
  EXPECT_EQ(preference_from_gsettings("'default'\n"), Preference::kLight);
  EXPECT_EQ(preference_from_gsettings(""), Preference::kUnknown);
  EXPECT_EQ(preference_from_gtk_theme("Adwaita:dark"), Preference::kDark);
  EXPECT_EQ(preference_from_gtk_theme("Yaru"), Preference::kLight);
  EXPECT_EQ(preference_from_kdeglobals("[General]\nColorScheme=BreezeDark\nName=x\n"),
            Preference::kDark);
  EXPECT_EQ(preference_from_kdeglobals("[General]\nColorScheme=BreezeLight"), Preference::kLight);
  EXPECT_EQ(preference_from_kdeglobals("[General]\n"), Preference::kUnknown);
}

}  // namespace
}  // namespace warpshop::ui
