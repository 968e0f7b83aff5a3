// The warp schedulers of one simulated SM over time: when each warp issues, and for what it waits
// in between, by Nsight's names. Zooms to a single cycle; a click goes to the line.
#pragma once

#include <vector>

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
  // What the keyboard points at, as the mouse does: a stretch of a warp's time.
  struct Hand {
    bool shown = false;
    size_t row = 0;    // of `rows`
    double cycle = 0;  // in the stretch
  };
  Hand hand;
  std::vector<size_t> rows;  // the drawn timelines of `of`, from above
};

// The keyboard's hand to the next stretch (`by` 1) or the one before of its warp, or to the same
// cycle of the warp below or above. False: it is at the end. Only after a frame in which the panel
// was drawn.
bool move_hand(SchedulerPanelState& state, int by, bool other_warp);
// The line of the student's file that the stretch belongs to; 0: none is shown, or it is the
// reference's.
int line_of_hand(const SchedulerPanelState& state);

// `zoom` over 1 shows fewer cycles, 0 all of them; `shift` is a part of what is in sight.
void move_timeline(SchedulerPanelState& state, double zoom, double shift);

void scheduler_panel(const View& view, SchedulerPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
