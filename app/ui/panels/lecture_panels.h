// What a lecture shows around the kernel: the bar on top, the words and published figures below, a
// curtain before what is not revealed, and one large number.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

void lecture_bar(const View& view, CommandQueue& queue);
void scene_panel(const View& view, CommandQueue& queue);
// In the place of the map or number, while it is hidden.
void curtain_panel(const View& view, CommandQueue& queue);
void number_panel(const View& view);

}  // namespace warpshop::ui
