// A picture of the window beside the one that is kept in tests/window/pictures, region by region.
//
// What is kept is small: a PNG with a pixel for each region of kRegion × kRegion pixels, with the
// region's mean colour, and its contrast as the alpha. Another driver's letters are a little
// different, so a region may be, too; a panel, a bar, a colour or a line of text that has gone may
// not.
#pragma once

#include <string>
#include <vector>

#include "imgui.h"
#include "window/png_file.h"

namespace warpshop::ui {

inline constexpr int kRegion = 20;  // pixels

struct Part {
  ImVec2 min, max;  // pixels of the window
};

// `left_out`: parts of the window that are never twice the same, as the times of the stages. Their
// regions have alpha 0.
Picture regions_of(const Picture& picture, const std::vector<Part>& left_out = {});

// In the form that is kept: in steps of 4, which pack into two thirds.
Picture rounded(const Picture& regions);

// What differs, each place once, "80,40 to 200,60: 5 of 6 regions"; empty: nothing. What is left
// out of one of them does not count. `now` is as regions_of gives it, `kept` as rounded does.
std::vector<std::string> differences(const Picture& now, const Picture& kept);

// Pictures of one size, one below the other, and the nth of `count` of them.
Picture stacked(const std::vector<Picture>& pictures);
Picture of_stack(const Picture& stack, size_t n, size_t count);

// Regions as large as the window that they are of, to be looked at.
Picture enlarged(const Picture& regions);

}  // namespace warpshop::ui
