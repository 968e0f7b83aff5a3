#include "window/damage_tracker.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <limits>
#include <utility>

#include "imgui_impl_opengl3.h"
#include "window/gl_fill.h"

namespace warpshop::ui {
namespace {

constexpr int kTile = 16;          // pixels
constexpr size_t kMostBoxes = 16;  // each box requires a pass over all of the frame's shapes
constexpr unsigned kTriangle = 3;  // indices

uint64_t mixed(uint64_t sum, uint64_t value) {
  sum = (sum ^ value) * 0x9e3779b97f4a7c15u;  // from the golden ratio, as in Fibonacci hashing
  return sum ^ (sum >> 29);
}

uint64_t mixed(uint64_t sum, const ImDrawVert& vertex) {
  uint64_t words[2];
  std::memcpy(words, &vertex, sizeof words);
  return mixed(mixed(mixed(sum, words[0]), words[1]), vertex.col);
}
static_assert(sizeof(ImDrawVert) == 20);

// A command's clipping rectangle, rounded as in Dear ImGui's OpenGL back end.
PixelBox scissor_of(const ImDrawCmd& command, const ImDrawData& data, int height) {
  const ImVec2 scale = data.FramebufferScale, offset = data.DisplayPos;
  const ImVec2 min{(command.ClipRect.x - offset.x) * scale.x,
                   (command.ClipRect.y - offset.y) * scale.y};
  const ImVec2 max{(command.ClipRect.z - offset.x) * scale.x,
                   (command.ClipRect.w - offset.y) * scale.y};
  if (max.x <= min.x || max.y <= min.y) return {};
  const int left = static_cast<int>(min.x),
            below = static_cast<int>(static_cast<float>(height) - max.y);
  const int bottom = height - below;
  return {left, bottom - static_cast<int>(max.y - min.y), left + static_cast<int>(max.x - min.x),
          bottom};
}

bool is_shapes(const ImDrawCmd& command) { return command.UserCallback == nullptr; }

// Branch-free, since it runs for every index of every frame.
int is_corner(const ImDrawIdx* triangle, ImDrawIdx vertex) {
  return (vertex == triangle[0]) | (vertex == triangle[1]) | (vertex == triangle[2]);
}

// Number of indices of the next shape, of the `left` remaining ones: two triangles that share an
// edge (a letter, a rectangle or a segment of a line), or a single triangle. The bounds of two
// unrelated triangles would cover everything between them.
unsigned shape_at(const ImDrawIdx* index, unsigned left) {
  if (left < 2 * kTriangle) return left;
  const int common =
      is_corner(index, index[3]) + is_corner(index, index[4]) + is_corner(index, index[5]);
  return common >= 2 ? 2 * kTriangle : kTriangle;
}

bool textures_change(const ImDrawData& data) {
  if (!data.Textures) return false;
  return std::any_of(data.Textures->begin(), data.Textures->end(),
                     [](const ImTextureData* t) { return t->Status != ImTextureStatus_OK; });
}

PixelBox around(const PixelBox& a, const PixelBox& b) {
  return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}

// Merges the two boxes whose union adds the fewest pixels, and all boxes that the union overlaps.
void join_two(std::vector<PixelBox>& boxes) {
  size_t first = 0, second = 1;
  int64_t least = std::numeric_limits<int64_t>::max();
  for (size_t a = 0; a < boxes.size(); ++a) {
    for (size_t b = a + 1; b < boxes.size(); ++b) {
      const int64_t more =
          around(boxes[a], boxes[b]).pixels() - boxes[a].pixels() - boxes[b].pixels();
      if (more < least) least = more, first = a, second = b;
    }
  }
  PixelBox joined = around(boxes[first], boxes[second]);
  boxes.erase(boxes.begin() + static_cast<ptrdiff_t>(second));
  boxes.erase(boxes.begin() + static_cast<ptrdiff_t>(first));
  for (size_t n = 0; n < boxes.size();) {
    if (intersection(boxes[n], joined).empty()) {
      ++n;
      continue;
    }
    joined = around(joined, boxes[n]);
    boxes.erase(boxes.begin() + static_cast<ptrdiff_t>(n));
    n = 0;
  }
  boxes.push_back(joined);
}

}  // namespace

const std::vector<PixelBox>& DamageTracker::find(const ImDrawData& data, ImU32 clear_color) {
  changed_.clear();
  const int width = static_cast<int>(data.DisplaySize.x * data.FramebufferScale.x);
  const int height = static_cast<int>(data.DisplaySize.y * data.FramebufferScale.y);
  if (width <= 0 || height <= 0) return changed_;
  const bool same_window = width == width_ && height == height_ && !tiles_.empty();
  width_ = width, height_ = height;
  columns_ = (width + kTile - 1) / kTile, rows_ = (height + kTile - 1) / kTile;
  before_.swap(tiles_);
  const bool known = sum_up(data, clear_color);
  if (!same_window || !known || textures_change(data)) {
    if (!known) forget();
    changed_ = {{0, 0, width, height}};
    return changed_;
  }
  // Find runs of changed tiles in each row; a run
  // directly below one with the same columns extends it.
  for (int row = 0; row < rows_; ++row) {
    const auto differs = [&](int column) {
      const auto at = static_cast<size_t>(row * columns_ + column);
      return tiles_[at] != before_[at];
    };
    for (int column = 0; column < columns_; ++column) {
      if (!differs(column)) continue;
      int end = column + 1;
      while (end < columns_ && differs(end)) ++end;
      const PixelBox run{column * kTile, row * kTile, std::min(end * kTile, width),
                         std::min((row + 1) * kTile, height)};
      const auto above = std::find_if(changed_.begin(), changed_.end(), [&](const PixelBox& b) {
        return b.y1 == run.y0 && b.x0 == run.x0 && b.x1 == run.x1;
      });
      if (above != changed_.end()) {
        above->y1 = run.y1;
      } else {
        changed_.push_back(run);
      }
      column = end;
    }
  }
  while (changed_.size() > kMostBoxes) join_two(changed_);
  return changed_;
}

void DamageTracker::touch(const PixelBox& box, uint64_t sum) {
  if (box.empty()) return;
  for (int row = box.y0 / kTile; row <= (box.y1 - 1) / kTile; ++row) {
    uint64_t* tiles = &tiles_[static_cast<size_t>(row * columns_)];
    for (int column = box.x0 / kTile; column <= (box.x1 - 1) / kTile; ++column)
      tiles[column] = mixed(tiles[column], sum);
  }
}

void DamageTracker::touch_ground(const PixelBox& box, uint64_t sum) {
  if (box.empty()) return;
  for (int row = box.y0 / kTile; row <= (box.y1 - 1) / kTile; ++row) {
    for (int column = box.x0 / kTile; column <= (box.x1 - 1) / kTile; ++column) {
      // A fill that covers a whole tile has no edges in it, so its position does not matter.
      const PixelBox inside =
          intersection(box, {column * kTile, row * kTile, (column + 1) * kTile, (row + 1) * kTile});
      uint64_t& tile = tiles_[static_cast<size_t>(row * columns_ + column)];
      tile = mixed(mixed(tile, sum),
                   static_cast<uint64_t>(inside.x0) << 32 | static_cast<uint32_t>(inside.y0));
      tile = mixed(tile, static_cast<uint64_t>(inside.x1) << 32 | static_cast<uint32_t>(inside.y1));
    }
  }
}

// False if a callback draws unknown content.
bool DamageTracker::sum_up(const ImDrawData& data, ImU32 clear_color) {
  tiles_.assign(static_cast<size_t>(columns_ * rows_), mixed(0, clear_color));
  clear_color_ = clear_color;
  shapes_.clear();
  const PixelBox window{0, 0, width_, height_};
  const ImVec2 scale = data.FramebufferScale, offset = data.DisplayPos;
  for (const ImDrawList* list : data.CmdLists) {
    for (const ImDrawCmd& command : list->CmdBuffer) {
      if (!is_shapes(command)) {
        const OpaqueFill* fill = fill_of(command);
        if (!fill) return false;
        touch_ground(intersection(window, pixels_of(*fill, scale)), mixed(1, fill->color));
        continue;
      }
      const PixelBox scissor = intersection(window, scissor_of(command, data, height_));
      uint64_t seed = mixed(
          2,
          static_cast<uint64_t>(command.TexRef._TexData ? command.TexRef._TexData->UniqueID : 0));
      seed = mixed(mixed(seed, static_cast<uint64_t>(command.TexRef._TexID)),
                   static_cast<uint64_t>(scissor.x0) << 32 | static_cast<uint32_t>(scissor.y0));
      seed =
          mixed(seed, static_cast<uint64_t>(scissor.x1) << 32 | static_cast<uint32_t>(scissor.y1));
      const ImDrawVert* vertices = list->VtxBuffer.Data + command.VtxOffset;
      unsigned count = 0;
      for (unsigned from = 0; from < command.ElemCount; from += count) {
        const ImDrawIdx* index = list->IdxBuffer.Data + command.IdxOffset + from;
        count = shape_at(index, command.ElemCount - from);
        uint64_t sum = seed;
        ImVec2 min{1e9f, 1e9f}, max{-1e9f, -1e9f};
        for (unsigned n = 0; n < count; ++n) {
          // Two triangles that share an edge have four corners.
          if (n >= kTriangle && is_corner(index, index[n])) continue;
          const ImDrawVert& vertex = vertices[index[n]];
          sum = mixed(sum, vertex);
          min = {std::min(min.x, vertex.pos.x), std::min(min.y, vertex.pos.y)};
          max = {std::max(max.x, vertex.pos.x), std::max(max.y, vertex.pos.y)};
        }
        const auto down = [](float at) {
          return static_cast<int>(std::floor(std::clamp(at, -1e6f, 1e6f)));
        };
        const auto up = [](float at) {
          return static_cast<int>(std::ceil(std::clamp(at, -1e6f, 1e6f)));
        };
        const PixelBox box = intersection(
            scissor, {down((min.x - offset.x) * scale.x), down((min.y - offset.y) * scale.y),
                      up((max.x - offset.x) * scale.x), up((max.y - offset.y) * scale.y)});
        shapes_.push_back({box, count});
        touch(box, sum);
      }
    }
  }
  return true;
}

void DamageTracker::draw(ImDrawData& data) const {
  if (changed_.empty()) return;
  for (const PixelBox& box : changed_)
    clear_pixels(box.x0, height_ - box.y1, box.x1 - box.x0, box.y1 - box.y0, clear_color_);
  if (changed_ == std::vector<PixelBox>{{0, 0, width_, height_}}) {
    ImGui_ImplOpenGL3_RenderDrawData(&data);
    return;
  }
  // Reduce each list to the commands that reach a box, once per box and clipped to it, and each
  // command to the shapes that reach the box.
  struct Full {
    ImDrawList* list;
    ImVector<ImDrawCmd> commands;
    ImVector<ImDrawIdx> indices;
  };
  std::deque<Full> full;
  std::deque<OpaqueFill> fills;  // the commands point to these
  ImDrawData part = data;
  part.CmdLists.clear();
  const ImVec2 scale = data.FramebufferScale, offset = data.DisplayPos;
  const Shape* shapes = shapes_.data();
  for (ImDrawList* list : data.CmdLists) {
    ImVector<ImDrawCmd> commands;
    ImVector<ImDrawIdx> indices;
    for (const ImDrawCmd& command : list->CmdBuffer) {
      if (!is_shapes(command)) {
        for (const PixelBox& box : changed_) {
          const PixelBox pixels = intersection(box, pixels_of(*fill_of(command), scale));
          if (pixels.empty()) continue;
          const auto x = [&](int at) { return static_cast<float>(at) / scale.x; };
          const auto y = [&](int at) { return static_cast<float>(at) / scale.y; };
          fills.push_back(
              {x(pixels.x0), y(pixels.y0), x(pixels.x1), y(pixels.y1), fill_of(command)->color});
          commands.push_back(command);
          commands.back().UserCallbackData = &fills.back();
        }
        continue;
      }
      const Shape* const first = shapes;
      for (unsigned from = 0; from < command.ElemCount; ++shapes) from += shapes->indices;
      const PixelBox scissor = scissor_of(command, data, height_);
      for (const PixelBox& box : changed_) {
        const PixelBox clip = intersection(box, scissor);
        if (clip.empty()) continue;
        const int begin = indices.Size;
        const ImDrawIdx* from = list->IdxBuffer.Data + command.IdxOffset;
        for (const Shape* shape = first; shape != shapes; from += shape->indices, ++shape) {
          if (intersection(shape->box, clip).empty()) continue;
          const int some = static_cast<int>(shape->indices);
          indices.resize(indices.Size + some);
          std::copy(from, from + some, indices.end() - some);
        }
        if (indices.Size == begin) continue;
        ImDrawCmd inside = command;
        const auto x = [&](int at) { return static_cast<float>(at) / scale.x + offset.x; };
        const auto y = [&](int at) { return static_cast<float>(at) / scale.y + offset.y; };
        inside.ClipRect = {x(clip.x0), y(clip.y0), x(clip.x1), y(clip.y1)};
        inside.IdxOffset = static_cast<unsigned>(begin);
        inside.ElemCount = static_cast<unsigned>(indices.Size - begin);
        commands.push_back(inside);
      }
    }
    if (commands.empty()) continue;
    full.push_back({list, {}, {}});
    full.back().commands.swap(list->CmdBuffer);
    full.back().indices.swap(list->IdxBuffer);
    list->CmdBuffer.swap(commands);
    list->IdxBuffer.swap(indices);
    part.CmdLists.push_back(list);
  }
  ImGui_ImplOpenGL3_RenderDrawData(&part);
  for (Full& of : full) {
    of.list->CmdBuffer.swap(of.commands);
    of.list->IdxBuffer.swap(of.indices);
  }
}

PixelBox intersection(const PixelBox& a, const PixelBox& b) {
  return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

}  // namespace warpshop::ui
