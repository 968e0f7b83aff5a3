// Collects the texts and figures that frames draw, for the tests that look for text that does not
// fit or figures that nothing explains.
#pragma once

#include <string>
#include <vector>

#include "draw/observer.h"
#include "draw/tooltip.h"
#include "imgui_internal.h"

namespace warpshop::ui {

// A drawn text and the space available to it.
struct DrawnText {
  std::string text;  // untruncated
  ImVec2 min, max;   // as drawn
  ImVec2 room_min, room_max;
  std::string window;
  bool cut = false;                           // ends in "…"
  bool mark = false;                          // see ScaleMarks
  bool scrolls_x = false, scrolls_y = false;  // what lies outside can be scrolled into view
};

// Collects while it lives.
class DrawnTexts : public DrawObserver {
 public:
  DrawnTexts() { observe_drawing(this); }
  ~DrawnTexts() override { observe_drawing(nullptr); }
  DrawnTexts(const DrawnTexts&) = delete;
  DrawnTexts& operator=(const DrawnTexts&) = delete;

  std::vector<DrawnText> texts;
  std::vector<ShownMetric> figures;

  void see_text(const TextSeen& seen) override {
    DrawnText drawn{std::string(seen.text), seen.min, seen.max, seen.room_min,
                    seen.room_max,          {},       seen.cut, marks_ > 0};
    const ImGuiWindow* window = ImGui::GetCurrentContext()->CurrentWindow;
    if (seen.list == ImGui::GetForegroundDrawList() || !window) window = nullptr;
    drawn.window = window ? window->Name : "foreground";
    for (; window; window = window->ParentWindow) {
      drawn.scrolls_x |=
          window->ScrollMax.x > 0 && (window->Flags & ImGuiWindowFlags_HorizontalScrollbar);
      drawn.scrolls_y |=
          window->ScrollMax.y > 0 && !(window->Flags & ImGuiWindowFlags_NoScrollWithMouse);
      if (!(window->Flags & ImGuiWindowFlags_ChildWindow)) break;
    }
    texts.push_back(std::move(drawn));
  }
  void see_figure(ImVec2 min, ImVec2 max, const MetricWords& words) override {
    figures.push_back(shown_metric(min, max, words));
  }
  void see_marks(bool begin) override { marks_ += begin ? 1 : -1; }

 private:
  int marks_ = 0;
};

}  // namespace warpshop::ui
