#include "draw/tooltip.h"

#include <algorithm>

#include "app/actions.h"
#include "draw/observer.h"
#include "draw/widgets.h"
#include "imgui_internal.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

int tooltip_frame = -1;  // the last frame in which one was shown

// The tour's strip, between the top bar and the panels, stays readable: returns where a tooltip at
// height `y` may begin.
float below_tour(float y) {
  const ImGuiWindow* tour = ImGui::FindWindowByName("##tour");
  if (!tour || !tour->WasActive || !ImGui::GetCurrentContext()->OpenPopupStack.empty()) return y;
  return std::max(y, tour->Rect().Max.y + px(6));
}

std::string note_of(std::string_view unit, std::string_view formula, std::string_view nsight,
                    std::string_view term) {
  return tr("Unit: {}", tr(unit)) + "\n" + tr("Formula: {}", tr(formula)) + "\n" +
         tr("Nsight Compute: {}",
            nsight.empty() ? std::string_view(tr("has no name for it")) : nsight) +
         "\n" + tr("Glossary: {}", tr(term));
}

void say_metric(const MetricWords& words, std::string_view more) {
  std::string note = note_of(words.unit, words.formula, words.nsight, words.term);
  if (!more.empty()) note += "\n" + std::string(more);
  tooltip(tr(words.title), tr(words.meaning), note);
}

}  // namespace

void cut_text_tooltip() {
  const std::string whole = take_cut_text();
  if (!whole.empty() && tooltip_frame != ImGui::GetFrameCount()) tooltip({}, whole);
}

void tooltip(std::string_view title, std::string_view text, std::string_view footnote) {
  tooltip_frame = ImGui::GetFrameCount();
  if (!look().tooltips) return;
  const ImVec2 mouse = ImGui::GetMousePos();
  const bool placed =
      ImGui::GetCurrentContext()->NextWindowData.HasFlags & ImGuiNextWindowDataFlags_HasPos;
  if (const float top = below_tour(mouse.y); !placed && top > mouse.y) {
    const ImGuiViewport* viewport = ImGui::GetMainViewport();
    const bool right = mouse.x > viewport->Pos.x + viewport->Size.x / 2;
    ImGui::SetNextWindowPos({mouse.x, top}, ImGuiCond_Always, {right ? 1.0f : 0.0f, 0.0f});
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, px(12, 10));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, px(4, 4));
  if (ImGui::BeginTooltip()) {
    ImGui::PushTextWrapPos(px(340));
    if (!title.empty()) label(look().fonts->medium, kLabel, look()->text, title);
    if (!text.empty()) label(look().fonts->regular, kLabel, look()->body, text);
    if (!footnote.empty()) label(look().fonts->regular, 12, look()->muted, footnote);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }
  ImGui::PopStyleVar(3);
}

ShownMetric shown_metric(ImVec2 min, ImVec2 max, const MetricWords& words) {
  return {std::string(words.title),
          std::string(words.meaning),
          std::string(words.unit),
          std::string(words.formula),
          std::string(words.nsight),
          std::string(words.term),
          min,
          max};
}

void note_metric(ImVec2 min, ImVec2 max, const MetricWords& words) {
  if (DrawObserver* observer = draw_observer()) observer->see_figure(min, max, words);
}

std::string metric_note(const ShownMetric& metric) {
  return note_of(metric.unit, metric.formula, metric.nsight, metric.term);
}

void metric_tooltip(const MetricWords& words, std::string_view more) {
  note_metric(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), words);
  if (ImGui::IsItemHovered()) say_metric(words, more);
}

void metric_area(ImVec2 min, ImVec2 max, const MetricWords& words, std::string_view more) {
  note_metric(min, max, words);
  if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max)) say_metric(words, more);
}
void metric_area_beside(ImVec2 min, ImVec2 max, const MetricWords& words, std::string_view more) {
  note_metric(min, max, words);
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows) &&
      ImGui::IsMouseHoveringRect(min, max, false))
    say_metric(words, more);
}

void action_tooltip(std::string_view action_id) {
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal | ImGuiHoveredFlags_AllowWhenDisabled)) {
    return;
  }
  const Action* action = find_action(action_id);
  if (!action) return;
  // Place it above or below the item, so that it covers neither the item nor its neighbours in the
  // row.
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const bool low = max.y > viewport->Pos.y + viewport->Size.y * 0.6f,
             right = min.x > viewport->Pos.x + viewport->Size.x * 0.6f;
  ImGui::SetNextWindowPos({right ? max.x : min.x, low ? min.y - px(6) : below_tour(max.y + px(6))},
                          ImGuiCond_Always, {right ? 1.0f : 0.0f, low ? 1.0f : 0.0f});
  std::string keys = chord_label(action->chord);
  if (action->second) keys += " " + std::string(tr("or")) + " " + chord_label(action->second);
  tooltip(tr(action->title), {}, keys);
}

}  // namespace warpshop::ui
