// What a lecturer draws on a slide with.
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
  bool keep = false;  // the strokes stay when the scene changes

  // Everything drawn so far, above all panels. While the pen is on, a held left button draws
  // between `min` and `max`, and nothing there is clicked.
  void draw(ImVec2 min, ImVec2 max);
  void wipe() {
    strokes_.clear();
    light_ = 0;
  }
  bool empty() const { return strokes_.empty(); }
  // What is drawn on a dark screen goes with it, whatever `keep` says.
  void darken() { light_ = strokes_.size(); }
  void lighten() { strokes_.resize(std::min(light_, strokes_.size())); }

 private:
  struct Stroke {
    int color = 0;
    std::vector<ImVec2> points;
  };
  std::vector<Stroke> strokes_;
  size_t light_ = 0;  // strokes before the screen was dark
};

}  // namespace warpshop::ui
