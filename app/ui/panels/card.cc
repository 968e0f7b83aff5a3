#include "panels/card.h"

#include "draw/widgets.h"

namespace warpshop::ui {

Card::Card(const char* id) : Card(id, look()->raised, px(14, 12)) {}

Card::Card(const char* id, ImU32 ground, ImVec2 margin) {
  ImGui::PushStyleColor(ImGuiCol_ChildBg, ground);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, margin);
  ImGui::BeginChild(id, {0, 0},
                    ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_AlwaysUseWindowPadding |
                        ImGuiChildFlags_NavFlattened,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

Card::~Card() { ImGui::EndChild(); }

void card_heading(const char* heading, const char* note) {
  const Fonts& f = *look().fonts;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width();
  label(f.medium, kLabel, look()->accent, heading);
  if (*note == '\0') return;
  const float room = width - text_size(f.medium, kLabel, heading).x - px(12);
  draw_text_cut(ImGui::GetWindowDrawList(), {at.x + width, at.y}, f.regular, kLabel, look()->muted,
                note, room, Align::kRight);
}

}  // namespace warpshop::ui
