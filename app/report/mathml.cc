#include "mathml.h"

#include "core/markup.h"
#include "lab/formula.h"

namespace warpshop::report {
namespace {

using Kind = lab::FormulaNode::Kind;
using Role = lab::FormulaNode::Role;

std::string tag(const std::string& name, const std::string& inside,
                const std::string& attributes = {}) {
  return "<" + name + attributes + ">" + inside + "</" + name + ">";
}

std::string written(const lab::FormulaNode& node);

std::string row(const lab::FormulaNode& node) {
  std::string out;
  for (const lab::FormulaNode& child : node.children) out += written(child);
  return node.children.size() == 1 ? out : tag("mrow", out);
}

// Brackets from \left and \right stretch, others do not; a | is a bracket only with \left or
// \right.
std::string bracket(const std::string& text, const char* form) {
  if (text.empty()) return {};
  return tag("mo", escaped(text),
             " fence=\"true\" stretchy=\"true\" form=\"" + std::string(form) + "\"");
}

std::string scripts(const lab::FormulaNode& node) {
  const bool has_sub = !is_empty(node.children[1]), has_sup = !is_empty(node.children[2]);
  std::string inside = written(node.children[0]);
  if (!has_sub && !has_sup) return inside;
  if (has_sub) inside += written(node.children[1]);
  if (has_sup) inside += written(node.children[2]);
  if (node.limits)
    return tag(has_sub && has_sup ? "munderover" : has_sub ? "munder" : "mover", inside);
  return tag(has_sub && has_sup ? "msubsup" : has_sub ? "msub" : "msup", inside);
}

std::string written(const lab::FormulaNode& node) {
  switch (node.kind) {
    case Kind::kRow:
      return row(node);
    case Kind::kLetter:
      return tag("mi", escaped(node.text));
    case Kind::kNumber:
      return tag("mn", escaped(node.text));
    case Kind::kText:
      return tag("mtext", escaped(node.text));
    case Kind::kName:
      if (node.role == Role::kOperator)
        return tag("mo", escaped(node.text), " lspace=\"0.22em\" rspace=\"0.22em\"");
      // min and max have their limits below only in display formulas.
      if (node.limits)
        return tag("mo", escaped(node.text),
                   " movablelimits=\"true\" lspace=\"0\" rspace=\"0.17em\"");
      return tag("mi", escaped(node.text), " mathvariant=\"normal\"");
    case Kind::kSign: {
      const bool alone = node.role == Role::kOpen || node.role == Role::kClose || node.text == "|";
      return tag("mo", escaped(node.text), alone ? " stretchy=\"false\"" : "");
    }
    case Kind::kSpace: {
      const int thousandths =
          static_cast<int>(node.width_em * 1000 + (node.width_em < 0 ? -0.5f : 0.5f));
      return "<mspace width=\"" +
             std::to_string(static_cast<double>(thousandths) / 1000)
                 .substr(0, thousandths < 0 ? 6 : 5) +
             "em\"/>";
    }
    case Kind::kFraction:
      return tag("mfrac", written(node.children[0]) + written(node.children[1]));
    case Kind::kRoot:
      return tag("msqrt", written(node.children[0]));
    case Kind::kScripts:
      return scripts(node);
    case Kind::kFence:
      return tag("mrow", bracket(node.text, "prefix") + written(node.children[0]) +
                             bracket(node.close, "postfix"));
  }
  return {};
}

}  // namespace

std::string mathml(std::string_view tex, bool display) {
  while (tex.starts_with(' ')) tex.remove_prefix(1);
  while (tex.ends_with(' ')) tex.remove_suffix(1);
  const lab::Formula formula = lab::parse_formula(tex);
  const std::string mark = display ? "$$" : "$";
  if (!formula.ok()) return tag("code", escaped(mark + std::string(tex) + mark));
  return tag(
      "math", row(formula.root),
      std::string(display ? " display=\"block\"" : "") + " alttext=\"" + escaped(tex) + "\"");
}

}  // namespace warpshop::report
