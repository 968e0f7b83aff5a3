#include "text/formula_layout.h"

#include <gtest/gtest.h>

namespace warpshop::ui {
namespace {

// A typeface whose letters are all half an em wide.
float half_an_em(FormulaFace, float em, std::string_view text) {
  float letters = 0;
  for (const char c : text) letters += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
  return letters * em / 2;
}

constexpr float kEm = 20;

FormulaBox in_line(const char* tex) {
  return layout_formula(lab::parse_formula(tex).root, kEm, false, half_an_em);
}
FormulaBox displayed(const char* tex) {
  return layout_formula(lab::parse_formula(tex).root, kEm, true, half_an_em);
}

const FormulaGlyphs& glyphs(const FormulaBox& box, std::string_view text) {
  for (const FormulaGlyphs& each : box.glyphs) {
    if (each.text == text) return each;
  }
  ADD_FAILURE() << text << " is not there";
  static const FormulaGlyphs none;
  return none;
}

TEST(FormulaLayout, LettersAndNumbersStandOnTheBaseLine) {
  const FormulaBox box = in_line("2 n = x");
  ASSERT_EQ(box.glyphs.size(), 4u);
  for (const FormulaGlyphs& each : box.glyphs) {
    EXPECT_EQ(each.y, 0);
    EXPECT_EQ(each.em, kEm);
  }
  EXPECT_EQ(glyphs(box, "n").face, FormulaFace::kItalic);
  EXPECT_EQ(glyphs(box, "2").face, FormulaFace::kUpright);
  // Four half ems, and thick spaces (5/18 em) around the relation.
  EXPECT_NEAR(box.width, kEm * (4 * 0.5f + 2 * 5 / 18.0f), 0.01f);
}

TEST(FormulaLayout, AFractionHasItsBarOnTheAxisAndNothingTouchesIt) {
  for (const bool own_line : {false, true}) {
    const FormulaBox box = own_line ? displayed("\\frac{a}{bcd}") : in_line("\\frac{a}{bcd}");
    ASSERT_EQ(box.bars.size(), 1u);
    const FormulaBar& bar = box.bars[0];
    // The middle of Roboto's minus, 0.355 em above the base line.
    EXPECT_NEAR((bar.y0 + bar.y1) / 2, -0.355f * kEm, 0.01f);
    const FormulaGlyphs &a = glyphs(box, "a"), &b = glyphs(box, "b"), &d = glyphs(box, "d");
    EXPECT_LT(a.y, bar.y0);                 // x-heights have no descender
    EXPECT_GT(b.y - 0.76f * b.em, bar.y1);  // an ascender's top
    EXPECT_LE(bar.x0, b.x);
    EXPECT_GE(bar.x1, d.x + d.em / 2);
    EXPECT_NEAR(a.x + a.em / 4, (bar.x0 + bar.x1) / 2, 0.01f);  // centred
    EXPECT_GE(box.ascent, -a.y + 0.528f * a.em - 0.01f);
    EXPECT_GE(box.descent, b.y);
    EXPECT_EQ(a.em < kEm, !own_line);
  }
}

TEST(FormulaLayout, ScriptsAreSmallerAndDoNotTouch) {
  const FormulaBox box = in_line("x_i^2");
  const FormulaGlyphs &x = glyphs(box, "x"), &i = glyphs(box, "i"), &two = glyphs(box, "2");
  EXPECT_LT(two.y, 0);
  EXPECT_GT(i.y, 0);
  EXPECT_LT(i.em, kEm);
  EXPECT_GE(i.em, kEm / 2);
  EXPECT_GE(two.x, x.x + kEm / 2);
  EXPECT_LT(two.y, i.y - 0.72f * i.em);  // bottom of one above top of the other
  // Scripts of scripts stay legible.
  EXPECT_GE(glyphs(in_line("x^{y^{z^{w}}}"), "w").em, kEm / 2);
}

TEST(FormulaLayout, LimitsStandBesideASumOrBelowAndAboveIt) {
  const FormulaBox beside = in_line("\\sum_{i}^{n} a"), own = displayed("\\sum_{i}^{n} a");
  EXPECT_GE(glyphs(beside, "i").x, glyphs(beside, "∑").x + glyphs(beside, "∑").em / 2);
  const FormulaGlyphs &sum = glyphs(own, "∑"), &i = glyphs(own, "i"), &n = glyphs(own, "n");
  EXPECT_NEAR(i.x + i.em / 4, sum.x + sum.em / 4, 0.01f);
  EXPECT_NEAR(n.x + n.em / 4, sum.x + sum.em / 4, 0.01f);
  EXPECT_GT(i.y - 0.72f * i.em, sum.y + 0.131f * sum.em);
  EXPECT_LT(n.y, sum.y - 0.711f * sum.em);
  EXPECT_GT(own.ascent + own.descent, beside.ascent + beside.descent);
}

TEST(FormulaLayout, BracketsReachAroundWhatTheyHold) {
  const FormulaBox inner = displayed("\\frac{a}{b}"),
                   box = displayed("\\left( \\frac{a}{b} \\right)");
  ASSERT_EQ(box.lines.size(), 2u);
  for (const FormulaLine& line : box.lines) {
    float top = 0, bottom = 0;
    for (const FormulaLine::Point& point : line.points) {
      top = std::min(top, point.y);
      bottom = std::max(bottom, point.y);
    }
    EXPECT_LE(top - line.thickness, -inner.ascent);
    EXPECT_GE(bottom + line.thickness, inner.descent);
  }
  EXPECT_EQ(in_line("\\lceil n \\rceil").lines.size(), 2u);  // drawn: not in any typeface
  EXPECT_EQ(in_line("( n )").lines.size(), 0u);
}

// Everything drawn is inside the box.
TEST(FormulaLayout, NothingReachesOutOfTheBox) {
  for (const char* tex :
       {"\\sqrt{\\frac{a}{b}} + \\sum_{i=0}^{31} x_i^2",
        "\\left\\lceil \\frac{n}{32} \\right\\rceil \\to \\infty", "\\left\\{ a \\right\\}^2",
        "\\sqrt{2n}", "\\frac{\\text{bytes}}{\\text{time}}"}) {
    for (const bool own_line : {false, true}) {
      const FormulaBox box = own_line ? displayed(tex) : in_line(tex);
      EXPECT_GT(box.width, 0);
      for (const FormulaGlyphs& each : box.glyphs) {
        EXPECT_GE(each.x, 0) << tex;
        EXPECT_LE(each.x + half_an_em(each.face, each.em, each.text), box.width + 0.01f) << tex;
        EXPECT_LE(each.y, box.descent + 0.01f) << tex;
        EXPECT_GE(each.y - 0.5f * each.em, -box.ascent) << tex;
      }
      for (const FormulaBar& bar : box.bars) {
        EXPECT_GE(bar.x0, 0);
        EXPECT_LE(bar.x1, box.width);
      }
      for (const FormulaLine& line : box.lines) {
        for (const FormulaLine::Point& point : line.points) {
          EXPECT_GE(point.x, 0) << tex;
          EXPECT_LE(point.x, box.width + 0.01f) << tex;
          EXPECT_GE(point.y, -box.ascent - 0.01f) << tex;
          EXPECT_LE(point.y, box.descent + 0.01f) << tex;
        }
      }
    }
  }
}

TEST(FormulaLayout, NeighbouringFractionsHaveTheirWordsInLine) {
  for (const bool own_line : {false, true}) {
    const char* tex = "\\frac{\\text{bytes}}{\\text{warp}} \\frac{\\text{sums}}{\\text{load}}";
    const FormulaBox box = own_line ? displayed(tex) : in_line(tex);
    EXPECT_FLOAT_EQ(glyphs(box, "warp").y, glyphs(box, "load").y);
    EXPECT_NEAR(glyphs(box, "bytes").y, glyphs(box, "sums").y, 0.08f * kEm);
  }
}

TEST(FormulaLayout, AWideFormulaIsBrokenBeforeRelationsOrSetSmaller) {
  const lab::Formula formula = lab::parse_formula("aaaaaa = bbbbbb = cccccc");
  const auto lines = [&](float width) {
    return layout_displayed(formula.root, kEm, width, half_an_em);
  };
  ASSERT_EQ(lines(1000).size(), 1u);
  const auto two = lines(150);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[1].glyphs[0].text, "=");
  ASSERT_EQ(lines(90).size(), 3u);
  for (const float width : {1000.0f, 250.0f, 150.0f, 90.0f, 60.0f, 45.0f}) {
    size_t letters = 0;
    for (const FormulaBox& line : lines(width)) {
      EXPECT_LE(line.width, width);
      letters += line.glyphs.size();
    }
    EXPECT_EQ(letters, 20u) << "nothing is lost";
  }
  // Break before an operator rather than shrink a lot.
  const auto sum =
      layout_displayed(lab::parse_formula("a = bbbbbb + cccccc").root, kEm, 100, half_an_em);
  ASSERT_EQ(sum.size(), 2u);
  EXPECT_EQ(sum[1].glyphs[0].text, "+");
}

}  // namespace
}  // namespace warpshop::ui
