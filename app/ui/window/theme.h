// Colours and their meaning. Lane index is Viridis; blue is good or
// selected; orange is waste or wrong (and also hatched); yellow is
// history; grey is context. Nothing relies on red or green alone.
#pragma once

#include <string_view>

#include "imgui.h"

namespace warpshop::ui {

constexpr ImU32 rgb(unsigned value) {  // 0xRRGGBB, opaque
  return IM_COL32((value >> 16) & 255, (value >> 8) & 255, value & 255, 255);
}

enum class ThemeChoice { kDark, kLight, kSystem };
std::string_view name_of(ThemeChoice choice);  // "dark", "light", "system"

struct Theme {
  bool dark = true;
  ImU32 window = 0, panel = 0, raised = 0, line = 0;
  ImU32 text = 0;            // headings, values
  ImU32 body = 0;            // prose: slightly dimmer than headings
  ImU32 muted = 0;           // secondary
  ImU32 accent = 0;          // actions, the selection
  ImU32 good = 0;            // as good as it gets
  ImU32 poor = 0;            // short of ideal, waste, wrong
  ImU32 poor_on_raised = 0;  // for text: `poor`, dark enough for the raised background
  ImU32 history = 0;         // published figures
  ImU32 tour = 0;            // the tour's frames and text; used for nothing else
  ImU32 on_accent = 0;
  ImU32 shadow = 0;
};

const Theme& dark_theme();
const Theme& light_theme();

ImU32 lane_color(int lane);   // Viridis from lane 0 to lane 31
ImU32 text_on(ImU32 ground);  // black or white, whichever reads better
ImU32 with_alpha(ImU32 color, float alpha);
ImU32 mix(ImU32 a, ImU32 b, float t);  // t = 0: a, t = 1: b
// Contrast ratio of two opaque colours, 1 to 21: WCAG 2.2, "contrast ratio".
// https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
double contrast(ImU32 a, ImU32 b);

// Colours, spacing and rounding of ImGui's own widgets at `scale` (zoom times the display's scale).
void apply_style(const Theme& theme, float scale);

}  // namespace warpshop::ui
