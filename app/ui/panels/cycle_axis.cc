#include "panels/cycle_axis.h"

#include <algorithm>
#include <cmath>

#include "draw/widgets.h"
#include "maps/timeline_rows.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

constexpr double kLeastCycles = 16;  // minimum visible range

}  // namespace

bool set_range(CycleSight& sight, double last, bool same_kernel) {
  const bool same = same_kernel && std::abs(last - sight.last) < 1;
  sight.first = 0;
  sight.last = std::max(last, 1.0);
  if (!same) {
    sight.begin = sight.first;
    sight.end = sight.last;
  }
  clamp_sight(sight);
  return same;
}

void clamp_sight(CycleSight& sight) {
  const double all = sight.last - sight.first;
  const double span = std::clamp(sight.end - sight.begin, std::min(kLeastCycles, all), all);
  sight.begin = std::clamp(sight.begin, sight.first, sight.last - span);
  sight.end = sight.begin + span;
}

void zoom_around(CycleSight& sight, double cycle, double zoom) {
  sight.begin = cycle - (cycle - sight.begin) / zoom;
  sight.end = cycle + (sight.end - cycle) / zoom;
  clamp_sight(sight);
}

void move_sight(CycleSight& sight, double zoom, double shift) {
  if (zoom <= 0) {
    sight.begin = sight.first;
    sight.end = sight.last;
    return;
  }
  zoom_around(sight, (sight.begin + sight.end) / 2, zoom);
  const double by = shift * (sight.end - sight.begin), span = sight.end - sight.begin;
  sight.begin = std::clamp(sight.begin + by, sight.first, std::max(sight.first, sight.last - span));
  sight.end = sight.begin + span;
}

std::string cycle_text(double cycle) {
  return with_separators(static_cast<uint64_t>(std::llround(std::max(0.0, cycle))));
}

void draw_cycle_marks(ImDrawList* list, const CycleSight& sight, ImVec2 origin, float width,
                      float bottom, float top) {
  const Theme& t = *look().theme;
  const Face& face = look().fonts->regular;
  const double span = sight.end - sight.begin;
  const double distance = mark_distance(span, static_cast<int>(width / px(90)));
  const double scale = static_cast<double>(width) / span;
  const ScaleMarks marks;
  for (double cycle = std::ceil(sight.begin / distance) * distance; cycle <= sight.end;
       cycle += distance) {
    const float x = std::round(origin.x + static_cast<float>((cycle - sight.begin) * scale));
    list->AddLine({x, origin.y - px(4)}, {x, bottom}, with_alpha(t.line, 0.8f));
    const std::string text = cycle_text(cycle);
    const float half = text_size(face, kSmall, text).x / 2;
    const float middle = std::clamp(x, origin.x + half, origin.x + width - half);
    draw_text(list, {middle, top}, face, kSmall, t.muted, text, Align::kCenter);
  }
}

double cycle_at_mouse(const CycleSight& sight, float x, float width) {
  const double scale = (sight.end - sight.begin) / static_cast<double>(width);
  return sight.begin + static_cast<double>(ImGui::GetMousePos().x - x) * scale;
}

bool move_with_mouse(CycleSight& sight, float x, float width) {
  const double scale = (sight.end - sight.begin) / static_cast<double>(width);
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsItemActivated()) sight.moved = false;
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left, px(4))) {
    sight.moved = true;
    const double by = static_cast<double>(io.MouseDelta.x) * scale;
    const double span = sight.end - sight.begin;
    sight.begin = std::clamp(sight.begin - by, sight.first, sight.last - span);
    sight.end = sight.begin + span;
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    return false;
  }
  const float mouse = ImGui::GetMousePos().x;
  if (!ImGui::IsItemHovered() || mouse < x || mouse > x + width) return false;
  if (io.MouseWheel != 0)
    zoom_around(sight, cycle_at_mouse(sight, x, width),
                std::pow(1.25, static_cast<double>(io.MouseWheel)));
  if (io.MouseWheelH != 0) move_sight(sight, 1, static_cast<double>(-io.MouseWheelH) * 0.1);
  return true;
}

void cycle_overview(CycleSight& sight, float x, float width, float top) {
  const Theme& t = *look().theme;
  const float height = px(5);
  ImGui::SetCursorScreenPos({x, top - px(3)});
  ImGui::InvisibleButton("overview", {std::max(width, 1.0f), height + px(6)});
  ImDrawList* list = ImGui::GetWindowDrawList();
  const double all = std::max(1.0, sight.last - sight.first);
  const auto x_of = [&](double cycle) {
    return x + width * static_cast<float>((cycle - sight.first) / all);
  };
  list->AddRectFilled({x, top}, {x + width, top + height}, t.raised, height / 2);
  const float x0 = x_of(sight.begin), x1 = std::max(x_of(sight.end), x0 + px(6));
  const bool hot = ImGui::IsItemHovered() || ImGui::IsItemActive();
  list->AddRectFilled({x0, top}, {x1, top + height}, hot ? t.accent : mix(t.raised, t.muted, 0.6f),
                      height / 2);
  if (!ImGui::IsItemActive()) return;
  const double middle =
      sight.first + static_cast<double>((ImGui::GetMousePos().x - x) / width) * all;
  const double span = sight.end - sight.begin;
  sight.begin = middle - span / 2;
  sight.end = sight.begin + span;
  clamp_sight(sight);
}

}  // namespace warpshop::ui
