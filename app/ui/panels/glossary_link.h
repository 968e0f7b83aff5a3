// A word of the field that a click explains.
#pragma once

#include <string_view>

#include "app/commands.h"
#include "imgui.h"

namespace warpshop::ui {

// A click between the two corners opens the glossary at the word, whose entry has that name in
// English. The words there are underlined while the mouse is over them.
void glossary_area(ImVec2 min, ImVec2 max, std::string_view word, CommandQueue& queue);

}  // namespace warpshop::ui
