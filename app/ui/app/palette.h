// Entries of the command palette: everything that can be done or opened, in the menus or elsewhere.
#pragma once

#include <string>
#include <vector>

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

struct Offer {
  std::string id, title, group, keys;
  Command command;
};

// Without a filter: recently opened steps, then all actions. With one: matching actions, then
// languages and GPUs, then labs and steps, the best match first in each group.
std::vector<Offer> palette_offers(const View& view, const std::string& filter);

}  // namespace warpshop::ui
