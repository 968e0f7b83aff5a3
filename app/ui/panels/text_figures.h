// Draws figures in a lab's text the way the panels do; see maps/text_figure.h.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "maps/text_figure.h"
#include "text/markdown.h"

namespace warpshop::ui {

// Keyed by the words after the code fence, so that each figure is computed once.
using TextFigures = std::map<std::string, std::optional<TextFigure>>;

// Returns false if the block is not such a figure: code, or a drawing in characters.
bool draw_text_figure(const Block& block, TextFigures& known);

}  // namespace warpshop::ui
