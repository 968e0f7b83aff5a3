// The warp schedulers of one simulated SM over time: when each warp issues, and for what it waits in between, by
// Nsight's names. Zooms to a single cycle; a click goes to the line.
#pragma once

#include "app/commands.h"
#include "app/view.h"
#include "timing/prediction.h"

namespace warpshop::ui {

struct SchedulerPanelState {
  const timing::Prediction* of = nullptr;  // whose cycles `begin` and `end` are
  bool reference = false;                  // the reference's warps instead of the student's
  double begin = 0, end = 0;               // the cycles in sight
  double first = 0, last = 0;              // all there are
  bool moved = false;                      // the mouse has dragged since it was pressed
};

// `zoom` over 1 shows fewer cycles, 0 all of them; `shift` is a part of what is in sight.
void move_timeline(SchedulerPanelState& state, double zoom, double shift);

void scheduler_panel(const View& view, SchedulerPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
