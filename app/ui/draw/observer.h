// Sees what a frame draws: its texts, and its figures with what explains them.
#pragma once

#include <string_view>

#include "imgui.h"
#include "text/metrics.h"

namespace warpshop::ui {

// A text as drawn, and the room available to it.
struct TextSeen {
  const ImDrawList* list = nullptr;
  ImVec2 min, max;
  std::string_view text;  // untruncated
  ImVec2 room_min, room_max;
  bool cut = false;  // ends in "…"
};

class DrawObserver {
 public:
  virtual ~DrawObserver() = default;
  virtual void see_text(const TextSeen&) {}
  virtual void see_figure(ImVec2 /*min*/, ImVec2 /*max*/, const MetricWords&) {}
  virtual void see_marks(bool /*begin*/) {}  // see ScaleMarks
};

// From now on, until another observer or null is given. Returns the one before.
DrawObserver* observe_drawing(DrawObserver* observer);
DrawObserver* draw_observer();  // null: nobody observes

}  // namespace warpshop::ui
