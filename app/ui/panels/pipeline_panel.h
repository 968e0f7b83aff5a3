// A block's asynchronous copies over the cycles of the simulated SM: the stages in flight to each
// slot of shared memory, and below them when each warp works and what it waits for.
#pragma once

#include "app/commands.h"
#include "app/view.h"
#include "panels/cycle_axis.h"
#include "timing/pipeline.h"

namespace warpshop::ui {

struct PipelinePanelState : CycleSight {
  const timing::Pipeline* of = nullptr;  // that the cycles refer to
  bool reference = false;                // show the reference's instead of the student's
};

void pipeline_panel(const View& view, PipelinePanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
