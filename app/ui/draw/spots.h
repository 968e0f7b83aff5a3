// Positions of named things in the window, which the tour points at.
#pragma once

#include <optional>
#include <string_view>

#include "imgui.h"

namespace warpshop::ui {

struct Spot {
  ImVec2 min, max;
};

// Records a spot. Whoever draws the thing calls this in every frame. Without corners, uses the last
// item. Things scrolled out of view are not recorded.
void note_spot(std::string_view name, ImVec2 min, ImVec2 max);
void note_spot(std::string_view name);
// Returns the spot as drawn in this frame or the previous one; empty if it was not drawn.
std::optional<Spot> find_spot(std::string_view name);

}  // namespace warpshop::ui
