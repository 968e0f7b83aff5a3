#include "panels/dialog_parts.h"

#include <algorithm>

namespace warpshop::ui {

void dialog_heading(std::string_view text) {
  paragraph(look().fonts->bold, 17, look()->text, text);
}

void dialog_prose(std::string_view text) {
  paragraph(look().fonts->regular, kBody, look()->body, text);
}

void scroll_by_arrows() {
  if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) ImGui::SetScrollY(ImGui::GetScrollY() + px(60));
  if (ImGui::IsKeyPressed(ImGuiKey_UpArrow))
    ImGui::SetScrollY(std::max(0.0f, ImGui::GetScrollY() - px(60)));
}

void dialog_choices(const std::vector<DialogChoice>& all, CommandQueue& queue, bool takes_enter) {
  const float spacing = px(10), room = content_width();
  const auto width_of = [&](const DialogChoice& c) {
    const std::string_view text(c.label.data(), c.label.find("##"));
    return std::min(room, text_size(look().fonts->medium, kBody, text).x + px(36));
  };
  // The first key press after using the mouse only reveals the focus; ImGui activates nothing with
  // it.
  const bool enter = takes_enter && !ImGui::GetIO().NavVisible && !ImGui::GetIO().WantTextInput &&
                     !ImGui::IsAnyItemActive() && enter_pressed();
  bool pressed = false;
  gap(6);
  // Rows are right-aligned; the first button comes first.
  for (size_t n = 0; n < all.size();) {
    size_t end = n + 1;
    float width = width_of(all[n]);
    while (end < all.size() && width + spacing + width_of(all[end]) <= room)
      width += spacing + width_of(all[end++]);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, room - width));
    for (const size_t first = n; n < end; ++n) {
      if (n > first) ImGui::SameLine(0, spacing);
      if (!button(all[n].label, all[n].kind, {width_of(all[n]), px(32)})) continue;
      pressed = true;
      queue.push(all[n].command);
    }
  }
  if (enter && !pressed) queue.push(all.front().command);
}

}  // namespace warpshop::ui
