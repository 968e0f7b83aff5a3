// A picture of the window beside the one that is kept in tests/window/pictures, region by region.
//
// What is kept is small: a PAM file (netpbm.sourceforge.net/doc/pam.html) with a pixel for each region of kRegion × kRegion
// pixels, with the region's mean colour, and its contrast as the alpha. Another driver's letters are a little different, so a region may be, too; a panel, a bar, a colour
// or a line of text that has gone may not.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "imgui.h"
#include "window/png_file.h"

namespace warpshop::ui {

inline constexpr int kRegion = 20;  // pixels

Picture regions_of(const Picture& picture);

// What differs, each place once, "80,40 to 200,60: 5 of 6 regions"; empty: nothing. `left_out`: parts of the window that
// are never twice the same, as the times of the stages. `now` and `kept` are as regions_of gives them.
struct Part {
  ImVec2 min, max;  // pixels of the window
};
std::vector<std::string> differences(const Picture& now, const Picture& kept, const std::vector<Part>& left_out);

Status write_regions(const Picture& regions, const std::filesystem::path& file);
// Empty (width 0): the file is missing or another kind.
Picture read_regions(const std::filesystem::path& file);

}  // namespace warpshop::ui
