// Starts this program again, with a window of its own.
#pragma once

#include <string>
#include <vector>

namespace warpshop::ui {

// Returns at once. False if that is impossible, as in a browser. The other window stays when this
// one is closed.
bool open_another_window(const std::vector<std::string>& arguments);

}  // namespace warpshop::ui
