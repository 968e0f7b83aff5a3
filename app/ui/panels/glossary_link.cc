#include "panels/glossary_link.h"

#include <string>

#include "draw/draw.h"

namespace warpshop::ui {

void glossary_area(ImVec2 min, ImVec2 max, std::string_view word, CommandQueue& queue) {
  if (!ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) ||
      !ImGui::IsMouseHoveringRect(min, max))
    return;
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImGui::GetWindowDrawList()->AddLine({min.x, max.y}, max, look()->accent);
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
    queue.push(command::OpenGlossary{std::string(word)});
}

}  // namespace warpshop::ui
