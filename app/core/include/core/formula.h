// Formulas of the labs' texts: a small part of TeX read into a tree, which the window lays out and reports write as MathML.
// docs/writing-a-lab.md, "Formulas", lists what is known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpshop {

struct FormulaNode {
  enum class Kind {
    kRow,       // children beside each other
    kLetter,    // italic: a variable
    kNumber,    // with its marks of thousands and decimals
    kName,      // upright: \mathrm, \log, Greek capitals
    kText,      // upright, with its spaces: \text
    kSign,      // operator, relation, bracket
    kSpace,     // of `width_em`
    kFraction,  // children: above, below
    kRoot,      // child
    kScripts,   // children: base, subscript, superscript; an empty row where there is none
    kFence,     // \left( … \right): brackets `text` and `close` as high as the child; "" for "."
  };
  // What decides the space around it: TeX's classes of atoms (TeXbook, chapter 18).
  enum class Role { kOrdinary, kOperator, kRelation, kPunctuation, kOpen, kClose, kLarge, kFunction };

  Kind kind = Kind::kRow;
  std::string text;   // UTF-8
  std::string close;
  Role role = Role::kOrdinary;
  bool limits = false;  // scripts stand below and above it where there is room
  float width_em = 0;
  std::vector<FormulaNode> children;
};

// A mistake and the bytes of the formula that it is about.
struct FormulaProblem {
  size_t at = 0;
  size_t length = 0;
  std::string what;
};

struct Formula {
  FormulaNode root;  // a row; without what was not understood
  std::vector<FormulaProblem> problems;
  bool ok() const { return problems.empty(); }
};

// `tex` is what stands between the dollar signs.
Formula parse_formula(std::string_view tex);

// Empty: a script that is not there, `{}`.
inline bool is_empty(const FormulaNode& node) {
  return node.kind == FormulaNode::Kind::kRow && node.children.empty();
}

// The space between two neighbours, in em. In scripts there is nearly none.
float space_between_em(const FormulaNode& left, const FormulaNode& right, bool in_script);

}  // namespace warpshop
