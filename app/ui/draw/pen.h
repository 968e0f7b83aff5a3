// The lecturer's pen for drawing on slides.
#pragma once

#include <algorithm>
#include <vector>

#include "imgui.h"

namespace warpshop::ui {

class Pen {
 public:
  static constexpr int kColors = 4;
  static ImU32 color_of(int color);

  bool on = false;
  int color = 0;
  bool keep = false;  // keep strokes when the scene changes

  // Draws all strokes above all panels. While the pen is on, dragging with the left button between
  // `min` and `max` adds a stroke, and clicks there reach nothing else.
  void draw(ImVec2 min, ImVec2 max);
  void wipe() {
    strokes_.clear();
    light_ = 0;
  }
  bool empty() const { return strokes_.empty(); }
  // Strokes drawn on a dark screen disappear with it, regardless of `keep`.
  void darken() { light_ = strokes_.size(); }
  void lighten() { strokes_.resize(std::min(light_, strokes_.size())); }

 private:
  struct Stroke {
    int color = 0;
    std::vector<ImVec2> points;
  };
  std::vector<Stroke> strokes_;
  size_t light_ = 0;  // number of strokes before the screen went dark
};

}  // namespace warpshop::ui
