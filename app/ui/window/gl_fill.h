// Grounds, fast on a software renderer: a frame is cleared to the panels' colour, and what is not panel is
// filled here.
#pragma once

#include "imgui.h"

namespace warpshop::ui {

// Fills a rectangle with an opaque colour by clearing it, in its turn among the list's shapes. Dear ImGui
// would sample a texture and blend for every pixel. Clipped by nothing but the window.
void fill_opaque(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color);

// The four corners that make a rectangle a rounded one, in the colour around it.
void fill_corners(ImDrawList* list, ImVec2 min, ImVec2 max, float rounding, ImU32 outside);

}  // namespace warpshop::ui
