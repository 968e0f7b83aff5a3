#include "app/actions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/files.h"
#include "panels/menu_bar.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

TEST(Actions, NoTwoShareAnIdOrAKey) {
  std::set<std::string_view> ids;
  std::map<std::pair<ImGuiKeyChord, bool>, std::string_view> chords;  // in the editor and elsewhere
  for (const Action& action : actions()) {
    EXPECT_TRUE(ids.insert(action.id).second) << action.id;
    EXPECT_FALSE(action.title.empty());
    for (ImGuiKeyChord chord : {action.chord, action.second}) {
      if (chord == 0) continue;
      const auto [at, fresh] = chords.emplace(std::pair(chord, action.in_editor()), action.id);
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

TEST(ActionsTest, ShortcutsAreNamedAsOnTheUsersKeyboard) {
  Result<Catalogue> german = load_language(data_dir(), "de");
  ASSERT_TRUE(german.ok());
  use_language(std::move(german).value());
  EXPECT_EQ(shortcut_of("palette"), "Strg+Umschalt+P");
  EXPECT_EQ(shortcut_of("zoom-in"), "Strg++");
  EXPECT_EQ(shortcut_of("run"), "F6");
  // What is kept in the settings is the same in every language.
  EXPECT_EQ(chord_text(find_action("palette")->chord), "Ctrl+Shift+P");
  use_language({"en", "English", {}});
}

class KeysTest : public testing::Test {
 protected:
  void TearDown() override { use_keys({}); }
};

TEST_F(KeysTest, EveryChordIsReadBackFromItsText) {
  for (const Action& action : actions()) {
    for (const ImGuiKeyChord chord : {action.chord, action.second}) {
      if (chord != 0) {
        EXPECT_EQ(chord_from_text(chord_text(chord)), chord) << chord_text(chord);
      }
    }
  }
  EXPECT_EQ(chord_from_text("Ctrl+Alt+Shift+F7"),
            ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiMod_Shift | ImGuiKey_F7);
  for (const char* none : {"", "Ctrl+", "Hyper+A", "F77", "Ctrl+Ctrl"}) {
    EXPECT_FALSE(chord_from_text(none)) << none;
  }
}

TEST_F(KeysTest, AChosenKeyIsTakenFromWhoeverHadIt) {
  ASSERT_STREQ(action_of(ImGuiKey_F6)->id.data(), "run");
  use_keys({{"palette", "F6"}, {"no-such-action", "F7"}, {"keys", "no such key"}, {"save", ""}});
  EXPECT_EQ(action_of(ImGuiKey_F6)->id, "palette");
  // The palette loses its other chords; run keeps its second one.
  EXPECT_EQ(action_of(ImGuiKey_F1), nullptr);
  EXPECT_EQ(find_action("run")->chord, ImGuiMod_Ctrl | ImGuiKey_Enter);
  EXPECT_EQ(find_action("save")->chord, 0);
  EXPECT_EQ(find_action("keys")->chord, ImGuiMod_Ctrl | ImGuiKey_F1)
      << "an unknown key changes nothing";
  use_keys({});
  EXPECT_EQ(action_of(ImGuiKey_F6)->id, "run");
  EXPECT_EQ(action_of(ImGuiKey_F1)->id, "palette");
}

TEST(Actions, EveryGroupHasItsMenu) {
  for (const Action& action : actions()) {
    size_t found = 0;
    for (const MenuOf& menu : menus()) {
      found +=
          static_cast<size_t>(std::count(menu.groups.begin(), menu.groups.end(), action.group));
    }
    EXPECT_EQ(found, 1u) << action.id << ": " << action.group;
  }
}

}  // namespace
}  // namespace warpshop::ui
