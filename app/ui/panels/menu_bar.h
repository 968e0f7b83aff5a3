// The menus above everything: every action, by group, with its key; the labs, the steps where the
// student was last, and the languages.
#pragma once

#include <string_view>
#include <vector>

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

struct MenuOf {
  std::string_view title;                // a text of the catalogue
  std::vector<std::string_view> groups;  // of actions; a line parts them
};
const std::vector<MenuOf>& menus();

// `open_first`: the first menu is opened, for the keyboard.
void menu_bar(const View& view, bool open_first, CommandQueue& queue);

}  // namespace warpshop::ui
