#include "panels/export_menu.h"

#include "draw/widgets.h"
#include "imgui_internal.h"

namespace warpshop::ui {
namespace {

void copy(std::string_view title, const std::function<std::string()>& csv, CommandQueue& queue) {
  queue.push(command::CopyText{csv(), tr("{} as CSV", title)});
}

// Saves the panel as it appears in the window, including its tabs.
void save(std::string_view title, CommandQueue& queue) {
  const ImGuiWindow* window = ImGui::GetCurrentWindow()->RootWindow;
  ImRect area = window->Rect();
  if (window->DockNode) area = window->DockNode->Rect();
  queue.push(command::SavePanelPicture{std::string(title), area.Min.x, area.Min.y, area.GetWidth(),
                                       area.GetHeight()});
}

}  // namespace

void export_menu(std::string_view title, const std::function<std::string()>& csv,
                 CommandQueue& queue) {
  if (queue.export_asked() != ExportAsked::kNothing &&
      ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows)) {
    const ExportAsked asked = queue.take_export_asked();
    if (asked == ExportAsked::kCsv && csv) copy(title, csv, queue);
    if (asked == ExportAsked::kPicture) save(title, queue);
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, px(8, 8));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(8));
  if (ImGui::IsMouseReleased(ImGuiMouseButton_Right) &&
      ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows |
                             ImGuiHoveredFlags_AllowWhenBlockedByPopup)) {
    ImGui::OpenPopup("export");
  }
  if (ImGui::BeginPopup("export")) {
    const ScopedFont font(look().fonts->regular, kLabel);
    if (csv && ImGui::MenuItem(tr("Copy as CSV"))) copy(title, csv, queue);
    if (ImGui::MenuItem(tr("Save a picture of this panel"))) save(title, queue);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

}  // namespace warpshop::ui
