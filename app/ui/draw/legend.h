// What the colours and shapes of a picture mean: swatches with words, in as many lines as they
// need.
#pragma once

#include <string>
#include <vector>

#include "draw/draw.h"

namespace warpshop::ui {

enum class Swatch { kBar, kHatched, kDot, kRing, kLine, kWords };  // kWords: none, words alone

struct LegendEntry {
  Swatch swatch = Swatch::kBar;
  ImU32 color = 0;
  std::string words;
};

// At the cursor, over the width of the content.
void legend(const std::vector<LegendEntry>& entries);
float legend_height(const std::vector<LegendEntry>& entries, float width);

}  // namespace warpshop::ui
