// Product and place on the left, the pipeline in the middle, GPU, layout and Run on the right.
#pragma once

#include "commands.h"
#include "view.h"

namespace warpshop::ui {

inline constexpr float kTopBarHeight = 52;  // unscaled pixels

void top_bar(const View& view, CommandQueue& queue);

}  // namespace warpshop::ui
