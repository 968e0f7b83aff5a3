#include "draw/pen.h"

#include <algorithm>
#include <cmath>

#include "draw/draw.h"
#include "imgui_internal.h"

namespace warpshop::ui {

// Visible in both themes. None is a colour of the maps except the last, which is the text colour.
ImU32 Pen::color_of(int color) {
  switch (color) {
    case 0:
      return IM_COL32(255, 72, 128, 255);
    case 1:
      return look().theme->dark ? IM_COL32(255, 214, 10, 255) : IM_COL32(214, 140, 0, 255);
    case 2:
      return look().theme->dark ? IM_COL32(80, 220, 120, 255) : IM_COL32(20, 150, 70, 255);
    default:
      return look()->text;
  }
}

void Pen::draw(ImVec2 min, ImVec2 max) {
  ImDrawList* list = ImGui::GetForegroundDrawList();
  if (on) {
    ImGui::SetNextWindowPos(min);
    ImGui::SetNextWindowSize({max.x - min.x, max.y - min.y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, 0});
    ImGui::Begin("##pen", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
    ImGui::InvisibleButton("slide", {std::max(1.0f, max.x - min.x), std::max(1.0f, max.y - min.y)});
    const ImVec2 at = ImGui::GetMousePos();
    if (ImGui::IsItemActivated()) strokes_.push_back({color, {at}});
    if (ImGui::IsItemActive() && !strokes_.empty()) {
      std::vector<ImVec2>& points = strokes_.back().points;
      if (std::hypot(at.x - points.back().x, at.y - points.back().y) >= px(1)) points.push_back(at);
    }
    if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_None);
      list->AddCircleFilled(at, px(4), color_of(color));
      list->AddCircle(at, px(4), IM_COL32(255, 255, 255, 200), 0, px(1));
    }
    ImGui::End();
    ImGui::PopStyleVar();
  }
  for (size_t n = before_dark_.value_or(0); n < strokes_.size(); ++n) {
    const Stroke& stroke = strokes_[n];
    const ImU32 ink = color_of(stroke.color);
    // A click alone makes a dot; round ends hide the joints.
    list->AddCircleFilled(stroke.points.front(), px(1.7f), ink);
    list->AddCircleFilled(stroke.points.back(), px(1.7f), ink);
    list->AddPolyline(stroke.points.data(), static_cast<int>(stroke.points.size()), ink, px(3.4f));
  }
}

}  // namespace warpshop::ui
