#include "text/formula_layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpshop::ui {
namespace {

using Kind = lab::FormulaNode::Kind;
using Role = lab::FormulaNode::Role;

// Measures of Roboto in em, from the tables `glyf` and `hhea` of Roboto-Regular.ttf.
constexpr float kAxis = 0.355f;  // the middle of the minus sign
constexpr float kXHeight = 0.528f;
constexpr float kCapital = 0.72f;
constexpr float kAscender = 0.76f;
constexpr float kDescender = 0.21f;
constexpr float kBracketTop = 0.8f, kBracketBottom = 0.2f;
constexpr float kLargeBottom = 0.131f;  // of the sum sign

constexpr float kRule = 0.062f;   // thickness of bars and strokes
constexpr float kScript = 0.72f;  // a script's em ÷ its base's
constexpr float kLeastEm = 0.5f;  // × the formula's em, for scripts of scripts
constexpr float kInlineFraction = 0.78f;

struct Style {
  float em = 0;
  bool display = false;
  bool script = false;
};

struct Ink {
  float ascent = 0, descent = 0;  // em
};

Ink ink_of(std::string_view text) {
  Ink ink;
  const auto at_least = [&](float ascent, float descent) {
    ink.ascent = std::max(ink.ascent, ascent);
    ink.descent = std::max(ink.descent, descent);
  };
  for (size_t n = 0; n < text.size(); ++n) {
    const auto c = static_cast<unsigned char>(text[n]);
    const std::string_view one(text.data() + n, 1);
    if ((c & 0xC0) == 0x80 || c == ' ') continue;
    if (c >= 0x80) {
      at_least(kAscender, kDescender);
    } else if (std::string_view("gpqy").find(one) != std::string_view::npos) {
      at_least(kXHeight, kDescender);
    } else if (std::string_view("aceimnorsuvwxz").find(one) != std::string_view::npos) {
      at_least(c == 'i' ? kCapital : kXHeight, 0.01f);
    } else if (std::string_view("()[]{}|").find(one) != std::string_view::npos) {
      at_least(kBracketTop, kBracketBottom);
    } else if (std::string_view(",;").find(one) != std::string_view::npos) {
      at_least(0.11f, 0.14f);
    } else if (std::string_view("+<>=").find(one) != std::string_view::npos) {
      at_least(0.59f, 0);
    } else if (c == 'j') {
      at_least(kCapital, kDescender);
    } else {
      at_least(
          std::string_view("bdfhkl").find(one) != std::string_view::npos ? kAscender : kCapital,
          0.01f);
    }
  }
  return ink;
}

class FormulaLayout {
 public:
  FormulaLayout(float em, const FormulaWidth& width_of) : em_(em), width_of_(width_of) {}

  FormulaBox box(const lab::FormulaNode& node, const Style& style) {
    switch (node.kind) {
      case Kind::kRow:
        return row(node.children.data(), node.children.size(), style);
      case Kind::kLetter:
        return glyphs(FormulaFace::kItalic, style, node.text);
      case Kind::kNumber:
      case Kind::kName:
      case Kind::kText:
        return glyphs(FormulaFace::kUpright, style, node.text);
      case Kind::kSign:
        return sign(node, style);
      case Kind::kSpace: {
        FormulaBox out;
        out.width = node.width_em * style.em;
        return out;
      }
      case Kind::kFraction:
        return fraction(node, style);
      case Kind::kRoot:
        return root(node, style);
      case Kind::kScripts:
        return scripts(node, style);
      case Kind::kFence:
        return fence(node, style);
    }
    return {};
  }

  FormulaBox row(const lab::FormulaNode* children, size_t count, const Style& style) {
    FormulaBox out;
    for (size_t n = 0; n < count; ++n) {
      if (n > 0)
        out.width += space_between_em(children[n - 1], children[n], style.script) * style.em;
      put(out, box(children[n], style), out.width, 0);
    }
    return out;
  }

 private:
  // Adds `part`, moved by (x, y), to `out`, and extends the bounds of `out`.
  static void put(FormulaBox& out, FormulaBox part, float x, float y) {
    for (FormulaGlyphs& each : part.glyphs) {
      each.x += x;
      each.y += y;
      out.glyphs.push_back(std::move(each));
    }
    for (FormulaBar each : part.bars)
      out.bars.push_back({each.x0 + x, each.y0 + y, each.x1 + x, each.y1 + y});
    for (FormulaLine& each : part.lines) {
      for (FormulaLine::Point& point : each.points) point = {point.x + x, point.y + y};
      out.lines.push_back(std::move(each));
    }
    out.width = std::max(out.width, x + part.width);
    out.ascent = std::max(out.ascent, part.ascent - y);
    out.descent = std::max(out.descent, part.descent + y);
  }

  FormulaBox glyphs(FormulaFace face, const Style& style, const std::string& text) const {
    FormulaBox out;
    if (text.empty()) return out;
    const Ink ink = ink_of(text);
    out.width = width_of_(face, style.em, text);
    out.ascent = ink.ascent * style.em;
    out.descent = ink.descent * style.em;
    out.glyphs.push_back({0, 0, style.em, face, text});
    return out;
  }

  Style smaller(const Style& style, float factor) const {
    return {std::max(style.em * factor, em_ * kLeastEm), false, true};
  }

  FormulaBox sign(const lab::FormulaNode& node, const Style& style) {
    if (node.text == "→") return arrow(style.em);
    if (is_drawn_sign(node.text))
      return bracket(node.text, kBracketTop * style.em, kBracketBottom * style.em, style.em);
    if (node.role != Role::kLarge) return glyphs(FormulaFace::kUpright, style, node.text);
    Style large = style;
    large.em *= style.display ? 1.6f : 1.15f;
    FormulaBox glyph = glyphs(FormulaFace::kUpright, large, node.text);
    // Centred on the axis.
    const float half = (kCapital + kLargeBottom) / 2 * large.em;
    const float down = (half - kLargeBottom * large.em) - kAxis * style.em;
    FormulaBox out;
    glyph.ascent = kCapital * large.em;
    glyph.descent = kLargeBottom * large.em;
    put(out, std::move(glyph), 0, down);
    return out;
  }

  static FormulaBox arrow(float em) {
    FormulaBox out;
    const float y = -kAxis * em, left = 0.06f * em, tip = 0.9f * em, wing = 0.17f * em,
                thick = 0.07f * em;
    out.width = 0.96f * em;
    out.ascent = kAxis * em + wing;
    out.lines.push_back({{{left, y}, {tip, y}}, thick});
    out.lines.push_back({{{tip - wing, y - wing}, {tip, y}, {tip - wing, y + wing}}, thick});
    return out;
  }

  // A bracket that extends from `ascent` to `descent`.
  static FormulaBox bracket(const std::string& text, float ascent, float descent, float em) {
    FormulaBox out;
    out.ascent = ascent;
    out.descent = descent;
    const float thick = kRule * em * 1.25f, half = thick / 2, top = -ascent + half,
                bottom = descent - half;
    const bool turned = text == ")" || text == "]" || text == "}" || text == "⌉" || text == "⌋";
    FormulaLine line;
    line.thickness = thick;
    if (text == "(" || text == ")") {
      const float depth = (0.17f + 0.02f * (ascent + descent) / em) * em;
      out.width = depth + 0.14f * em;
      for (int n = 0; n <= 16; ++n) {
        const float t = static_cast<float>(n) / 8 - 1;  // −1 at the top, 1 at the bottom
        line.points.push_back(
            {0.08f * em + depth * t * t, (top + bottom) / 2 + t * (bottom - top) / 2});
      }
    } else if (text == "{" || text == "}") {
      out.width = 0.38f * em;
      const float mid = (top + bottom) / 2, stem = 0.19f * em, reach = 0.11f * em,
                  turn = std::min(0.2f * em, (bottom - top) / 4);
      for (int n = 0; n <= 6; ++n) {
        const float t = static_cast<float>(n) / 6, bend = (1 - t) * (1 - t);
        line.points.push_back({stem + reach * bend, top + turn * t * t});
      }
      for (int n = 0; n <= 6; ++n) {
        const float t = static_cast<float>(n) / 6;
        line.points.push_back({stem - reach * t * t, mid - turn + turn * (2 * t - t * t)});
      }
      const size_t upper = line.points.size();
      for (size_t n = upper - 1; n-- > 0;)
        line.points.push_back({line.points[n].x, 2 * mid - line.points[n].y});
    } else if (text == "|") {
      out.width = 0.24f * em;
      line.points = {{0.12f * em, top}, {0.12f * em, bottom}};
    } else {
      const float stem = 0.1f * em, foot = 0.28f * em;
      out.width = 0.31f * em;
      const bool has_top = text == "[" || text == "]" || text == "⌈" || text == "⌉";
      const bool has_bottom = text == "[" || text == "]" || text == "⌊" || text == "⌋";
      if (has_top) line.points.push_back({foot, top});
      line.points.push_back({stem, has_top ? top : -ascent});
      line.points.push_back({stem, has_bottom ? bottom : descent});
      if (has_bottom) line.points.push_back({foot, bottom});
    }
    if (turned) {
      for (FormulaLine::Point& point : line.points) point.x = out.width - point.x;
    }
    out.lines.push_back(std::move(line));
    return out;
  }

  FormulaBox fraction(const lab::FormulaNode& node, const Style& style) {
    const Style inner =
        style.display ? Style{style.em, false, false} : smaller(style, kInlineFraction);
    FormulaBox above = box(node.children[0], inner), below = box(node.children[1], inner);
    const float thick = kRule * style.em, gap = (style.display ? 0.2f : 0.12f) * style.em;
    const float side = 0.1f * style.em, pad = 0.07f * style.em;
    const float width = std::max(above.width, below.width) + 2 * pad;
    const float axis = kAxis * style.em;
    FormulaBox out;
    // Words without descenders or ascenders do not move closer, so that the words of neighbouring
    // fractions are aligned.
    const float least_up = (style.display ? 0.74f : 0.6f) * style.em,
                least_down = (style.display ? 0.64f : 0.39f) * style.em;
    const float up = -std::max(axis + thick / 2 + gap + above.descent, least_up);
    const float down = std::max(-axis + thick / 2 + gap + below.ascent, least_down);
    const float above_x = side + (width - above.width) / 2,
                below_x = side + (width - below.width) / 2;
    put(out, std::move(above), above_x, up);
    put(out, std::move(below), below_x, down);
    out.bars.push_back({side, -axis - thick / 2, side + width, -axis + thick / 2});
    out.width = width + 2 * side;
    return out;
  }

  FormulaBox root(const lab::FormulaNode& node, const Style& style) {
    FormulaBox inner = box(node.children[0], style);
    const float em = style.em, thick = kRule * em, gap = 0.12f * em;
    const float top = -(std::max(inner.ascent, kXHeight * em) + gap + thick / 2);
    const float bottom = std::max(inner.descent, 0.05f * em);
    const float sign = 0.6f * em, x = sign + 0.05f * em;
    FormulaBox out;
    const float end = x + inner.width + 0.06f * em;
    const float knee = bottom + (top - bottom) * 0.45f;
    out.lines.push_back({{{0.05f * em, knee + 0.05f * em},
                          {0.16f * em, knee},
                          {0.34f * em, bottom},
                          {sign, top},
                          {end, top}},
                         thick});
    put(out, std::move(inner), x, 0);
    out.ascent = std::max(out.ascent, -top + thick / 2);
    out.descent = std::max(out.descent, bottom);
    out.width = end + 0.06f * em;
    return out;
  }

  FormulaBox scripts(const lab::FormulaNode& node, const Style& style) {
    const lab::FormulaNode &base_node = node.children[0], &sub_node = node.children[1],
                           &sup_node = node.children[2];
    FormulaBox base = box(base_node, style);
    const Style inner = smaller(style, kScript);
    FormulaBox sub = box(sub_node, inner), sup = box(sup_node, inner);
    const bool has_sub = !is_empty(sub_node), has_sup = !is_empty(sup_node);
    FormulaBox out;
    if (style.display && node.limits) {
      const float gap = 0.14f * style.em,
                  width = std::max({base.width, sub.width, sup.width}) + 0.12f * style.em;
      const float up = -(base.ascent + gap + sup.descent), down = base.descent + gap + sub.ascent;
      const float base_x = (width - base.width) / 2, sub_x = (width - sub.width) / 2,
                  sup_x = (width - sup.width) / 2;
      put(out, std::move(base), base_x, 0);
      if (has_sup) put(out, std::move(sup), sup_x, up);
      if (has_sub) put(out, std::move(sub), sub_x, down);
      out.width = width;
      return out;
    }
    const float em = style.em;
    float up = std::max({0.36f * em, base.ascent - 0.38f * em, sup.descent + 0.14f * em});
    float down = std::max(
        {(has_sup ? 0.24f : 0.16f) * em, base.descent - 0.02f * em, sub.ascent - 0.42f * em});
    if (has_sub && has_sup) down = std::max(down, sup.descent - up + 0.14f * em + sub.ascent);
    // Italics lean towards what follows.
    const float italic = base_node.kind == Kind::kLetter ? 0.04f * em : 0.02f * em;
    const float x = base.width;
    put(out, std::move(base), 0, 0);
    if (has_sup) put(out, std::move(sup), x + italic, -up);
    if (has_sub) put(out, std::move(sub), x + 0.01f * em, down);
    out.width += 0.05f * em;
    return out;
  }

  FormulaBox fence(const lab::FormulaNode& node, const Style& style) {
    FormulaBox inner = box(node.children[0], style);
    const float em = style.em, axis = kAxis * em;
    // Symmetric about the axis.
    const float half = std::max(
        {inner.ascent - axis, inner.descent + axis, (kBracketTop + kBracketBottom) / 2 * em});
    const float ascent = axis + half + 0.02f * em, descent = half - axis + 0.02f * em;
    FormulaBox out;
    if (!node.text.empty()) put(out, bracket(node.text, ascent, descent, em), 0, 0);
    put(out, std::move(inner), out.width, 0);
    if (!node.close.empty()) put(out, bracket(node.close, ascent, descent, em), out.width, 0);
    return out;
  }

  float em_;
  const FormulaWidth& width_of_;
};

// Puts as much as fits in `width` on each line; breaks before relations, and also before operators
// if `at_operators`.
std::vector<FormulaBox> broken(const lab::FormulaNode& formula, float em, float width,
                               bool at_operators, const FormulaWidth& width_of) {
  FormulaLayout layout(em, width_of);
  const Style style{em, true, false};
  if (formula.kind != Kind::kRow) return {layout.box(formula, style)};
  const std::vector<lab::FormulaNode>& parts = formula.children;
  const auto next_break = [&](size_t from) {
    size_t at = from + 1;
    while (at < parts.size() && parts[at].role != Role::kRelation &&
           !(at_operators && parts[at].role == Role::kOperator))
      ++at;
    return std::min(at, parts.size());
  };
  std::vector<FormulaBox> lines;
  for (size_t first = 0; first < parts.size();) {
    size_t last = next_break(first);
    FormulaBox line = layout.row(parts.data() + first, last - first, style);
    while (last < parts.size()) {
      const size_t further = next_break(last);
      FormulaBox longer = layout.row(parts.data() + first, further - first, style);
      if (longer.width > width) break;
      line = std::move(longer);
      last = further;
    }
    lines.push_back(std::move(line));
    first = last;
  }
  return lines;
}

}  // namespace

bool is_drawn_sign(std::string_view sign) {
  return sign == "⌈" || sign == "⌉" || sign == "⌊" || sign == "⌋" || sign == "→";
}

FormulaBox layout_formula(const lab::FormulaNode& formula, float em, bool display,
                          const FormulaWidth& width_of) {
  return FormulaLayout(em, width_of).box(formula, {em, display, false});
}

std::vector<FormulaBox> layout_displayed(const lab::FormulaNode& formula, float em, float width,
                                         const FormulaWidth& width_of) {
  // Slightly smaller is more readable than broken, and broken is more readable than much smaller.
  for (const float factor : {1.0f, 0.9f}) {
    FormulaBox whole = layout_formula(formula, em * factor, true, width_of);
    if (whole.width <= width) return {std::move(whole)};
  }
  constexpr std::pair<float, bool> kTries[] = {{1.0f, false}, {0.9f, false}, {1.0f, true},
                                               {0.9f, true},  {0.8f, true},  {0.7f, true},
                                               {0.6f, true},  {0.5f, true}};
  std::vector<FormulaBox> lines;
  for (const auto& [factor, at_operators] : kTries) {
    lines = broken(formula, em * factor, width, at_operators, width_of);
    if (std::all_of(lines.begin(), lines.end(),
                    [width](const FormulaBox& line) { return line.width <= width; }))
      break;
  }
  return lines;
}

}  // namespace warpshop::ui
