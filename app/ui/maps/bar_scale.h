// Bars with their figures behind them, all of one scale.
#pragma once

#include <algorithm>
#include <vector>

namespace warpshop::ui {

struct BarLength {
  double value = 0;        // not negative
  float figure_width = 0;  // pixels, of what is written behind the bar's end
};

// Pixels for one unit of value, the same for all bars, so that twice the value is twice as long; as
// many as let every figure end inside `room` pixels, and at least so many that the longest bar has
// `least`.
inline double bar_scale(const std::vector<BarLength>& bars, float room, float least) {
  double most = 0, scale = 0;
  for (const BarLength& bar : bars) {
    if (bar.value <= 0) continue;
    const double own = static_cast<double>(room - bar.figure_width) / bar.value;
    scale = most > 0 ? std::min(scale, own) : own;
    most = std::max(most, bar.value);
  }
  return most > 0 ? std::max(scale, static_cast<double>(least) / most) : 0;
}

}  // namespace warpshop::ui
