// Legend of a picture's colours and shapes: swatches with labels, on as many lines as needed.
#pragma once

#include <string>
#include <vector>

#include "draw/draw.h"

namespace warpshop::ui {

enum class Swatch { kBar, kHatched, kDot, kRing, kLine, kWords };  // kWords: label without a swatch

struct LegendEntry {
  Swatch swatch = Swatch::kBar;
  ImU32 color = 0;
  std::string words;
};

// Draws the legend at the cursor, across the width of the content.
void legend(const std::vector<LegendEntry>& entries);
float legend_height(const std::vector<LegendEntry>& entries, float width);

}  // namespace warpshop::ui
