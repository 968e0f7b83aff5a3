#include "panels/tour_card.h"

#include <algorithm>
#include <optional>
#include <string>

#include "app/actions.h"
#include "draw/spots.h"
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

// The first place that covers neither what is spoken of nor its panel; else one that leaves at least the place to click free.
// The lower right corner, which is that of the results, comes first: the kernel is what the step's questions are about.
ImVec2 card_place(const ImRect& panel, const ImRect& spot, ImVec2 size, const ImRect& all) {
  const float between = px(12), top = all.Min.y + px(76);
  const ImRect editor = panel_rect("editor");
  const float end = std::min(editor.GetWidth() > 0 ? editor.Max.y : all.Max.y, panel.GetWidth() > 0 ? panel.Max.y : all.Max.y);
  const float low = std::clamp(end - size.y - between, top, std::max(top, all.Max.y - size.y - between));
  const float bottom = std::max(all.Min.y, all.Max.y - size.y - px(20)), left = all.Min.x + px(20);
  const float right = std::max(left, all.Max.x - size.x - px(20));
  const ImVec2 places[] = {
      {right, bottom}, {panel.Max.x + between, low}, {panel.Min.x - between - size.x, low}, {right, panel.Max.y + between},
      {left, bottom}, {right, top}, {left, top},
  };
  const ImRect window(all.Min.x, all.Min.y, all.Max.x + 1, all.Max.y + 1);
  for (const bool whole_panel : {true, false}) {
    for (const ImVec2 place : places) {
      const ImRect card(place, {place.x + size.x, place.y + size.y});
      if (!window.Contains(card)) continue;
      if (whole_panel && panel.GetWidth() > 0 && card.Overlaps(panel)) continue;
      if (spot.GetWidth() > 0 && card.Overlaps(spot)) continue;
      return place;
    }
  }
  return {right, bottom};
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
  ImRect spot;
  for (const std::string_view name : step.spots) {
    const std::optional<Spot> found = find_spot(name);
    if (found && spot.GetWidth() <= 0) spot = ImRect(found->min, found->max);
  }
  const float width = std::min(px(330), viewport->Size.x - px(24));
  static ImVec2 last_size{0, 0};  // of the frame before: the card's height follows its text
  ImGui::SetNextWindowPos(card_place(panel, spot, last_size, all));
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, viewport->Size.y - px(24)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, px(16, 14));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.0f, px(1.5f)));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, t.raised);
  ImGui::PushStyleColor(ImGuiCol_Border, t.accent);
  ImGui::Begin("##tour", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoNav);
  // Above the panels, which come to the front when they are clicked; below dialogs and lists.
  const bool popup = !ImGui::GetCurrentContext()->OpenPopupStack.empty();
  if (!popup) ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  label(f.medium, kLabel, t.accent, tr("Tour · {} of {}", tour.number() + 1, tour.count()));
  paragraph(f.bold, 17, t.text, tr(step.title));
  const std::string key = shortcut_anywhere(step.action);
  paragraph(f.regular, kBody, t.body, fill_in(tr(step.text), {key.empty() ? std::string(tr("(no key)")) : key}));
  gap(2);
  const bool end = tour.finished();
  if (end) {
    if (button(tr_id("Close", "tour-close"), ButtonKind::kPrimary, {0, 0}, kLabel)) queue.push(command::LeaveTour{});
  } else {
    if (step.done) {
      label(f.regular, kLabel, t.muted, tr("Continues when you have done this."));
    } else {
      if (button(tr_id("Next", "tour-next"), ButtonKind::kPrimary, {0, 0}, kLabel)) queue.push(command::SkipTour{});
      ImGui::SameLine(0, px(18));
    }
    if (step.done && link(tr_id("Skip", "tour-skip"), kLabel)) queue.push(command::SkipTour{});
    if (step.done) {
      action_tooltip("tour-skip");
      ImGui::SameLine(0, px(18));
    }
    if (content_width() < text_size(f.regular, kLabel, tr("Leave the tour")).x) ImGui::NewLine();
    if (link(tr_id("Leave the tour", "tour-leave"), kLabel)) queue.push(command::LeaveTour{});
    action_tooltip("tour");
  }
  last_size = ImGui::GetWindowSize();
  const bool covers = ImRect(ImGui::GetWindowPos(), {ImGui::GetWindowPos().x + last_size.x, ImGui::GetWindowPos().y + last_size.y}).Overlaps(panel);
  ImGui::End();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(2);
  if (popup) return;
  ImDrawList* front = ImGui::GetForegroundDrawList();
  if (spot.GetWidth() > 0) {
    front->AddRect({spot.Min.x - px(4), spot.Min.y - px(3)}, {spot.Max.x + px(4), spot.Max.y + px(3)}, t.accent, px(8), px(2.5f));
  } else if (panel.GetWidth() > 0 && !covers) {
    front->AddRect(panel.Min, panel.Max, t.accent, px(8), px(2));
  }
}

}  // namespace warpshop::ui
