#include "panels/tour_card.h"

#include <algorithm>

#include "app/actions.h"
#include "draw/widgets.h"
#include "imgui_internal.h"
#include "window/layout.h"

namespace warpshop::ui {
namespace {

// Where the step's panel is; empty where it is not in sight.
ImRect panel_rect(std::string_view panel) {
  if (panel.empty()) return {};
  const ImGuiWindow* window = panel == "top_bar" ? ImGui::FindWindowByName("top_bar") : panel_window(panel);
  if (!window || !window->WasActive) return {};
  return window->DockNode ? window->DockNode->Rect() : window->Rect();
}

// Beside the panel where there is room, else in a corner of the window. Over the last lines of the editor rather than
// the first: the kernel is what the step's questions are about.
ImVec2 card_place(const ImRect& panel, ImVec2 size, const ImRect& all) {
  const float between = px(12);
  if (panel.GetWidth() > 0) {
    const ImRect editor = panel_rect("editor");
    const float end = editor.GetWidth() > 0 ? std::min(editor.Max.y, panel.Max.y) : panel.Max.y;
    const float y = std::clamp(end - size.y - between, all.Min.y + px(64), std::max(all.Min.y + px(64), all.Max.y - size.y - between));
    if (panel.Max.x + between + size.x < all.Max.x) return {panel.Max.x + between, y};
    if (panel.Min.x - between - size.x > all.Min.x) return {panel.Min.x - between - size.x, y};
    if (panel.Max.y + between + size.y < all.Max.y) return {all.Max.x - size.x - px(20), panel.Max.y + between};
  }
  return {all.Max.x - size.x - px(20), std::max(all.Min.y, all.Max.y - size.y - px(20))};
}

}  // namespace

void tour_card(const Tour& tour, CommandQueue& queue) {
  if (!tour.open()) return;
  const TourStep& step = tour.step();
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const ImRect all(viewport->Pos, {viewport->Pos.x + viewport->Size.x, viewport->Pos.y + viewport->Size.y});
  const ImRect panel = panel_rect(step.panel);
  const float width = std::min(px(330), viewport->Size.x - px(24));
  static ImVec2 last_size{0, 0};  // of the frame before: the card's height follows its text
  ImGui::SetNextWindowPos(card_place(panel, last_size, all));
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, viewport->Size.y - px(24)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, px(16, 14));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.0f, px(1.5f)));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, t.raised);
  ImGui::PushStyleColor(ImGuiCol_Border, t.accent);
  ImGui::Begin("##tour", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoNav);
  // Above the panels, which come to the front when they are clicked; below dialogs.
  if (ImGui::GetTopMostPopupModal() == nullptr) ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  label(f.medium, kLabel, t.accent, tr("Tour · {} of {}", tour.number() + 1, tour.count()));
  paragraph(f.bold, 17, t.text, tr(step.title));
  const std::string key = shortcut_anywhere(step.action);
  paragraph(f.regular, kBody, t.body, fill_in(tr(step.text), {key.empty() ? std::string(tr("(no key)")) : key}));
  gap(2);
  const bool end = tour.finished();
  if (end) {
    if (button(tr_id("Close", "tour-close"), ButtonKind::kPrimary, {0, 0}, kLabel)) queue.push(command::LeaveTour{});
  } else {
    label(f.regular, kLabel, t.muted, tr("It goes on by itself."));
    if (link(tr_id("Skip", "tour-skip"), kLabel)) queue.push(command::SkipTour{});
    action_tooltip("tour-skip");
    ImGui::SameLine(0, px(18));
    if (content_width() < text_size(f.regular, kLabel, tr("Leave the tour")).x) ImGui::NewLine();
    if (link(tr_id("Leave the tour", "tour-leave"), kLabel)) queue.push(command::LeaveTour{});
    action_tooltip("tour");
  }
  last_size = ImGui::GetWindowSize();
  const bool covers = ImRect(ImGui::GetWindowPos(), {ImGui::GetWindowPos().x + last_size.x, ImGui::GetWindowPos().y + last_size.y}).Overlaps(panel);
  ImGui::End();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(2);
  if (panel.GetWidth() > 0 && !covers && ImGui::GetTopMostPopupModal() == nullptr) {
    ImGui::GetForegroundDrawList()->AddRect(panel.Min, panel.Max, t.accent, px(8), px(2));
  }
}

}  // namespace warpshop::ui
