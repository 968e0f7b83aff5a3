// Damage tracking: redraw only the parts of a frame that have changed.
//
// A software renderer's time is proportional to the pixels that it draws,
// and in most frames few of them change: a lane lights up, a line of code
// is marked. The window is divided into tiles. Everything drawn into a tile
// is hashed; if a tile's hash has not changed, neither have its pixels.
#pragma once

#include <cstdint>
#include <vector>

#include "imgui.h"

namespace warpshop::ui {

struct PixelBox {
  // Pixels of the framebuffer, from the upper left; x1 and y1 are exclusive.
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool operator==(const PixelBox&) const = default;
  bool empty() const { return x1 <= x0 || y1 <= y0; }
  int64_t pixels() const { return empty() ? 0 : int64_t{x1 - x0} * (y1 - y0); }
};
PixelBox intersection(const PixelBox& a, const PixelBox& b);

class DamageTracker {
 public:
  // Finds where `data`, on a background of `clear_color`, differs from the last call: a few boxes
  // that do not overlap. A single box of the whole window if its size, its textures or something
  // known only to a callback has changed.
  const std::vector<PixelBox>& find(const ImDrawData& data, ImU32 clear_color);
  // Treats everything as changed in the next call, for when the window's pixels were lost.
  void forget() { tiles_.clear(); }
  // Draws the boxes that the last find() returned over the previous frame's picture. `data`: the
  // same as in that call; it is modified only during this call.
  void draw(ImDrawData& data) const;

 private:
  // One triangle, or two that share an edge.
  struct Shape {
    PixelBox box;  // its bounds
    unsigned indices = 0;
  };
  bool sum_up(const ImDrawData& data, ImU32 clear_color);
  // Adds a shape whose position is part of `sum`.
  void touch(const PixelBox& box, uint64_t sum);
  // Adds a fill of the box, whose position is not part of `sum`.
  void touch_ground(const PixelBox& box, uint64_t sum);

  int width_ = 0, height_ = 0, columns_ = 0, rows_ = 0;
  ImU32 clear_color_ = 0;
  std::vector<uint64_t> tiles_, before_;
  std::vector<Shape> shapes_;  // those of `data`, in index order
  std::vector<PixelBox> changed_;
};

}  // namespace warpshop::ui
