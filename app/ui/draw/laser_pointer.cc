#include "draw/laser_pointer.h"

#include "draw/draw.h"

namespace warpshop::ui {
namespace {

constexpr double kTailSeconds = 0.3;

}  // namespace

void LaserPointer::draw(double now_s) {
  const ImVec2 at = ImGui::GetMousePos();
  while (!tail_.empty() && now_s - tail_.front().time_s > kTailSeconds) tail_.pop_front();
  if (!ImGui::IsMousePosValid()) return;
  if (ImGui::GetIO().MouseDelta.x != 0 || ImGui::GetIO().MouseDelta.y != 0)
    tail_.push_back({at, now_s});
  ImGui::SetMouseCursor(ImGuiMouseCursor_None);
  ImDrawList* list = ImGui::GetForegroundDrawList();
  // Not a colour of the maps, and visible in both themes.
  const ImU32 color = IM_COL32(255, 72, 128, 255);
  const auto size = static_cast<float>(tail_.size());
  for (size_t i = 0; i + 1 < tail_.size(); ++i) {
    const float part = static_cast<float>(i + 1) / size;
    list->AddLine(tail_[i].at, tail_[i + 1].at, with_alpha(color, 0.5f * part), px(2 + 5 * part));
  }
  list->AddCircleFilled(at, px(11), with_alpha(color, 0.28f));
  list->AddCircleFilled(at, px(6), color);
  list->AddCircleFilled(at, px(2.4f), IM_COL32_WHITE);
  list->AddCircle(at, px(6), IM_COL32(255, 255, 255, 200), 0, px(1));
}

}  // namespace warpshop::ui
