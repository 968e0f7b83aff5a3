// The scheduler timeline as plain data: for each warp the intervals of one colour, at the screen's
// resolution. No drawing.
#pragma once

#include <vector>

#include "timing/prediction.h"

namespace warpshop::ui {

struct TimelineSpan {
  float from = 0, to = 0;  // pixels from the left
  timing::WarpState state = timing::WarpState::kSelected;
};

// The intervals of `line` between the cycles `begin` and `end`, spread over `width` pixels.
// Intervals narrower than `least` pixels are merged with their neighbours into the state that takes
// most of their time; an issue among them wins if it takes at least a quarter.
std::vector<TimelineSpan> timeline_spans(const timing::WarpTimeline& line, double begin, double end,
                                         float width, float least);

// The interval that contains this cycle; null if none.
const timing::WarpInterval* interval_at(const timing::WarpTimeline& line, double cycle);

// Spacing of the marks on an axis: 1, 2 or 5 times a power of ten, at least 1, so that at most
// `most` fit in `span`.
double mark_distance(double span, int most);

}  // namespace warpshop::ui
