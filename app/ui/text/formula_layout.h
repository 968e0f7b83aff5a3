// Lays out a formula: positions of glyphs, lines and bars relative to a baseline. Draws nothing and
// knows no font: the caller measures text. Lengths are in the caller's unit, in which `em` is also
// given; y grows downwards from the baseline. Proportions after TeXbook, appendix G, for fonts
// without a mathematics table; measures of Roboto's glyphs.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/formula.h"

namespace warpshop::ui {

enum class FormulaFace { kUpright, kItalic };

using FormulaWidth = std::function<float(FormulaFace, float em, std::string_view)>;

struct FormulaGlyphs {
  float x = 0, y = 0;  // the left end of their baseline
  float em = 0;
  FormulaFace face = FormulaFace::kUpright;
  std::string text;
};
struct FormulaBar {  // filled
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};
struct FormulaLine {  // a stroke through the points
  struct Point {
    float x = 0, y = 0;
  };
  std::vector<Point> points;
  float thickness = 0;
};

struct FormulaBox {
  // Approximately those of the ink; above and below the baseline.
  float width = 0, ascent = 0, descent = 0;
  std::vector<FormulaGlyphs> glyphs;
  std::vector<FormulaBar> bars;
  std::vector<FormulaLine> lines;
};

// Within a line of text, fractions are small and the limits of sums stand beside them; on a line of
// its own (`display`), fractions are full size and the limits stand above and below.
FormulaBox layout_formula(const lab::FormulaNode& formula, float em, bool display,
                          const FormulaWidth& width_of);

// Lays out a displayed formula in as many lines as `width` requires: breaks it before relations or
// operators, or reduces its size, down to half.
std::vector<FormulaBox> layout_displayed(const lab::FormulaNode& formula, float em, float width,
                                         const FormulaWidth& width_of);

// True for signs that are drawn with lines because not every font has them: floor and ceiling
// brackets, the arrow, roots.
bool is_drawn_sign(std::string_view sign);

}  // namespace warpshop::ui
