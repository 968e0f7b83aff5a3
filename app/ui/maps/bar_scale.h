// A common scale for bars that are followed by their figures.
#pragma once

#include <algorithm>
#include <vector>

namespace warpshop::ui {

struct BarLength {
  double value = 0;        // not negative
  float figure_width = 0;  // pixels, of the text after the bar's end
};

// Pixels per unit of value, the same for all bars, so that twice the value is twice as long. The
// largest scale at which every figure fits within `room` pixels, but at least such that the longest
// bar is `least` pixels long.
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
