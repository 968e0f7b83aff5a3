// The load of each memory partition over time: how long each works while the busiest does, and the
// stride that makes the load camp on few of them.
#pragma once

#include <memory>
#include <string>

#include "app/commands.h"
#include "app/view.h"
#include "timing/memory_timeline.h"

namespace warpshop::ui {

struct PartitionPanelState {
  std::shared_ptr<const timing::MemoryTimeline> memory;  // what is shown,
  std::string source, gpu;                               // and of which launch
  double axis = 0;   // of time: that of the slowest version of the step that was shown, so that all
                     // can be compared
  std::string step;  // which step, GPU and size that is
};

void partition_panel(const View& view, PartitionPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
