// The load of each memory partition over time: how long each works while the busiest does, and the stride that makes
// the load camp on few of them.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

void partition_panel(const View& view, CommandQueue& queue);

}  // namespace warpshop::ui
