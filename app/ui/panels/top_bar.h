// Product and location on the left, the pipeline in the middle; GPU, layout and Run on the right.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

inline constexpr float kTopBarHeight = 52;   // of a lecture, unscaled pixels
inline constexpr float kWorkBarHeight = 44;  // below the menus

// Begins the window across the top, which is the same in every mode; ImGui::End() ends it.
void begin_top_bar(float height = kTopBarHeight);

void top_bar(const View& view, CommandQueue& queue);

}  // namespace warpshop::ui
