// Draws signs that text figures in labs use but the code font lacks: ■ □ ▶. Each is as wide as a
// letter of the code font, so that columns stay aligned at every zoom.
#pragma once

#include "imgui.h"

namespace warpshop::ui {

// Adds the signs to `font`, a font of `size` (ascender to descender) whose em is size / line_per_em
// and whose letters are half an em wide (Inconsolata's `hmtx`: 500 of 1000 units).
void add_drawn_glyphs(ImFont* font, float size, float line_per_em);

}  // namespace warpshop::ui
