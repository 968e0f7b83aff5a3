// What of a frame differs from the frame before, and drawing that alone.
//
// A software renderer's time goes with the pixels that it draws, and in most frames few of them
// change: a lane lights up, a line of code is marked. The window is divided into tiles. All that is
// drawn into a tile is summed up in a number; a tile whose number stays has the pixels that it had.
#pragma once

#include <cstdint>
#include <vector>

#include "imgui.h"

namespace warpshop::ui {

struct PixelBox {
  int x0 = 0, y0 = 0, x1 = 0,
      y1 = 0;  // pixels of the framebuffer, from the upper left; x1 and y1 are outside
  bool operator==(const PixelBox&) const = default;
  bool empty() const { return x1 <= x0 || y1 <= y0; }
  int64_t pixels() const { return empty() ? 0 : int64_t{x1 - x0} * (y1 - y0); }
};
PixelBox intersection(const PixelBox& a, const PixelBox& b);

class ChangedParts {
 public:
  // Where `data` over a ground of `clear_color` differs from what it was in the last call: boxes
  // that do not overlap, few of them. One box of the whole window where its size, its textures or
  // something that only a callback knows has changed.
  const std::vector<PixelBox>& find(const ImDrawData& data, ImU32 clear_color);
  // Everything counts as changed in the next call: the window's pixels were lost.
  void forget() { tiles_.clear(); }
  // Draws what the last call found, over the picture of the frame before. `data` is that of the
  // call; it is changed only while this runs.
  void draw(ImDrawData& data) const;

 private:
  // One triangle, or two with a common edge.
  struct Shape {
    PixelBox box;  // what it reaches
    unsigned indices = 0;
  };
  bool sum_up(const ImDrawData& data, ImU32 clear_color);
  void touch(const PixelBox& box, uint64_t sum);  // of something whose place `sum` knows
  void touch_ground(
      const PixelBox& box,
      uint64_t sum);  // of something that fills the box, and whose place `sum` does not know

  int width_ = 0, height_ = 0, columns_ = 0, rows_ = 0;
  ImU32 clear_color_ = 0;
  std::vector<uint64_t> tiles_, before_;
  std::vector<Shape> shapes_;  // of `data`, in the order of their indices
  std::vector<PixelBox> changed_;
};

}  // namespace warpshop::ui
