// The menus at the top: every action, by group, with its shortcut; the labs, the student's most
// recent steps, and the languages.
#pragma once

#include <string_view>
#include <vector>

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

struct MenuOf {
  std::string_view title;                // a key of the catalogue
  std::vector<std::string_view> groups;  // groups of actions, separated by lines
};
const std::vector<MenuOf>& menus();

// `open_first`: opens the first menu, for keyboard users.
void menu_bar(const View& view, bool open_first, CommandQueue& queue);

}  // namespace warpshop::ui
