// The load of each memory partition over time: how long each is busy compared with the busiest, and
// the stride that causes partition camping.
#pragma once

#include <memory>
#include <string>

#include "app/commands.h"
#include "app/view.h"
#include "timing/memory_timeline.h"

namespace warpshop::ui {

struct PartitionsPanelState {
  std::shared_ptr<const timing::MemoryTimeline> memory;  // the timeline shown,
  std::string source, gpu;                               // and the launch it is from
  // Length of the time axis: the slowest version of the step shown so far, or of a lecture's
  // script, so that all versions can be compared.
  double axis = 0;
  std::string step;  // step, GPU and size that `axis` is for
};

void partitions_panel(const View& view, PartitionsPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
