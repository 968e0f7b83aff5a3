// The chart of the roofline panel: ceilings and points over logarithmic axes, with their names.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "draw/draw.h"
#include "timing/roofline.h"

namespace warpshop::ui {

struct RoofMark {
  timing::RooflinePoint point;
  std::string name;
  ImU32 color = 0;
  bool main = false;
  const std::string* source = nullptr;  // for an earlier version
  std::string id = {};                  // for an earlier version: its number
  bool around = false;  // a ring, for the reference, which a good kernel coincides with
};

// Both axes are logarithmic (base 10).
struct RoofFrame {
  ImVec2 min, max;  // of the plot area, without the axis labels
  double x0 = -2, x1 = 2, y0 = 0, y1 = 5;
  float x_of(double per_byte) const {
    return min.x + (max.x - min.x) * static_cast<float>((std::log10(per_byte) - x0) / (x1 - x0));
  }
  float y_of(double giga) const {
    return max.y - (max.y - min.y) * static_cast<float>((std::log10(giga) - y0) / (y1 - y0));
  }
};

struct DrawnRoofline {
  RoofFrame frame;
  const RoofMark* hovered = nullptr;  // the point under the mouse, if the last item is hovered
};
// Draws the chart between two corners: axes, roofs, points, and the names for which there is room.
DrawnRoofline draw_roofline(ImDrawList* list, const std::vector<timing::Roof>& roofs,
                            const std::vector<RoofMark>& marks, timing::RooflineWork work,
                            ImVec2 min, ImVec2 max);
// Draws a box around a point, for the keyboard's focus.
void frame_mark(ImDrawList* list, const RoofFrame& frame, const RoofMark& mark);

std::string amount_text(double value);  // four digits at most: "1,234", "12.3", "0.123"
std::string rate_text(double giga, timing::RooflineWork work);  // "1,234 GFLOP/s", "1.2 TFLOP/s"
std::string bandwidth_text(double gb_s);

}  // namespace warpshop::ui
