// Fills backgrounds quickly on a software renderer: a frame is cleared to the panels' colour, and
// areas outside panels are filled here.
#pragma once

#include "imgui.h"
#include "window/damage_tracker.h"

namespace warpshop::ui {

// Fills a rectangle with an opaque colour by clearing it, in order with the list's shapes. Dear
// ImGui would sample a texture and blend for every pixel. Clipped only to the window.
void fill_opaque(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color);

// Rounds a rectangle by drawing its four corners in the colour outside it.
void fill_corners(ImDrawList* list, ImVec2 min, ImVec2 max, float rounding, ImU32 outside);

// A fill that fill_opaque added to a list.
struct OpaqueFill {
  float x0, y0, x1, y1;
  ImU32 color;
};
const OpaqueFill* fill_of(const ImDrawCmd& command);  // null: a different command
PixelBox pixels_of(const OpaqueFill& fill, ImVec2 framebuffer_scale);

// Clears a part of the framebuffer immediately, in
// OpenGL's coordinates: pixels from the lower left.
void clear_pixels(int x, int y, int width, int height, ImU32 color);

}  // namespace warpshop::ui
