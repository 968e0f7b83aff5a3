// The lecturer's laser pointer.
#pragma once

#include <deque>

#include "imgui.h"

namespace warpshop::ui {

// Draws a bright dot with a short tail at the mouse, in place of the arrow.
class LaserPointer {
 public:
  void draw(double now_s);
  bool moving() const { return !tail_.empty(); }

 private:
  struct Point {
    ImVec2 at;
    double time_s = 0;
  };
  std::deque<Point> tail_;
};

}  // namespace warpshop::ui
