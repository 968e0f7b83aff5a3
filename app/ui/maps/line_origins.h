// Maps each line of the editor's text to the line of the text that ran from which it comes, so that
// a line's figures move with it while the student edits. No drawing.
#pragma once

#include <string_view>
#include <vector>

namespace warpshop::ui {

// By line of `now`, from 0: the line of `then` from which it comes, from 1; 0: new. A changed line
// maps to the line that it resembles most, if at least by half. The order of lines is kept.
std::vector<int> line_origins(std::string_view then, std::string_view now);

}  // namespace warpshop::ui
