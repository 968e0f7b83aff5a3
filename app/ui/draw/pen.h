// What a lecturer draws on a slide with.
#pragma once

#include <vector>

#include "imgui.h"

namespace warpshop::ui {

class Pen {
 public:
  static constexpr int kColors = 4;
  static ImU32 color_of(int color);

  bool on = false;
  int color = 0;
  bool keep = false;  // the strokes stay when the scene changes

  // Everything drawn so far, above all panels. While the pen is on, a held left button draws between `min` and `max`,
  // and nothing there is clicked.
  void draw(ImVec2 min, ImVec2 max);
  void wipe() { strokes_.clear(); }
  bool empty() const { return strokes_.empty(); }

 private:
  struct Stroke {
    int color = 0;
    std::vector<ImVec2> points;
  };
  std::vector<Stroke> strokes_;
};

}  // namespace warpshop::ui
