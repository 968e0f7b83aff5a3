// Formulas in lab texts: parses a small subset of TeX into a tree. The window lays the tree out,
// and reports write it as MathML. docs/writing-a-lab.md, "Formulas", lists the supported commands.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpshop::lab {

struct FormulaNode {
  enum class Kind {
    kRow,       // children side by side
    kLetter,    // italic: a variable
    kNumber,    // including thousands separators and decimal point
    kName,      // upright: \mathrm, \log, Greek capitals
    kText,      // upright, with its spaces: \text
    kSign,      // operator, relation, bracket
    kSpace,     // of `width_em`
    kFraction,  // children: above, below
    kRoot,      // child
    kScripts,   // children: base, subscript, superscript; an absent one is an empty row
    kFence,  // \left( … \right): delimiters `text` and `close`, stretched to the child; "" for "."
  };
  // TeX's atom classes, which determine the space between neighbours (TeXbook, chapter 18).
  enum class Role {
    kOrdinary,
    kOperator,
    kRelation,
    kPunctuation,
    kOpen,
    kClose,
    kLarge,
    kFunction
  };

  Kind kind = Kind::kRow;
  std::string text;  // UTF-8
  std::string close;
  Role role = Role::kOrdinary;
  bool limits = false;  // scripts go above and below if there is room
  float width_em = 0;
  std::vector<FormulaNode> children;
};

// A mistake and the bytes of the formula that it concerns.
struct FormulaProblem {
  size_t at = 0;
  size_t length = 0;
  std::string what;
};

struct Formula {
  FormulaNode root;  // a row, without the parts that could not be parsed
  std::vector<FormulaProblem> problems;
  bool ok() const { return problems.empty(); }
};

// `tex` is the text between the dollar signs.
Formula parse_formula(std::string_view tex);

// True for an empty row: an absent script, or `{}`.
inline bool is_empty(const FormulaNode& node) {
  return node.kind == FormulaNode::Kind::kRow && node.children.empty();
}

// Space between two neighbours, in em. Inside scripts it is almost zero.
float space_between_em(const FormulaNode& left, const FormulaNode& right, bool in_script);

}  // namespace warpshop::lab
