// The memory chart: traffic between the kernel, the caches and DRAM, beside the reference's.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

void memory_panel(const View& view, CommandQueue& queue);

}  // namespace warpshop::ui
