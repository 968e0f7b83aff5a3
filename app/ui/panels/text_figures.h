// Figures in a lab's text as the panels draw them: maps/text_figure.h.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "maps/text_figure.h"
#include "text/markdown.h"

namespace warpshop::ui {

// By the words behind their fence, so that each is worked out once.
using TextFigures = std::map<std::string, std::optional<TextFigure>>;

// False: it is code, or letters.
bool draw_text_figure(const Block& block, TextFigures& known);

}  // namespace warpshop::ui
