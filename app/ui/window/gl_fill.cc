#include "window/gl_fill.h"

#include <array>
#include <cmath>

#include "window/gl.h"

namespace warpshop::ui {
namespace {

// Dear ImGui's OpenGL back end sets the scissor for each
// of its own commands, so ours need not be restored.
void clear_rectangle(const ImDrawList*, const ImDrawCmd* command) {
  std::array<GLint, 4> viewport{};
  glGetIntegerv(GL_VIEWPORT, viewport.data());
  const PixelBox fill = pixels_of(*fill_of(*command), ImGui::GetIO().DisplayFramebufferScale);
  const PixelBox box = intersection(fill, {0, 0, viewport[2], viewport[3]});
  if (!box.empty())
    clear_pixels(box.x0, viewport[3] - box.y1, box.x1 - box.x0, box.y1 - box.y0,
                 fill_of(*command)->color);
}

}  // namespace

const OpaqueFill* fill_of(const ImDrawCmd& command) {
  return command.UserCallback == clear_rectangle
             ? static_cast<const OpaqueFill*>(command.UserCallbackData)
             : nullptr;
}

PixelBox pixels_of(const OpaqueFill& fill, ImVec2 framebuffer_scale) {
  return {static_cast<int>(fill.x0 * framebuffer_scale.x),
          static_cast<int>(fill.y0 * framebuffer_scale.y),
          static_cast<int>(fill.x1 * framebuffer_scale.x),
          static_cast<int>(fill.y1 * framebuffer_scale.y)};
}

void clear_pixels(int x, int y, int width, int height, ImU32 color) {
  const GLboolean scissor = glIsEnabled(GL_SCISSOR_TEST);
  const ImVec4 parts = ImGui::ColorConvertU32ToFloat4(color);
  glEnable(GL_SCISSOR_TEST);
  glScissor(x, y, width, height);
  glClearColor(parts.x, parts.y, parts.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  if (!scissor) glDisable(GL_SCISSOR_TEST);
}

void fill_opaque(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color) {
  OpaqueFill fill{std::round(min.x), std::round(min.y), std::round(max.x), std::round(max.y),
                  color};
  list->AddCallback(clear_rectangle, &fill, sizeof fill);
}

void fill_corners(ImDrawList* list, ImVec2 min, ImVec2 max, float rounding, ImU32 outside) {
  min = {std::round(min.x), std::round(min.y)};
  max = {std::round(max.x), std::round(max.y)};
  // Fill the area between the two edges and the arc with the colour outside.
  auto corner = [&](ImVec2 at, ImVec2 center, int arc_from) {
    list->PathLineTo(at);
    list->PathArcToFast(center, rounding, arc_from + 3, arc_from);  // clockwise, as fills require
    list->PathFillConcave(outside);
  };
  const float r = rounding;
  corner(min, {min.x + r, min.y + r}, 6);
  corner({max.x, min.y}, {max.x - r, min.y + r}, 9);
  corner(max, {max.x - r, max.y - r}, 0);
  corner({min.x, max.y}, {min.x + r, max.y - r}, 3);
}

}  // namespace warpshop::ui
