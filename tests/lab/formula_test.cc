#include "lab/formula.h"

#include <gtest/gtest.h>

namespace warpshop::lab {
namespace {

using FormulaKind = FormulaNode::Kind;
using FormulaRole = FormulaNode::Role;

// The tree on one line, showing its nodes and how they nest.
std::string shape(const FormulaNode& node) {
  const auto child = [&](size_t n) { return shape(node.children[n]); };
  switch (node.kind) {
    case FormulaKind::kRow: {
      std::string out;
      for (const FormulaNode& part : node.children) out += (out.empty() ? "" : " ") + shape(part);
      return out;
    }
    case FormulaKind::kLetter:
      return node.text;
    case FormulaKind::kNumber:
      return "#" + node.text;
    case FormulaKind::kName:
      return "name:" + node.text;
    case FormulaKind::kText:
      return "\"" + node.text + "\"";
    case FormulaKind::kSign:
      return node.text;
    case FormulaKind::kSpace:
      return "space";
    case FormulaKind::kFraction:
      return "(" + child(0) + " over " + child(1) + ")";
    case FormulaKind::kRoot:
      return "root(" + child(0) + ")";
    case FormulaKind::kScripts:
      return "(" + child(0) + " sub[" + child(1) + "] sup[" + child(2) + "])";
    case FormulaKind::kFence:
      return "fence" + node.text + child(0) + node.close;
  }
  return "?";
}

TEST(Formula, IsReadAsATree) {
  const struct {
    const char* tex;
    const char* expected;
  } cases[] = {
      {"a+b", "a + b"},
      {"2 n^3", "#2 (n sub[] sup[#3])"},
      {"2^10", "(#2 sub[] sup[#1]) #0"},  // as in TeX: a single digit without braces
      {"2^{10}", "(#2 sub[] sup[#10])"},
      {"x_i^2", "(x sub[i] sup[#2])"},
      {"x^2_i", "(x sub[i] sup[#2])"},
      {"x_{i+1}", "(x sub[i + #1] sup[])"},
      {"\\frac{\\text{bytes}}{t}", "(\"bytes\" over t)"},
      {"\\frac12", "(#1 over #2)"},
      {"\\frac{a}{\\frac bc}", "(a over (b over c))"},
      {"1,024 \\times 0.25", "#1,024 × #0.25"},
      {"f(1, 2)", "f ( #1 , #2 )"},
      {"n.", "n ."},
      {"\\sqrt{2n}", "root(#2 n)"},
      {"\\sqrt 2", "root(#2)"},
      {"\\sum_{i=0}^{31} a_i", "(∑ sub[i = #0] sup[#31]) (a sub[i] sup[])"},
      {"\\lceil n / 32 \\rceil", "⌈ n / #32 ⌉"},
      {"\\lfloor x \\rfloor", "⌊ x ⌋"},
      {"\\left( \\frac{a}{4} \\right) \\bmod 32", "fence((a over #4)) name:mod #32"},
      {"\\left. a \\right|", "fencea|"},
      {"a \\cdot b \\div c - d", "a · b ÷ c − d"},
      {"a \\le b \\ge c \\ne d \\approx e \\to \\infty", "a ≤ b ≥ c ≠ d ≈ e → ∞"},
      {"\\alpha \\Delta \\mathrm{GB}", "α name:Δ name:GB"},
      {"a\\,b\\quad c", "a space b space c"},
      {"\\text{for each 100\\%, $x}", "\"for each 100%, $x\""},
      {"\\text{Bytes je Maß}", "\"Bytes je Maß\""},
      {"50\\%", "#50 %"},
      {"{a + b}^2", "(a + b sub[] sup[#2])"},
      {"\\max_i x", "(name:max sub[i] sup[]) x"},
      {"a\n  + b", "a + b"},
  };
  for (const auto& c : cases) {
    const Formula formula = parse_formula(c.tex);
    EXPECT_TRUE(formula.ok()) << c.tex << ": " << (formula.ok() ? "" : formula.problems[0].what);
    EXPECT_EQ(shape(formula.root), c.expected) << c.tex;
  }
}

TEST(Formula, WhatIsNotUnderstoodHasItsPlace) {
  const struct {
    const char* tex;
    size_t at, length;
    const char* what;
  } cases[] = {
      {"a + \\foo b", 4, 4, "the command '\\foo' is not supported in formulas"},
      {"a & b", 2, 1, "the sign '&' is not supported in formulas"},
      {"n²", 1, 2, "the sign '²' is not supported in formulas"},
      {"a * b", 2, 1, "the sign '*' is not supported in formulas"},
      {"{a", 0, 1, "unclosed '{'"},
      {"a}", 1, 1, "unmatched '}'"},
      {"\\frac{a}", 0, 5, "'\\frac' needs an argument"},
      {"x^", 1, 1, "'^' needs an argument"},
      {"^2", 0, 1, "there is nothing before '^'"},
      {"x^2^3", 3, 1, "a second '^' on the same base: use braces"},
      {"\\left( a", 0, 5, "\\left has no \\right"},
      {"a \\right)", 2, 6, "\\right has no \\left"},
      {"\\left x", 0, 5, "'\\left' must be followed by a bracket"},
      {"\\text a", 0, 5, "'\\text' needs its text in braces"},
      {"\\text{a", 5, 1, "unclosed '{'"},
      {"", 0, 1, "the formula is empty"},
      {"a \\", 2, 1, "the command '\\' is not supported in formulas"},
  };
  for (const auto& c : cases) {
    const Formula formula = parse_formula(c.tex);
    ASSERT_FALSE(formula.ok()) << c.tex;
    EXPECT_EQ(formula.problems[0].at, c.at) << c.tex;
    EXPECT_EQ(formula.problems[0].length, c.length) << c.tex;
    EXPECT_EQ(formula.problems[0].what, c.what) << c.tex;
  }
  // Every problem is reported, and whatever was understood is kept.
  const Formula two = parse_formula("a \\foo + \\bar b");
  EXPECT_EQ(two.problems.size(), 2u);
  EXPECT_EQ(shape(two.root), "a + b");
  EXPECT_FALSE(parse_formula(std::string(5000, '{')).ok());
  EXPECT_FALSE(parse_formula("\\frac\\frac\\frac\\frac").ok());
}

// TeXbook, chapter 18: thick spaces around relations, medium ones around binary operators, thin
// ones after commas, and none after a unary sign.
TEST(Formula, SpacesFollowWhatThePartsAre) {
  const auto space = [](const char* tex, size_t after, bool in_script = false) {
    const Formula formula = parse_formula(tex);
    return 18 * space_between_em(formula.root.children[after], formula.root.children[after + 1],
                                 in_script);
  };
  EXPECT_FLOAT_EQ(space("a = b", 0), 5);
  EXPECT_FLOAT_EQ(space("a + b", 0), 4);
  EXPECT_FLOAT_EQ(space("a + b", 1), 4);
  EXPECT_FLOAT_EQ(space("a + b", 1, true), 0);
  EXPECT_FLOAT_EQ(space("-b", 0), 0);
  EXPECT_FLOAT_EQ(space("a = -b", 1), 5);
  EXPECT_FLOAT_EQ(space("a = -b", 2), 0);
  EXPECT_FLOAT_EQ(space("(-b)", 1), 0);
  EXPECT_FLOAT_EQ(space("f(a, b)", 3), 3);
  EXPECT_FLOAT_EQ(space("f(a, b)", 0), 0);
  EXPECT_FLOAT_EQ(space("2 n", 0), 0);
  EXPECT_FLOAT_EQ(space("\\sum_i a", 0), 3);
  EXPECT_FLOAT_EQ(space("n \\log n", 0), 3);
  EXPECT_FLOAT_EQ(space("\\log(n)", 0), 0);
  EXPECT_FLOAT_EQ(space("a \\, b", 0), 0);  // the space is a node of its own
}

}  // namespace
}  // namespace warpshop::lab
