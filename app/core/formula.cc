#include "core/formula.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace warpshop {
namespace {

using Kind = FormulaNode::Kind;
using Role = FormulaNode::Role;

constexpr int kDeepest = 24;

struct Known {
  std::string_view name;
  Kind kind;
  Role role;
  std::string_view text;
};

// Commands without arguments, and plain signs.
constexpr Known kKnown[] = {
    {"+", Kind::kSign, Role::kOperator, "+"},
    {"-", Kind::kSign, Role::kOperator, "−"},
    {"−", Kind::kSign, Role::kOperator, "−"},
    {"\\pm", Kind::kSign, Role::kOperator, "±"},
    {"\\cdot", Kind::kSign, Role::kOperator, "·"},
    {"·", Kind::kSign, Role::kOperator, "·"},
    {"\\times", Kind::kSign, Role::kOperator, "×"},
    {"×", Kind::kSign, Role::kOperator, "×"},
    {"\\div", Kind::kSign, Role::kOperator, "÷"},
    {"÷", Kind::kSign, Role::kOperator, "÷"},
    {"\\bmod", Kind::kName, Role::kOperator, "mod"},
    {"=", Kind::kSign, Role::kRelation, "="},
    {"<", Kind::kSign, Role::kRelation, "<"},
    {">", Kind::kSign, Role::kRelation, ">"},
    {":", Kind::kSign, Role::kRelation, ":"},
    {"\\le", Kind::kSign, Role::kRelation, "≤"},
    {"\\leq", Kind::kSign, Role::kRelation, "≤"},
    {"≤", Kind::kSign, Role::kRelation, "≤"},
    {"\\ge", Kind::kSign, Role::kRelation, "≥"},
    {"\\geq", Kind::kSign, Role::kRelation, "≥"},
    {"≥", Kind::kSign, Role::kRelation, "≥"},
    {"\\ne", Kind::kSign, Role::kRelation, "≠"},
    {"\\neq", Kind::kSign, Role::kRelation, "≠"},
    {"≠", Kind::kSign, Role::kRelation, "≠"},
    {"\\approx", Kind::kSign, Role::kRelation, "≈"},
    {"≈", Kind::kSign, Role::kRelation, "≈"},
    {"\\to", Kind::kSign, Role::kRelation, "→"},
    {"\\rightarrow", Kind::kSign, Role::kRelation, "→"},
    {"→", Kind::kSign, Role::kRelation, "→"},
    {",", Kind::kSign, Role::kPunctuation, ","},
    {";", Kind::kSign, Role::kPunctuation, ";"},
    {"(", Kind::kSign, Role::kOpen, "("},
    {"[", Kind::kSign, Role::kOpen, "["},
    {"\\{", Kind::kSign, Role::kOpen, "{"},
    {"\\lceil", Kind::kSign, Role::kOpen, "⌈"},
    {"\\lfloor", Kind::kSign, Role::kOpen, "⌊"},
    {")", Kind::kSign, Role::kClose, ")"},
    {"]", Kind::kSign, Role::kClose, "]"},
    {"\\}", Kind::kSign, Role::kClose, "}"},
    {"\\rceil", Kind::kSign, Role::kClose, "⌉"},
    {"\\rfloor", Kind::kSign, Role::kClose, "⌋"},
    {"/", Kind::kSign, Role::kOrdinary, "/"},
    {"|", Kind::kSign, Role::kOrdinary, "|"},
    {".", Kind::kSign, Role::kOrdinary, "."},
    {"!", Kind::kSign, Role::kOrdinary, "!"},
    {"\\%", Kind::kSign, Role::kOrdinary, "%"},
    {"%", Kind::kSign, Role::kOrdinary, "%"},
    {"\\_", Kind::kSign, Role::kOrdinary, "_"},
    {"\\infty", Kind::kSign, Role::kOrdinary, "∞"},
    {"∞", Kind::kSign, Role::kOrdinary, "∞"},
    {"\\dots", Kind::kSign, Role::kOrdinary, "…"},
    {"\\ldots", Kind::kSign, Role::kOrdinary, "…"},
    {"…", Kind::kSign, Role::kOrdinary, "…"},
    {"\\sum", Kind::kSign, Role::kLarge, "∑"},
    {"\\prod", Kind::kSign, Role::kLarge, "∏"},
    {"\\log", Kind::kName, Role::kFunction, "log"},
    {"\\ln", Kind::kName, Role::kFunction, "ln"},
    {"\\gcd", Kind::kName, Role::kFunction, "gcd"},
    {"\\min", Kind::kName, Role::kFunction, "min"},
    {"\\max", Kind::kName, Role::kFunction, "max"},
    {"\\alpha", Kind::kLetter, Role::kOrdinary, "α"},
    {"\\beta", Kind::kLetter, Role::kOrdinary, "β"},
    {"\\gamma", Kind::kLetter, Role::kOrdinary, "γ"},
    {"\\delta", Kind::kLetter, Role::kOrdinary, "δ"},
    {"\\epsilon", Kind::kLetter, Role::kOrdinary, "ε"},
    {"\\varepsilon", Kind::kLetter, Role::kOrdinary, "ε"},
    {"\\zeta", Kind::kLetter, Role::kOrdinary, "ζ"},
    {"\\eta", Kind::kLetter, Role::kOrdinary, "η"},
    {"\\theta", Kind::kLetter, Role::kOrdinary, "θ"},
    {"\\iota", Kind::kLetter, Role::kOrdinary, "ι"},
    {"\\kappa", Kind::kLetter, Role::kOrdinary, "κ"},
    {"\\lambda", Kind::kLetter, Role::kOrdinary, "λ"},
    {"\\mu", Kind::kLetter, Role::kOrdinary, "μ"},
    {"\\nu", Kind::kLetter, Role::kOrdinary, "ν"},
    {"\\xi", Kind::kLetter, Role::kOrdinary, "ξ"},
    {"\\pi", Kind::kLetter, Role::kOrdinary, "π"},
    {"\\rho", Kind::kLetter, Role::kOrdinary, "ρ"},
    {"\\sigma", Kind::kLetter, Role::kOrdinary, "σ"},
    {"\\tau", Kind::kLetter, Role::kOrdinary, "τ"},
    {"\\upsilon", Kind::kLetter, Role::kOrdinary, "υ"},
    {"\\phi", Kind::kLetter, Role::kOrdinary, "φ"},
    {"\\varphi", Kind::kLetter, Role::kOrdinary, "φ"},
    {"\\chi", Kind::kLetter, Role::kOrdinary, "χ"},
    {"\\psi", Kind::kLetter, Role::kOrdinary, "ψ"},
    {"\\omega", Kind::kLetter, Role::kOrdinary, "ω"},
    {"\\Gamma", Kind::kName, Role::kOrdinary, "Γ"},
    {"\\Delta", Kind::kName, Role::kOrdinary, "Δ"},
    {"\\Theta", Kind::kName, Role::kOrdinary, "Θ"},
    {"\\Lambda", Kind::kName, Role::kOrdinary, "Λ"},
    {"\\Xi", Kind::kName, Role::kOrdinary, "Ξ"},
    {"\\Pi", Kind::kName, Role::kOrdinary, "Π"},
    {"\\Sigma", Kind::kName, Role::kOrdinary, "Σ"},
    {"\\Phi", Kind::kName, Role::kOrdinary, "Φ"},
    {"\\Psi", Kind::kName, Role::kOrdinary, "Ψ"},
    {"\\Omega", Kind::kName, Role::kOrdinary, "Ω"},
};

struct Space {
  std::string_view name;
  float width_em;
};
constexpr Space kSpaces[] = {{"\\,", 3 / 18.0f},  {"\\:", 4 / 18.0f}, {"\\;", 5 / 18.0f},
                             {"\\!", -3 / 18.0f}, {"\\ ", 6 / 18.0f}, {"~", 6 / 18.0f},
                             {"\\quad", 1},       {"\\qquad", 2}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) && static_cast<unsigned char>(c) < 0x80;
}

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
    out.kind = Kind::kScripts;
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
      node.kind = Kind::kNumber;
      node.text = token;
      at_ += 1;
    } else if (!atom(node, depth)) {
      return out;
    }
    if (node.kind == Kind::kRow) return node;
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
    node.kind = Kind::kNumber;
    // A separator between two digits is part of the number: 1,024 and 0.25.
    const auto marks = [this](size_t at) {
      return (tex_[at] == ',' || tex_[at] == '.') && at + 1 < tex_.size() && is_digit(tex_[at + 1]);
    };
    const size_t from = at_;
    while (at_ < tex_.size() && (is_digit(tex_[at_]) || marks(at_))) ++at_;
    node.text = tex_.substr(from, at_ - from);
  }

  void fence(FormulaNode& node, size_t at, int depth) {
    node.kind = Kind::kFence;
    node.role = Role::kOrdinary;
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
    for (const Known& known : kKnown) {
      if (known.name == token &&
          (known.role == Role::kOpen || known.role == Role::kClose || token == "|")) {
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
      node.kind = Kind::kLetter;
      node.text = token;
      return true;
    }
    if (token == "\\text" || token == "\\mathrm") {
      node.kind = token == "\\text" ? Kind::kText : Kind::kName;
      node.text = words(at, token);
      return true;
    }
    if (token == "\\frac") {
      node.kind = Kind::kFraction;
      node.children.push_back(argument(depth + 1, at, token));
      node.children.push_back(argument(depth + 1, at, token));
      return true;
    }
    if (token == "\\sqrt") {
      node.kind = Kind::kRoot;
      node.children.push_back(argument(depth + 1, at, token));
      return true;
    }
    if (token == "\\left") {
      fence(node, at, depth);
      return true;
    }
    for (const Space& space : kSpaces) {
      if (space.name != token) continue;
      node.kind = Kind::kSpace;
      node.width_em = space.width_em;
      return true;
    }
    for (const Known& known : kKnown) {
      if (known.name != token) continue;
      node.kind = known.kind;
      node.role = known.role;
      node.text = known.text;
      node.limits = known.role == Role::kLarge || token == "\\min" || token == "\\max";
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
    if (node.kind != Kind::kRow) return;
    Role before = Role::kOpen;
    for (FormulaNode& child : node.children) {
      if (child.kind == Kind::kSpace) continue;
      const bool no_left = before == Role::kOpen || before == Role::kOperator ||
                           before == Role::kRelation || before == Role::kPunctuation ||
                           before == Role::kLarge || before == Role::kFunction;
      if (child.role == Role::kOperator && no_left) child.role = Role::kOrdinary;
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
  if (left.kind == Kind::kSpace || right.kind == Kind::kSpace) return 0;
  const Role a = left.role, b = right.role;
  const auto named = [](Role role) { return role == Role::kLarge || role == Role::kFunction; };
  if (named(a) && (b == Role::kOrdinary || named(b))) return kThin;
  if (named(b) && (a == Role::kOrdinary || a == Role::kClose || named(a))) return kThin;
  if (in_script) return 0;
  if (a == Role::kRelation || b == Role::kRelation) return a == b ? 0 : kThick;
  if (a == Role::kOperator || b == Role::kOperator) return kMedium;
  if (a == Role::kPunctuation) return kThin;
  return 0;
}

}  // namespace warpshop
