#include "window/gl_fill.h"

#define GLFW_INCLUDE_GLEXT
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace warpshop::ui {
namespace {

struct Fill {
  float x0, y0, x1, y1;
  ImU32 color;
};

// Dear ImGui's OpenGL back end sets the scissor for every command of its own, so ours needs no undoing.
void clear_rectangle(const ImDrawList*, const ImDrawCmd* command) {
  const Fill& fill = *static_cast<const Fill*>(command->UserCallbackData);
  std::array<GLint, 4> viewport{};
  glGetIntegerv(GL_VIEWPORT, viewport.data());
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  const int x0 = std::max(0, static_cast<int>(fill.x0 * scale.x));
  const int y0 = std::max(0, static_cast<int>(fill.y0 * scale.y));
  const int x1 = std::min(viewport[2], static_cast<int>(fill.x1 * scale.x));
  const int y1 = std::min(viewport[3], static_cast<int>(fill.y1 * scale.y));
  if (x1 <= x0 || y1 <= y0) return;
  const ImVec4 color = ImGui::ColorConvertU32ToFloat4(fill.color);
  glScissor(x0, viewport[3] - y1, x1 - x0, y1 - y0);
  glClearColor(color.x, color.y, color.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace

void fill_opaque(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color) {
  Fill fill{std::round(min.x), std::round(min.y), std::round(max.x), std::round(max.y), color};
  list->AddCallback(clear_rectangle, &fill, sizeof fill);
}

void fill_corners(ImDrawList* list, ImVec2 min, ImVec2 max, float rounding, ImU32 outside) {
  min = {std::round(min.x), std::round(min.y)};
  max = {std::round(max.x), std::round(max.y)};
  // Each corner: what lies between the two edges and the arc, in the colour of the surroundings.
  auto corner = [&](ImVec2 at, ImVec2 center, int arc_from) {
    list->PathLineTo(at);
    list->PathArcToFast(center, rounding, arc_from + 3, arc_from);  // clockwise, as fills want it
    list->PathFillConcave(outside);
  };
  const float r = rounding;
  corner(min, {min.x + r, min.y + r}, 6);
  corner({max.x, min.y}, {max.x - r, min.y + r}, 9);
  corner(max, {max.x - r, max.y - r}, 0);
  corner({min.x, max.y}, {min.x + r, max.y - r}, 3);
}

}  // namespace warpshop::ui
