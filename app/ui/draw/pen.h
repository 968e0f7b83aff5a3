// The lecturer's pen for drawing on slides.
#pragma once

#include <cstddef>
#include <optional>
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
  // Removes what can be seen.
  void wipe() { strokes_.resize(before_dark_.value_or(0)); }
  bool empty() const { return strokes_.empty(); }
  // A dark screen hides the strokes drawn before; those drawn on it disappear with it, regardless
  // of `keep`.
  void darken() { before_dark_ = strokes_.size(); }
  void lighten() {
    if (before_dark_) strokes_.resize(*before_dark_);
    before_dark_.reset();
  }

 private:
  struct Stroke {
    int color = 0;
    std::vector<ImVec2> points;
  };
  std::vector<Stroke> strokes_;
  std::optional<size_t> before_dark_;  // number of strokes when the screen went dark
};

}  // namespace warpshop::ui
