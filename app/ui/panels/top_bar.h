// Product and place on the left, the pipeline in the middle, GPU, layout and Run on the right.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

inline constexpr float kTopBarHeight = 52;  // unscaled pixels

// Begins the window across the top, in every mode the same one; ImGui::End() ends it.
void begin_top_bar();

void top_bar(const View& view, CommandQueue& queue);

}  // namespace warpshop::ui
