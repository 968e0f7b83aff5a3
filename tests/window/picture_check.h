// Compares a picture of the window with the reference in tests/window/pictures, region by region.
//
// The reference is small: a PNG with one pixel per region of kRegion × kRegion pixels, which holds
// the region's mean colour, and its contrast as alpha. Letters differ slightly between drivers, so
// regions may, too; but a missing panel, bar, colour or line of text must be found.
#pragma once

#include <string>
#include <vector>

#include "imgui.h"
#include "window/png_file.h"

namespace warpshop::ui {

inline constexpr int kRegion = 20;  // pixels

struct Part {
  ImVec2 min, max;  // pixels in the window
};

// `left_out`: parts of the window that are different each time, such as the times of the stages.
// Their regions have alpha 0.
Picture regions_of(const Picture& picture, const std::vector<Part>& left_out = {});

// Rounds the regions as in the references: to steps of 4, which compress to two thirds.
Picture rounded(const Picture& regions);

// The places that differ, such as "80,40 to 200,60: 5 of 6 regions"; empty if there are none.
// Regions left out of either picture do not count. `now` comes from regions_of, `kept` from
// rounded.
std::vector<std::string> differences(const Picture& now, const Picture& kept);

// Stacks pictures of the same size, one below the other; of_stack gives the nth of `count`.
Picture stacked(const std::vector<Picture>& pictures);
Picture of_stack(const Picture& stack, size_t n, size_t count);

// Enlarges regions to the size of their window, to be looked at.
Picture enlarged(const Picture& regions);

}  // namespace warpshop::ui
