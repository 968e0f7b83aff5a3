#include "window/another_window.h"

namespace warpshop::ui {

bool open_another_window(const std::vector<std::string>&) { return false; }

}  // namespace warpshop::ui
