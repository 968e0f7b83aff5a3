// The zoom of a lecture.
#pragma once

#include <algorithm>

#include "state/settings.h"

namespace warpshop::ui {

// Scales a lecture's text to its window, since in a lecture hall the resolution does not matter: a
// line always takes the same fraction of the height; at 1,000 pixels, twice its size on a desk.
// `display_scale`: pixels per point; `chosen`: the lecture's own zoom.
inline float hall_zoom(int width, int height, float display_scale, float chosen) {
  const float hall =
      std::min(static_cast<float>(height) / 500, static_cast<float>(width) / 800) / display_scale;
  return std::clamp(chosen * hall, kMinZoom, std::max(kMaxZoom, kMaxLectureZoom * hall));
}

}  // namespace warpshop::ui
