#include "panels/device_widgets.h"

#include <cmath>

#include "draw/widgets.h"
#include "text/text.h"

namespace warpshop::ui {

void device_mark(ImDrawList* list, ImVec2 center, LinkState state, double now_s) {
  const Theme& t = *look().theme;
  const float r = px(5);
  switch (state) {
    case LinkState::kReady:
      list->AddCircleFilled(center, r, t.good);
      break;
    case LinkState::kOff:
      list->AddCircle(center, r, t.line, 0, px(2));
      break;
    case LinkState::kRefused:
      draw_cross(list, center, px(10), t.poor, px(1.8f));
      break;
    case LinkState::kStarting:
    case LinkState::kMeasuring:
    case LinkState::kRetrying: {
      const ImU32 color = state == LinkState::kRetrying ? t.poor : t.accent;
      list->AddCircle(center, r, with_alpha(color, 0.35f), 0, px(2));
      const auto turn = static_cast<float>(std::fmod(now_s, 1.0) * 2 * 3.14159265);
      list->PathArcTo(center, r, turn, turn + 1.8f);
      list->PathStroke(color, px(2));
      break;
    }
  }
}

std::string state_text(const DeviceRow& row) {
  if (row.place == kEmulatorAlone) return {};
  if (row.state == LinkState::kStarting && row.place != kHere) {
    return tr("starting… (on a cluster it may wait in the queue)");
  }
  if (row.place_in_queue > 0) return tr("waiting, place {}", row.place_in_queue);
  return std::string(tr(name_of(row.state)));
}

}  // namespace warpshop::ui
