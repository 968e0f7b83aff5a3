// Where things that are spoken of stand in the window: the tour points at them by name.
#pragma once

#include <optional>
#include <string_view>

#include "imgui.h"

namespace warpshop::ui {

struct Spot {
  ImVec2 min, max;
};

// Said anew in every frame by who draws the thing. Without corners: the last item. What is scrolled
// out of sight is none.
void note_spot(std::string_view name, ImVec2 min, ImVec2 max);
void note_spot(std::string_view name);
// As drawn in this frame or the one before; nothing where it was not.
std::optional<Spot> find_spot(std::string_view name);

}  // namespace warpshop::ui
