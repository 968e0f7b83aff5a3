// The memory chart: what the kernel moves between itself, the caches and DRAM, with the reference's
// beside it.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

void memory_panel(const View& view, CommandQueue& queue);

}  // namespace warpshop::ui
