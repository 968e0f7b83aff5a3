// What the palette offers: whatever can be done or opened, in the menus or elsewhere.
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

// Without a filter: where the student was last, then all actions. With one: what fits it, actions
// first, then languages and GPUs, then labs and steps; in each part the best first.
std::vector<Offer> palette_offers(const View& view, const std::string& filter);

}  // namespace warpshop::ui
