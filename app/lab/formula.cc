#include "lab/formula.h"

#include <algorithm>
#include <utility>

#include "core/ascii.h"

namespace warpshop::lab {
namespace {

using FormulaKind = FormulaNode::Kind;
using FormulaRole = FormulaNode::Role;

constexpr int kDeepest = 24;

struct Known {
  std::string_view name;
  FormulaKind kind;
  FormulaRole role;
  std::string_view text;
};

// Commands without arguments, and plain signs.
constexpr Known kFormulaWords[] = {
    {"+", FormulaKind::kSign, FormulaRole::kOperator, "+"},
    {"-", FormulaKind::kSign, FormulaRole::kOperator, "−"},
    {"−", FormulaKind::kSign, FormulaRole::kOperator, "−"},
    {"\\pm", FormulaKind::kSign, FormulaRole::kOperator, "±"},
    {"\\cdot", FormulaKind::kSign, FormulaRole::kOperator, "·"},
    {"·", FormulaKind::kSign, FormulaRole::kOperator, "·"},
    {"\\times", FormulaKind::kSign, FormulaRole::kOperator, "×"},
    {"×", FormulaKind::kSign, FormulaRole::kOperator, "×"},
    {"\\div", FormulaKind::kSign, FormulaRole::kOperator, "÷"},
    {"÷", FormulaKind::kSign, FormulaRole::kOperator, "÷"},
    {"\\bmod", FormulaKind::kName, FormulaRole::kOperator, "mod"},
    {"=", FormulaKind::kSign, FormulaRole::kRelation, "="},
    {"<", FormulaKind::kSign, FormulaRole::kRelation, "<"},
    {">", FormulaKind::kSign, FormulaRole::kRelation, ">"},
    {":", FormulaKind::kSign, FormulaRole::kRelation, ":"},
    {"\\le", FormulaKind::kSign, FormulaRole::kRelation, "≤"},
    {"\\leq", FormulaKind::kSign, FormulaRole::kRelation, "≤"},
    {"≤", FormulaKind::kSign, FormulaRole::kRelation, "≤"},
    {"\\ge", FormulaKind::kSign, FormulaRole::kRelation, "≥"},
    {"\\geq", FormulaKind::kSign, FormulaRole::kRelation, "≥"},
    {"≥", FormulaKind::kSign, FormulaRole::kRelation, "≥"},
    {"\\ne", FormulaKind::kSign, FormulaRole::kRelation, "≠"},
    {"\\neq", FormulaKind::kSign, FormulaRole::kRelation, "≠"},
    {"≠", FormulaKind::kSign, FormulaRole::kRelation, "≠"},
    {"\\approx", FormulaKind::kSign, FormulaRole::kRelation, "≈"},
    {"≈", FormulaKind::kSign, FormulaRole::kRelation, "≈"},
    {"\\to", FormulaKind::kSign, FormulaRole::kRelation, "→"},
    {"\\rightarrow", FormulaKind::kSign, FormulaRole::kRelation, "→"},
    {"→", FormulaKind::kSign, FormulaRole::kRelation, "→"},
    {",", FormulaKind::kSign, FormulaRole::kPunctuation, ","},
    {";", FormulaKind::kSign, FormulaRole::kPunctuation, ";"},
    {"(", FormulaKind::kSign, FormulaRole::kOpen, "("},
    {"[", FormulaKind::kSign, FormulaRole::kOpen, "["},
    {"\\{", FormulaKind::kSign, FormulaRole::kOpen, "{"},
    {"\\lceil", FormulaKind::kSign, FormulaRole::kOpen, "⌈"},
    {"\\lfloor", FormulaKind::kSign, FormulaRole::kOpen, "⌊"},
    {")", FormulaKind::kSign, FormulaRole::kClose, ")"},
    {"]", FormulaKind::kSign, FormulaRole::kClose, "]"},
    {"\\}", FormulaKind::kSign, FormulaRole::kClose, "}"},
    {"\\rceil", FormulaKind::kSign, FormulaRole::kClose, "⌉"},
    {"\\rfloor", FormulaKind::kSign, FormulaRole::kClose, "⌋"},
    {"/", FormulaKind::kSign, FormulaRole::kOrdinary, "/"},
    {"|", FormulaKind::kSign, FormulaRole::kOrdinary, "|"},
    {".", FormulaKind::kSign, FormulaRole::kOrdinary, "."},
    {"!", FormulaKind::kSign, FormulaRole::kOrdinary, "!"},
    {"\\%", FormulaKind::kSign, FormulaRole::kOrdinary, "%"},
    {"%", FormulaKind::kSign, FormulaRole::kOrdinary, "%"},
    {"\\_", FormulaKind::kSign, FormulaRole::kOrdinary, "_"},
    {"\\infty", FormulaKind::kSign, FormulaRole::kOrdinary, "∞"},
    {"∞", FormulaKind::kSign, FormulaRole::kOrdinary, "∞"},
    {"\\dots", FormulaKind::kSign, FormulaRole::kOrdinary, "…"},
    {"\\ldots", FormulaKind::kSign, FormulaRole::kOrdinary, "…"},
    {"…", FormulaKind::kSign, FormulaRole::kOrdinary, "…"},
    {"\\sum", FormulaKind::kSign, FormulaRole::kLarge, "∑"},
    {"\\prod", FormulaKind::kSign, FormulaRole::kLarge, "∏"},
    {"\\log", FormulaKind::kName, FormulaRole::kFunction, "log"},
    {"\\ln", FormulaKind::kName, FormulaRole::kFunction, "ln"},
    {"\\gcd", FormulaKind::kName, FormulaRole::kFunction, "gcd"},
    {"\\min", FormulaKind::kName, FormulaRole::kFunction, "min"},
    {"\\max", FormulaKind::kName, FormulaRole::kFunction, "max"},
    {"\\alpha", FormulaKind::kLetter, FormulaRole::kOrdinary, "α"},
    {"\\beta", FormulaKind::kLetter, FormulaRole::kOrdinary, "β"},
    {"\\gamma", FormulaKind::kLetter, FormulaRole::kOrdinary, "γ"},
    {"\\delta", FormulaKind::kLetter, FormulaRole::kOrdinary, "δ"},
    {"\\epsilon", FormulaKind::kLetter, FormulaRole::kOrdinary, "ε"},
    {"\\varepsilon", FormulaKind::kLetter, FormulaRole::kOrdinary, "ε"},
    {"\\zeta", FormulaKind::kLetter, FormulaRole::kOrdinary, "ζ"},
    {"\\eta", FormulaKind::kLetter, FormulaRole::kOrdinary, "η"},
    {"\\theta", FormulaKind::kLetter, FormulaRole::kOrdinary, "θ"},
    {"\\iota", FormulaKind::kLetter, FormulaRole::kOrdinary, "ι"},
    {"\\kappa", FormulaKind::kLetter, FormulaRole::kOrdinary, "κ"},
    {"\\lambda", FormulaKind::kLetter, FormulaRole::kOrdinary, "λ"},
    {"\\mu", FormulaKind::kLetter, FormulaRole::kOrdinary, "μ"},
    {"\\nu", FormulaKind::kLetter, FormulaRole::kOrdinary, "ν"},
    {"\\xi", FormulaKind::kLetter, FormulaRole::kOrdinary, "ξ"},
    {"\\pi", FormulaKind::kLetter, FormulaRole::kOrdinary, "π"},
    {"\\rho", FormulaKind::kLetter, FormulaRole::kOrdinary, "ρ"},
    {"\\sigma", FormulaKind::kLetter, FormulaRole::kOrdinary, "σ"},
    {"\\tau", FormulaKind::kLetter, FormulaRole::kOrdinary, "τ"},
    {"\\upsilon", FormulaKind::kLetter, FormulaRole::kOrdinary, "υ"},
    {"\\phi", FormulaKind::kLetter, FormulaRole::kOrdinary, "φ"},
    {"\\varphi", FormulaKind::kLetter, FormulaRole::kOrdinary, "φ"},
    {"\\chi", FormulaKind::kLetter, FormulaRole::kOrdinary, "χ"},
    {"\\psi", FormulaKind::kLetter, FormulaRole::kOrdinary, "ψ"},
    {"\\omega", FormulaKind::kLetter, FormulaRole::kOrdinary, "ω"},
    {"\\Gamma", FormulaKind::kName, FormulaRole::kOrdinary, "Γ"},
    {"\\Delta", FormulaKind::kName, FormulaRole::kOrdinary, "Δ"},
    {"\\Theta", FormulaKind::kName, FormulaRole::kOrdinary, "Θ"},
    {"\\Lambda", FormulaKind::kName, FormulaRole::kOrdinary, "Λ"},
    {"\\Xi", FormulaKind::kName, FormulaRole::kOrdinary, "Ξ"},
    {"\\Pi", FormulaKind::kName, FormulaRole::kOrdinary, "Π"},
    {"\\Sigma", FormulaKind::kName, FormulaRole::kOrdinary, "Σ"},
    {"\\Phi", FormulaKind::kName, FormulaRole::kOrdinary, "Φ"},
    {"\\Psi", FormulaKind::kName, FormulaRole::kOrdinary, "Ψ"},
    {"\\Omega", FormulaKind::kName, FormulaRole::kOrdinary, "Ω"},
};

struct SpaceCommand {
  std::string_view name;
  float width_em;
};
constexpr SpaceCommand kSpaces[] = {{"\\,", 3 / 18.0f},  {"\\:", 4 / 18.0f}, {"\\;", 5 / 18.0f},
                                    {"\\!", -3 / 18.0f}, {"\\ ", 6 / 18.0f}, {"~", 6 / 18.0f},
                                    {"\\quad", 1},       {"\\qquad", 2}};

FormulaNode empty_row() { return {}; }

class Parser {
 public:
  explicit Parser(std::string_view tex) : tex_(tex) {}

  Formula parse() {
    Formula formula;
    formula.root = row(0);
    while (at_ < tex_.size()) {  // a stray "}"
      const std::string_view token = peek();
      problem(at_, token.size(), token == "\\right" ? "\\right has no \\left" : "unmatched '}'");
      at_ += token.size();
      if (token == "\\right") at_ += peek().size();
      FormulaNode rest = row(0);
      for (FormulaNode& child : rest.children) formula.root.children.push_back(std::move(child));
    }
    if (is_empty(formula.root) && problems_.empty())
      problem(0, tex_.size(), "the formula is empty");
    settle_operators(formula.root);
    formula.problems = std::move(problems_);
    return formula;
  }

 private:
  void problem(size_t at, size_t length, std::string what) {
    problems_.push_back({at, std::max<size_t>(length, 1), std::move(what)});
  }

  void skip_blanks() {
    while (at_ < tex_.size() &&
           (tex_[at_] == ' ' || tex_[at_] == '\n' || tex_[at_] == '\t' || tex_[at_] == '\r'))
      ++at_;
  }

  // The next command or sign; empty at the end.
  std::string_view peek() {
    skip_blanks();
    if (at_ >= tex_.size()) return {};
    size_t end = at_ + 1;
    if (tex_[at_] == '\\' && end < tex_.size() && is_letter(tex_[end])) {
      while (end < tex_.size() && is_letter(tex_[end])) ++end;
    } else {
      if (tex_[at_] == '\\' && end < tex_.size()) ++end;
      while (end < tex_.size() && (static_cast<unsigned char>(tex_[end]) & 0xC0) == 0x80) ++end;
    }
    return tex_.substr(at_, end - at_);
  }

  bool take(std::string_view token) {
    if (peek() != token) return false;
    at_ += token.size();
    return true;
  }

  // Parses up to "}", "\right" or the end, without consuming it.
  FormulaNode row(int depth) {
    FormulaNode out;
    while (true) {
      const std::string_view token = peek();
      if (token.empty() || token == "}" || token == "\\right") return out;
      if (token == "^" || token == "_") {
        if (out.children.empty()) {
          problem(at_, 1, "there is nothing before '" + std::string(token) + "'");
          out.children.push_back(empty_row());
        }
        scripts(out.children.back(), depth);
        continue;
      }
      FormulaNode node;
      if (atom(node, depth)) out.children.push_back(std::move(node));
    }
  }

  void scripts(FormulaNode& base, int depth) {
    FormulaNode out;
    out.kind = FormulaKind::kScripts;
    out.role = base.role;
    out.limits = base.limits;
    out.children = {std::move(base), empty_row(), empty_row()};
    bool has[2] = {false, false};
    while (true) {
      const std::string_view token = peek();
      if (token != "^" && token != "_") break;
      const size_t place = token == "^" ? 1 : 0;
      if (has[place]) {
        problem(at_, 1,
                std::string("a second '") + std::string(token) + "' on the same base: use braces");
      }
      has[place] = true;
      const size_t at = at_;
      at_ += 1;
      out.children[1 + place] = argument(depth, at, token);
    }
    base = std::move(out);
  }

  // Parses "{…}" or one atom: the argument of a command or sign.
  FormulaNode argument(int depth, size_t at, std::string_view of) {
    FormulaNode out;
    const std::string_view token = peek();
    if (token.empty() || token == "}" || token == "^" || token == "_" || token == "\\right") {
      problem(at, of.size(), "'" + std::string(of) + "' needs an argument");
      return out;
    }
    FormulaNode node;
    // As in TeX, one digit is an argument, not the whole number.
    if (is_digit(token[0])) {
      node.kind = FormulaKind::kNumber;
      node.text = token;
      at_ += 1;
    } else if (!atom(node, depth)) {
      return out;
    }
    if (node.kind == FormulaKind::kRow) return node;
    out.children.push_back(std::move(node));
    return out;
  }

  // The characters in braces, verbatim.
  std::string words(size_t at, std::string_view of) {
    std::string out;
    if (peek() != "{") {
      problem(at, of.size(), "'" + std::string(of) + "' needs its text in braces");
      return out;
    }
    const size_t open = at_++;
    for (int depth = 1; at_ < tex_.size(); ++at_) {
      const char c = tex_[at_];
      if (c == '\\' && at_ + 1 < tex_.size()) {
        out += tex_[++at_];
        continue;
      }
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (depth == 0) {
        ++at_;
        return out;
      }
      out += c == '\n' || c == '~' ? ' ' : c;
    }
    problem(open, 1, "unclosed '{'");
    return out;
  }

  void number(FormulaNode& node) {
    node.kind = FormulaKind::kNumber;
    // A separator between two digits is part of the number: 1,024 and 0.25.
    const auto marks = [this](size_t at) {
      return (tex_[at] == ',' || tex_[at] == '.') && at + 1 < tex_.size() && is_digit(tex_[at + 1]);
    };
    const size_t from = at_;
    while (at_ < tex_.size() && (is_digit(tex_[at_]) || marks(at_))) ++at_;
    node.text = tex_.substr(from, at_ - from);
  }

  void fence(FormulaNode& node, size_t at, int depth) {
    node.kind = FormulaKind::kFence;
    node.role = FormulaRole::kOrdinary;
    node.text = bracket(at, "\\left");
    node.children.push_back(row(depth + 1));
    if (peek() != "\\right") {
      problem(at, 5, "\\left has no \\right");
      return;
    }
    const size_t right = at_;
    at_ += 6;
    node.close = bracket(right, "\\right");
  }

  std::string bracket(size_t at, std::string_view of) {
    const std::string_view token = peek();
    if (token == ".") {
      at_ += 1;
      return {};
    }
    for (const Known& known : kFormulaWords) {
      if (known.name == token &&
          (known.role == FormulaRole::kOpen || known.role == FormulaRole::kClose || token == "|")) {
        at_ += token.size();
        return std::string(known.text);
      }
    }
    problem(at, of.size(), "'" + std::string(of) + "' must be followed by a bracket");
    return {};
  }

  // Returns false if it only produced a problem. Always consumes at least one token.
  bool atom(FormulaNode& node, int depth) {
    const std::string_view token = peek();
    const size_t at = at_;
    if (depth >= kDeepest) {
      problem(at, token.size(), "the formula is nested too deeply");
      at_ = tex_.size();
      return false;
    }
    if (is_digit(token[0])) {
      number(node);
      return true;
    }
    at_ += token.size();
    if (token == "{") {
      node = row(depth + 1);
      if (!take("}")) problem(at, 1, "unclosed '{'");
      return true;
    }
    if (token.size() == 1 && is_letter(token[0])) {
      node.kind = FormulaKind::kLetter;
      node.text = token;
      return true;
    }
    if (token == "\\text" || token == "\\mathrm") {
      node.kind = token == "\\text" ? FormulaKind::kText : FormulaKind::kName;
      node.text = words(at, token);
      return true;
    }
    if (token == "\\frac") {
      node.kind = FormulaKind::kFraction;
      node.children.push_back(argument(depth + 1, at, token));
      node.children.push_back(argument(depth + 1, at, token));
      return true;
    }
    if (token == "\\sqrt") {
      node.kind = FormulaKind::kRoot;
      node.children.push_back(argument(depth + 1, at, token));
      return true;
    }
    if (token == "\\left") {
      fence(node, at, depth);
      return true;
    }
    for (const SpaceCommand& space : kSpaces) {
      if (space.name != token) continue;
      node.kind = FormulaKind::kSpace;
      node.width_em = space.width_em;
      return true;
    }
    for (const Known& known : kFormulaWords) {
      if (known.name != token) continue;
      node.kind = known.kind;
      node.role = known.role;
      node.text = known.text;
      node.limits = known.role == FormulaRole::kLarge || token == "\\min" || token == "\\max";
      return true;
    }
    problem(at, token.size(),
            (token[0] == '\\' ? "the command '" : "the sign '") + std::string(token) +
                "' is not supported in formulas");
    return false;
  }

  // A minus with nothing to its left is unary (TeXbook, appendix G, rule 5).
  static void settle_operators(FormulaNode& node) {
    for (FormulaNode& child : node.children) settle_operators(child);
    if (node.kind != FormulaKind::kRow) return;
    FormulaRole before = FormulaRole::kOpen;
    for (FormulaNode& child : node.children) {
      if (child.kind == FormulaKind::kSpace) continue;
      const bool no_left = before == FormulaRole::kOpen || before == FormulaRole::kOperator ||
                           before == FormulaRole::kRelation ||
                           before == FormulaRole::kPunctuation || before == FormulaRole::kLarge ||
                           before == FormulaRole::kFunction;
      if (child.role == FormulaRole::kOperator && no_left) child.role = FormulaRole::kOrdinary;
      before = child.role;
    }
  }

  std::string_view tex_;
  size_t at_ = 0;
  std::vector<FormulaProblem> problems_;
};

}  // namespace

Formula parse_formula(std::string_view tex) { return Parser(tex).parse(); }

float space_between_em(const FormulaNode& left, const FormulaNode& right, bool in_script) {
  constexpr float kThin = 3 / 18.0f, kMedium = 4 / 18.0f, kThick = 5 / 18.0f;
  if (left.kind == FormulaKind::kSpace || right.kind == FormulaKind::kSpace) return 0;
  const FormulaRole a = left.role, b = right.role;
  const auto named = [](FormulaRole role) {
    return role == FormulaRole::kLarge || role == FormulaRole::kFunction;
  };
  if (named(a) && (b == FormulaRole::kOrdinary || named(b))) return kThin;
  if (named(b) && (a == FormulaRole::kOrdinary || a == FormulaRole::kClose || named(a)))
    return kThin;
  if (in_script) return 0;
  if (a == FormulaRole::kRelation || b == FormulaRole::kRelation) return a == b ? 0 : kThick;
  if (a == FormulaRole::kOperator || b == FormulaRole::kOperator) return kMedium;
  if (a == FormulaRole::kPunctuation) return kThin;
  return 0;
}

}  // namespace warpshop::lab
