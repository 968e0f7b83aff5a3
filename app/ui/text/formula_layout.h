// Where the parts of a formula stand: glyphs, lines and bars around a base line. Draws nothing and
// knows no face; what a text is wide comes from the caller. Lengths are in the caller's unit, in
// which `em` is given, too; y grows downwards from the base line. Proportions after TeXbook,
// appendix G, for faces without a table of mathematics; measures of Roboto's glyphs.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formula.h"

namespace warpshop::ui {

enum class FormulaFace { kUpright, kItalic };

using FormulaWidth = std::function<float(FormulaFace, float em, std::string_view)>;

struct FormulaGlyphs {
  float x = 0, y = 0;  // the left end of their base line
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
  float width = 0, ascent = 0, descent = 0;  // of the ink, about; above and below the base line
  std::vector<FormulaGlyphs> glyphs;
  std::vector<FormulaBar> bars;
  std::vector<FormulaLine> lines;
};

// In a line of text fractions are small and scripts of sums stand beside them; in a line of its own
// (`display`) they are not.
FormulaBox layout_formula(const FormulaNode& formula, float em, bool display,
                          const FormulaWidth& width_of);

// The same in as many lines as `width` asks for: it is broken before relations or operators, or set
// smaller, down to a half.
std::vector<FormulaBox> layout_displayed(const FormulaNode& formula, float em, float width,
                                         const FormulaWidth& width_of);

// Signs that are drawn with lines, since not every face has them: brackets of rounding, the arrow,
// roots.
bool is_drawn_sign(std::string_view sign);

}  // namespace warpshop::ui
