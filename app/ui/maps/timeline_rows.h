// What the scheduler timeline draws, as plain data: for each warp the stretches of one colour, as
// fine as the screen is. No drawing.
#pragma once

#include <vector>

#include "timing/prediction.h"

namespace warpshop::ui {

struct TimelineSpan {
  float from = 0, to = 0;  // pixels from the left
  timing::WarpState state = timing::WarpState::kSelected;
};

// The stretches of `line` between the cycles `begin` and `end` over `width` pixels. What is
// narrower than `least` pixels is drawn together with its neighbours in the state that takes most
// of their time; an issue among them wins where it makes at least a quarter.
std::vector<TimelineSpan> timeline_spans(const timing::WarpTimeline& line, double begin, double end,
                                         float width, float least);

// The interval that holds this cycle; null: none.
const timing::WarpInterval* interval_at(const timing::WarpTimeline& line, double cycle);

// Distance of the marks of an axis: 1, 2 or 5 times a power of ten, at least 1, so that at most
// `most` fit in `span`.
double mark_distance(double span, int most);

}  // namespace warpshop::ui
