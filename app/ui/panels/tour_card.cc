#include "panels/tour_card.h"

#include <algorithm>
#include <optional>
#include <string>

#include "app/actions.h"
#include "draw/spots.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "imgui_internal.h"
#include "window/layout.h"

namespace warpshop::ui {
namespace {

// Returns the rectangle of the step's panel; empty if it is hidden.
ImRect panel_rect(std::string_view panel) {
  if (panel.empty()) return {};
  const ImGuiWindow* window =
      panel == "top_bar" ? ImGui::FindWindowByName("top_bar") : panel_window(panel);
  if (!window || !window->WasActive) return {};
  return window->DockNode ? window->DockNode->Rect() : window->Rect();
}

// Returns a text of the step with its shortcut.
std::string words_of(const TourStep& step, std::string_view text) {
  const std::string key = shortcut_anywhere(step.action);
  return fill_in(tr(text), {key.empty() ? std::string(tr("(no key)")) : key});
}

float link_width(std::string_view text) { return text_size(look().fonts->regular, kLabel, text).x; }

// Positions of the strip's parts: the title, the text, and the buttons, side by side if lines of
// text remain readable, otherwise stacked.
// The places of the buttons, which are the same in every step, so that a second click never hits
// another button.
struct Ends {
  float skip = 0, leave = 0, width = 0;  // from the left
};
Ends ends_layout() {
  Ends out;
  out.skip = std::max(link_width(tr("Continue tour")), link_width(tr("Close"))) + px(28) + px(14);
  out.leave = out.skip + link_width(tr("Skip")) + px(18);
  out.width = out.leave + link_width(tr("Leave the tour"));
  return out;
}

struct StripLayout {
  // If one_heading, title and buttons share one line above the text.
  bool beside = false, one_heading = false;
  float title_width = 0, text_width = 0, ends_width = 0, height = 0;
};
StripLayout layout_of(float room) {
  const Fonts& f = *look().fonts;
  StripLayout out;
  const float between = px(24), line = line_height(f.regular, kBody);
  out.ends_width = ends_layout().width;
  for (const TourStep& step : tour_steps())
    out.title_width = std::max(out.title_width, text_size(f.bold, kBody, tr(step.title)).x);
  const float number_width =
      link_width(tr("Tour · {} of {}", tour_steps().size(), tour_steps().size()));
  out.one_heading = number_width + out.title_width + out.ends_width + 2 * between < room;
  out.title_width = std::max(out.title_width, link_width(tr("Continues when you have done this.")));
  out.text_width = room - out.title_width - out.ends_width - 2 * between;
  out.beside = out.text_width > px(380);
  if (!out.beside) out.text_width = room;
  // Tall enough for the longest step, so that the panels below stay in place from step to step.
  for (const TourStep& step : tour_steps()) {
    for (const std::string_view text : {step.text, step.text_elsewhere})
      out.height = std::max(out.height,
                            wrapped_height(f.regular, kBody, words_of(step, text), out.text_width));
  }
  out.height = out.beside ? std::max(out.height, 3 * line)
                          : out.height + (out.one_heading ? 1.0f : 4.0f) * line + px(8);
  return out;
}

// `beside`: they have a place of their own; else the last one may need a line of its own.
void strip_ends(const Tour& tour, bool beside, CommandQueue& queue) {
  const Ends ends = ends_layout();
  const ImVec2 at = ImGui::GetCursorPos();
  const float room = content_width();
  if (tour.finished()) {
    if (button(tr_id("Close", "tour-close"), ButtonKind::kPrimary, {0, 0}, kLabel))
      queue.push(command::LeaveTour{});
    return;
  }
  // Not "Next", which is the lab's.
  if (!tour.step().done) {
    if (button(tr_id("Continue tour", "tour-next"), ButtonKind::kPrimary, {0, 0}, kLabel))
      queue.push(command::SkipTour{});
  } else {
    ImGui::SetCursorPos({at.x + ends.skip, at.y});
    if (link(tr_id("Skip", "tour-skip"), kLabel)) queue.push(command::SkipTour{});
    action_tooltip("tour-skip");
  }
  if (beside || ends.width <= room) ImGui::SetCursorPos({at.x + ends.leave, at.y});
  if (link(tr_id("Leave the tour", "tour-leave"), kLabel)) queue.push(command::LeaveTour{});
  action_tooltip("tour");
}

}  // namespace

float tour_strip(const Tour& tour, const TourFacts& now, float top, CommandQueue& queue) {
  if (!tour.open()) return 0;
  const TourStep& step = tour.step();
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  const float side = px(12);
  const ImVec2 inset = px(16, 10);
  const float width = viewport->WorkSize.x - 2 * side;
  const StripLayout layout = layout_of(width - 2 * inset.x);
  // On a screen too small for all of it, the text scrolls.
  const float all = layout.height + 2 * inset.y, most = viewport->WorkSize.y * 0.4f;
  const float height = std::min(all, most);
  ImGui::SetNextWindowPos({viewport->WorkPos.x + side, viewport->WorkPos.y + top});
  ImGui::SetNextWindowSize({width, height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, inset);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.0f, px(2)));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, t.raised);
  ImGui::PushStyleColor(ImGuiCol_Border, t.tour);
  ImGui::Begin("##tour", nullptr,
               (all <= most ? ImGuiWindowFlags_NoScrollbar : 0) | ImGuiWindowFlags_NoTitleBar |
                   ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                   ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoNav);
  // In front of the panels, behind dialogs and lists.
  if (ImGui::GetCurrentContext()->OpenPopupStack.empty())
    ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  const ImVec2 at = ImGui::GetCursorPos();
  const float line = line_height(f.regular, kBody);
  label(f.medium, kLabel, t.tour, tr("Tour · {} of {}", tour.number() + 1, tour.count()));
  if (layout.beside) {
    ImGui::SetCursorPos({at.x, at.y + line});
    label(f.bold, kBody, t.text, tr(step.title));
    ImGui::SetCursorPos({at.x, at.y + 2 * line});
    if (step.done && !tour.finished())
      label(f.regular, kLabel, t.muted, tr("Continues when you have done this."));
    ImGui::SetCursorPos({at.x + layout.title_width + px(24), at.y});
    ImGui::PushTextWrapPos(at.x + layout.title_width + px(24) + layout.text_width);
    label(f.regular, kBody, t.body, words_of(step, tour.text(now)));
    ImGui::PopTextWrapPos();
  } else {
    if (layout.one_heading) ImGui::SameLine(0, px(14));
    paragraph(f.bold, kLabel, t.text, tr(step.title));
    if (layout.one_heading) ImGui::SetCursorPos({at.x, at.y + line + px(8)});
    paragraph(f.regular, kBody, t.body, words_of(step, tour.text(now)));
  }
  const bool ends_beside = layout.beside || layout.one_heading;
  if (ends_beside) ImGui::SetCursorPos({width - inset.x - layout.ends_width, at.y});
  strip_ends(tour, ends_beside, queue);
  ImGui::End();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(2);
  return height + px(8);
}

void tour_frame(const Tour& tour) {
  // Behind dialogs and lists.
  if (!tour.open() || !ImGui::GetCurrentContext()->OpenPopupStack.empty()) return;
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  ImRect framed;
  for (const std::string_view name : tour.step().spots) {
    const std::optional<Spot> found = find_spot(name);
    if (!found || framed.GetWidth() > 0) continue;
    framed = ImRect(found->min, found->max);
    framed.Expand(px(5, 4));
  }
  if (framed.GetWidth() <= 0) framed = panel_rect(tour.step().panel);
  if (framed.GetWidth() <= 0) return;
  // Unlike the ring of the keyboard focus, which is blue, thin and has no label.
  // A window of its own in front of the panels: the foreground's list would cover tooltips.
  const ImGuiViewport* viewport = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport->Pos);
  ImGui::SetNextWindowSize(viewport->Size);
  ImGui::Begin("##tour_frame", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs |
                   ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoDocking);
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  ImDrawList* front = ImGui::GetWindowDrawList();
  front->AddRect(framed.Min, framed.Max, t.tour, px(8), px(3.5f));
  const std::string_view name = tr("Tour");
  const ImVec2 words = text_size(f.bold, kSmall, name), inset = px(7, 1);
  // On the line, where it covers little.
  const ImVec2 corner{framed.Min.x + px(10), framed.Min.y - words.y / 2 - inset.y};
  front->AddRectFilled(corner, {corner.x + words.x + 2 * inset.x, corner.y + words.y + 2 * inset.y},
                       t.tour, px(5));
  draw_text(front, {corner.x + inset.x, corner.y + inset.y}, f.bold, kSmall, t.on_accent, name);
  ImGui::End();
}

}  // namespace warpshop::ui
