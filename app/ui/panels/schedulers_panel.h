// The warp schedulers of one simulated SM over time: when each warp issues and what it waits for in
// between, by Nsight's names. Zooms in to single cycles; a click jumps to the line.
#pragma once

#include <vector>

#include "app/commands.h"
#include "app/view.h"
#include "panels/cycle_axis.h"
#include "timing/prediction.h"

namespace warpshop::ui {

struct SchedulersPanelState : CycleSight {
  const timing::Prediction* of = nullptr;  // that the cycles refer to
  bool reference = false;                  // show the reference's warps instead of the student's
  // The stretch of a warp's time focused with the keyboard, equivalent to hovering.
  struct Focus {
    bool shown = false;
    size_t row = 0;    // index into `rows`
    double cycle = 0;  // within the stretch
  };
  Focus focus;
  std::vector<size_t> rows;  // the timelines of `of` that are drawn, from the top
};

// Moves the keyboard focus to the next (`by` 1) or previous (-1) stretch of its warp, or, with
// `other_warp`, to the same cycle of the warp below or above. False at the end. Valid only after a
// frame that drew the panel.
bool move_focus(SchedulersPanelState& state, int by, bool other_warp);
// Returns the line of the student's file that the focused stretch belongs to; 0 if none is shown or
// it is the reference's.
int line_of_hand(const SchedulersPanelState& state);

// `zoom` > 1 shows fewer cycles, 0 shows all; `shift` is a fraction of the visible range.
void move_timeline(SchedulersPanelState& state, double zoom, double shift);

void schedulers_panel(const View& view, SchedulersPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
