// Draws formulas inline and as displays.
#pragma once

#include "draw/draw.h"
#include "text/formula_layout.h"

namespace warpshop::ui {

// Box coordinates are unscaled design pixels; px() converts them to screen pixels.
FormulaBox formula_in_line(const lab::FormulaNode& formula, float em, bool strong);
std::vector<FormulaBox> formula_of_its_own(const lab::FormulaNode& formula, float em, float width);

// `base_line`: y of the surrounding text's baseline.
void draw_formula(ImDrawList* list, float x, float base_line, const FormulaBox& box, ImU32 color,
                  bool strong);

// Distance from the top of a line in this face to its baseline, in screen pixels.
float base_line_of(const Face& face, float em);

}  // namespace warpshop::ui
