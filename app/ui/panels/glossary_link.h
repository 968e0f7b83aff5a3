// A technical term that explains itself when clicked.
#pragma once

#include <string_view>

#include "app/commands.h"
#include "imgui.h"

namespace warpshop::ui {

// Makes a click between the two corners open the glossary at `word`, the entry's English name. The
// words there are underlined on hover.
void glossary_area(ImVec2 min, ImVec2 max, std::string_view word, CommandQueue& queue);

}  // namespace warpshop::ui
