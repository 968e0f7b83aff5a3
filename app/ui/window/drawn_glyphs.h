// Signs that the code face lacks and that figures in a lab's text are made of: ■ □ ▶. They are
// drawn here, as wide as a letter of the code face, so that columns stay columns at every zoom.
#pragma once

#include "imgui.h"

namespace warpshop::ui {

// Adds the signs to `font`, a face of `size` (ascender to descender) whose em is size / line_per_em
// and whose letters are half an em wide (Inconsolata's `hmtx`: 500 of 1000 units).
void add_drawn_glyphs(ImFont* font, float size, float line_per_em);

}  // namespace warpshop::ui
