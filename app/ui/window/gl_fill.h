// Grounds, fast on a software renderer: a frame is cleared to the panels' colour, and what is not
// panel is filled here.
#pragma once

#include "imgui.h"
#include "window/changed_parts.h"

namespace warpshop::ui {

// Fills a rectangle with an opaque colour by clearing it, in its turn among the list's shapes. Dear
// ImGui would sample a texture and blend for every pixel. Clipped by nothing but the window.
void fill_opaque(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color);

// The four corners that make a rectangle a rounded one, in the colour around it.
void fill_corners(ImDrawList* list, ImVec2 min, ImVec2 max, float rounding, ImU32 outside);

// What fill_opaque left in a list.
struct OpaqueFill {
  float x0, y0, x1, y1;
  ImU32 color;
};
const OpaqueFill* fill_of(const ImDrawCmd& command);  // null: another command
PixelBox pixels_of(const OpaqueFill& fill, ImVec2 framebuffer_scale);

// Clears a part of the framebuffer now, as OpenGL counts: pixels from the lower left.
void clear_pixels(int x, int y, int width, int height, ImU32 color);

}  // namespace warpshop::ui
