// The axis of a simulated SM's cycles, shared by the panels that draw what happens over time:
// zooming, dragging, marks, and where the visible part lies in the whole.
#pragma once

#include <string>

#include "imgui.h"

namespace warpshop::ui {

struct CycleSight {
  double begin = 0, end = 0;   // the visible cycles
  double first = 0, last = 0;  // the full range of cycles
  bool moved = false;          // the mouse was dragged since it was pressed
};

// Sets the full range. A range of the same length keeps what is visible; else all is. True if it
// was of the same length.
bool set_range(CycleSight& sight, double last, bool same_kernel);
void clamp_sight(CycleSight& sight);
void zoom_around(CycleSight& sight, double cycle, double zoom);
// `zoom` > 1 shows fewer cycles, 0 shows all; `shift` is a fraction of the visible range.
void move_sight(CycleSight& sight, double zoom, double shift);

std::string cycle_text(double cycle);

// The rows from `origin` down to `bottom`, `width` wide, with the marks' figures at `top`.
void draw_cycle_marks(ImDrawList* list, const CycleSight& sight, ImVec2 origin, float width,
                      float bottom, float top);
// Drags and zooms with the mouse over the last item, whose rows start at `x`. Returns whether the
// mouse points at a cycle and does not drag.
bool move_with_mouse(CycleSight& sight, float x, float width);
// The cycle under the mouse.
double cycle_at_mouse(const CycleSight& sight, float x, float width);
// Draws where the visible part lies in the full range; dragging moves it.
void cycle_overview(CycleSight& sight, float x, float width, float top);

}  // namespace warpshop::ui
