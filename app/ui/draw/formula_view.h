// Formulas drawn beside the text around them.
#pragma once

#include "draw/draw.h"
#include "text/formula_layout.h"

namespace warpshop::ui {

// Boxes in unscaled pixels, as sizes of the design are; px() makes them the screen's.
FormulaBox formula_in_line(const FormulaNode& formula, float em, bool strong);
std::vector<FormulaBox> formula_of_its_own(const FormulaNode& formula, float em, float width);

// `base_line` is where text beside it stands.
void draw_formula(ImDrawList* list, float x, float base_line, const FormulaBox& box, ImU32 color,
                  bool strong);

// From the top of a face's line to its base line, in pixels of the screen.
float base_line_of(const Face& face, float em);

}  // namespace warpshop::ui
