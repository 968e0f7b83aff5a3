#include "actions.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace warpshop::ui {
namespace {

TEST(Actions, NoTwoShareAnIdOrAKey) {
  std::set<std::string_view> ids;
  std::map<ImGuiKeyChord, std::string_view> chords;
  for (const Action& action : actions()) {
    EXPECT_TRUE(ids.insert(action.id).second) << action.id;
    EXPECT_FALSE(action.title.empty());
    for (ImGuiKeyChord chord : {action.chord, action.second}) {
      if (chord == 0) continue;
      const auto [at, fresh] = chords.emplace(chord, action.id);
      EXPECT_TRUE(fresh) << action.id << " and " << at->second;
    }
  }
}

TEST(Actions, KeysAreWrittenAsPeopleReadThem) {
  EXPECT_EQ(shortcut_of("run"), "F6");
  EXPECT_EQ(shortcut_of("palette"), "Ctrl+Shift+P");
  EXPECT_EQ(shortcut_of("zoom-in"), "Ctrl++");
  EXPECT_EQ(shortcut_of("zoom-out"), "Ctrl+−");
  EXPECT_EQ(shortcut_of("next-access"), "→");
  EXPECT_EQ(shortcut_of("theme-dark"), "");
}

TEST(Actions, ThePaletteFindsByAnyWordInAnyOrder) {
  EXPECT_EQ(find_actions("").size(), actions().size());
  EXPECT_EQ(find_actions("theme light").front()->id, "theme-light");
  EXPECT_EQ(find_actions("LIGHT").front()->id, "theme-light");
  EXPECT_EQ(find_actions("run").front()->id, "run");  // the start of a title comes first
  EXPECT_EQ(find_actions("maps next").size(), 2u);    // by group, too
  EXPECT_TRUE(find_actions("no such thing").empty());
}

}  // namespace
}  // namespace warpshop::ui
