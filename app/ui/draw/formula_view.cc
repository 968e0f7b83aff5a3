#include "draw/formula_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "imgui_internal.h"

namespace warpshop::ui {
namespace {

const Face& face_of(FormulaFace face, bool strong) {
  const Fonts& f = *look().fonts;
  if (face == FormulaFace::kItalic) return strong ? f.bold_italic : f.italic;
  return strong ? f.bold : f.regular;
}

FormulaWidth widths(bool strong) {
  return [strong](FormulaFace face, float em, std::string_view text) {
    return text_size(face_of(face, strong), em, text).x / look().scale;
  };
}

// Draws a piece of a formula. Records a sum sign by its ink, since its limits reach into
// its line height.
void draw_glyphs(ImDrawList* list, ImVec2 at, const Face& face, float em, ImU32 color,
                 std::string_view text) {
  unsigned sign = 0;
  ImTextCharFromUtf8(&sign, text.data(), text.data() + text.size());
  if (text != "∑") {
    draw_text(list, at, face, em, color, text);
    return;
  }
  list->AddText(face.font, line_height(face, em), {std::round(at.x), std::round(at.y)}, color,
                text.data(), text.data() + text.size());
  const ImFontGlyph& glyph =
      *face.font->GetFontBaked(line_height(face, em))->FindGlyph(static_cast<ImWchar>(sign));
  note_text({at.x + glyph.X0, at.y + glyph.Y0}, {at.x + glyph.X1, at.y + glyph.Y1}, text,
            list->GetClipRectMin(), list->GetClipRectMax());
}

}  // namespace

FormulaBox formula_in_line(const lab::FormulaNode& formula, float em, bool strong) {
  return layout_formula(formula, em, false, widths(strong));
}

std::vector<FormulaBox> formula_of_its_own(const lab::FormulaNode& formula, float em, float width) {
  return layout_displayed(formula, em, width, widths(false));
}

float base_line_of(const Face& face, float em) {
  return face.font->GetFontBaked(line_height(face, em))->Ascent;
}

void draw_formula(ImDrawList* list, float x, float base_line, const FormulaBox& box, ImU32 color,
                  bool strong) {
  base_line = std::round(base_line);
  for (const FormulaGlyphs& each : box.glyphs) {
    const Face& face = face_of(each.face, strong);
    draw_glyphs(list, {x + px(each.x), base_line + px(each.y) - base_line_of(face, each.em)}, face,
                each.em, color, each.text);
  }
  for (const FormulaBar& bar : box.bars) {  // aligned to whole pixels, at least one high
    const float height = std::max(1.0f, std::round(px(bar.y1 - bar.y0)));
    const float top = std::round(base_line + px((bar.y0 + bar.y1) / 2) - height / 2);
    list->AddRectFilled({std::round(x + px(bar.x0)), top},
                        {std::round(x + px(bar.x1)), top + height}, color);
  }
  for (const FormulaLine& line : box.lines) {
    for (const FormulaLine::Point& point : line.points)
      list->PathLineTo({x + px(point.x), base_line + px(point.y)});
    list->PathStroke(color, std::max(1.0f, px(line.thickness)));
  }
}

}  // namespace warpshop::ui
