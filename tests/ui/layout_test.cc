#include "window/layout.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

#include "app/actions.h"
#include "core/files.h"
#include "lab/demo.h"
#include "panels/panel_table.h"
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

TEST(PanelTable, APanelHasAPlaceInEveryModeAndAnActionThatGoesThere) {
  std::set<std::string_view> ids;
  std::set<int> tabs;
  for (const PanelRow& row : panel_table()) {
    EXPECT_TRUE(ids.insert(row.id).second) << row.id;
    const bool of_a_lecture = row.student == StudentDock::kNone;
    EXPECT_EQ(row.analysis == AnalysisDock::kNone, of_a_lecture) << row.id;
    EXPECT_EQ(row.go_title.empty(), of_a_lecture) << row.id;
    EXPECT_EQ(find_action("go-" + std::string(row.id)) == nullptr, of_a_lecture) << row.id;
    EXPECT_TRUE(row.draw != nullptr || row.id == "steps" || row.id == "editor") << row.id;
    EXPECT_TRUE(row.tab == 0 || tabs.insert(row.tab).second) << row.id;
  }
  EXPECT_EQ(tabs.size(), panels_of_a_run().size());
  EXPECT_EQ(find_panel("no-such-panel"), nullptr);
}

// As the sources open it: `Panel panel("banks", tr("Banks"))`.
TEST(PanelTable, ATabHasTheTitleOfItsRow) {
  const std::regex opened(R"re(Panel panel\("(\w+)",\s*(?:tr\()?"([^"]+)")re");
  std::set<std::string> seen;
  for (const auto& file :
       std::filesystem::directory_iterator(WARPSHOP_SOURCE_DIR "/app/ui/panels")) {
    const std::string source = read_file(file.path()).value();
    for (std::sregex_iterator at(source.begin(), source.end(), opened), end; at != end; ++at) {
      const PanelRow* row = find_panel((*at)[1].str());
      ASSERT_NE(row, nullptr) << (*at)[1];
      if ((*at)[2] == "Reading") continue;  // the editor of a step without a kernel
      EXPECT_EQ(row->title, (*at)[2].str()) << file.path();
      seen.insert((*at)[1]);
    }
  }
  EXPECT_GE(seen.size(), 24U);
}

TEST(PanelTable, EveryPanelThatASceneCanShowIsDockedInALecture) {
  for (const std::string_view id : lab::kScenePanels) {
    const PanelRow* row = find_panel(id);
    ASSERT_NE(row, nullptr) << id;
    EXPECT_EQ(row->lecture, LectureDock::kMap) << id;
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
