// Which line of a text that ran each line of the text in the editor comes from, so that what is
// known of a line moves with it while the student edits. No drawing.
#pragma once

#include <string_view>
#include <vector>

namespace warpshop::ui {

// By line of `now`, from 0: the line of `then` it comes from, counted from 1; 0: it is new. A line
// that was changed is the one that it resembles most, at least by half; the order of the lines is
// kept.
std::vector<int> line_origins(std::string_view then, std::string_view now);

}  // namespace warpshop::ui
