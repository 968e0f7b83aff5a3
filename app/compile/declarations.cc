#include "declarations.h"

#include <algorithm>
#include <array>

namespace warpshop::compile {
namespace {

template <size_t N>
bool one_of(const CudaToken& token, const std::array<std::string_view, N>& words) {
  return token.kind != TokenKind::kText &&
         std::find(words.begin(), words.end(), token.text) != words.end();
}

// Words whose brackets are not parameter lists.
constexpr std::array<std::string_view, 18> kAttributes = {
    "__launch_bounds__", "__attribute__", "__declspec",       "alignas",        "__align__",
    "__builtin_align__", "__maxnreg__",   "__cluster_dims__", "__block_size__", "decltype",
    "noexcept",          "throw",         "explicit",         "requires",       "asm",
    "__asm__",           "typeof",        "__nv_pure__"};

// Words before a bracket that are not function names.
constexpr std::array<std::string_view, 18> kNoNames = {
    "void",   "int",  "float", "double",   "char",   "bool",   "short", "long",  "unsigned",
    "signed", "auto", "const", "volatile", "return", "sizeof", "if",    "while", "for"};

// Words after NAME(…) that mark it as a function's head.
constexpr std::array<std::string_view, 12> kGoesOn = {
    "{", ":", ";", ",", "=", "->", "const", "noexcept", "override", "final", "throw", "requires"};

constexpr std::array<std::string_view, 4> kClassWords = {"class", "struct", "union", "enum"};

constexpr std::array<std::string_view, 14> kBeginStatement = {
    "for",  "if",    "while",    "do",   "switch", "case", "default",
    "else", "break", "continue", "goto", "return", "try",  "catch"};

// Punctuation before a declaration: a name from outside, an attribute, a destructor.
constexpr std::array<std::string_view, 4> kBeginDeclaration = {"::", "[", "~", ";"};

// What stands after the name of an object, but not of a type.
constexpr std::array<std::string_view, 8> kFollowObject = {"[", "=", ".", "->", "+", "-", "/", "|"};

int depth_change(const CudaToken& token) {
  if (token.kind != TokenKind::kPunctuation || token.text.size() != 1) return 0;
  switch (token.text[0]) {
    case '(':
    case '[':
    case '{':
      return 1;
    case ')':
    case ']':
    case '}':
      return -1;
    default:
      return 0;
  }
}

bool is_zero_condition(std::string_view directive) {
  const std::vector<CudaToken> words = cuda_tokens(directive.substr(1));
  return words.size() == 2 && words[0].is("if") && (words[1].is("0") || words[1].is("false"));
}

}  // namespace

SourceStructure::SourceStructure(std::string_view source)
    : all_(cuda_tokens(source)), hidden_(all_.size(), false) {
  leave_out_branches();
  for (size_t n = 0; n < all_.size(); ++n) {
    if (hidden_[n] || all_[n].kind == TokenKind::kDirective) continue;
    tokens_.push_back(all_[n]);
    index_.push_back(n);
  }
  closing_.assign(tokens_.size(), kNoToken);
  std::vector<size_t> open;
  for (size_t n = 0; n < tokens_.size(); ++n) {
    const int change = depth_change(tokens_[n]);
    if (change > 0) open.push_back(n);
    if (change >= 0 || open.empty()) continue;
    const auto fits = [&](size_t o) {
      const char a = tokens_[o].text[0], b = tokens_[n].text[0];
      return (a == '(' && b == ')') || (a == '[' && b == ']') || (a == '{' && b == '}');
    };
    // The next } of an outer level skips an unclosed bracket.
    const auto partner = std::find_if(open.rbegin(), open.rend(), fits);
    if (partner == open.rend() || (partner != open.rbegin() && tokens_[n].text[0] != '}')) continue;
    closing_[*partner] = n;
    open.erase(partner.base() - 1, open.end());
  }
}

void SourceStructure::leave_out_branches() {
  struct Branch {
    size_t first, last;
    bool never;
  };
  struct Group {
    std::vector<Branch> branches;
  };
  std::vector<Group> open;
  const auto hide = [&](size_t first, size_t last) {
    std::fill(hidden_.begin() + static_cast<ptrdiff_t>(first),
              hidden_.begin() + static_cast<ptrdiff_t>(last), true);
  };
  const auto is_balanced = [&](const Branch& branch) {
    int depth = 0;
    for (size_t n = branch.first; n < branch.last; ++n) {
      if (hidden_[n]) continue;
      depth += depth_change(all_[n]);
      if (depth < 0) return false;
    }
    return depth == 0;
  };
  const auto close = [&](Group& group) {
    for (const Branch& branch : group.branches) {
      if (branch.never) hide(branch.first, branch.last);
    }
    if (std::all_of(group.branches.begin(), group.branches.end(), is_balanced)) return;
    const auto counts = std::find_if(group.branches.begin(), group.branches.end(),
                                     [](const Branch& b) { return !b.never; });
    for (auto branch = group.branches.begin(); branch != group.branches.end(); ++branch) {
      if (branch != counts) hide(branch->first, branch->last);
    }
  };
  for (size_t n = 0; n < all_.size(); ++n) {
    if (all_[n].kind != TokenKind::kDirective) continue;
    const std::string_view name = directive_name(all_[n].text);
    if (name.starts_with("if")) {
      open.push_back({{{n + 1, n + 1, is_zero_condition(all_[n].text)}}});
    } else if (!open.empty() && (name.starts_with("el") || name == "endif")) {
      open.back().branches.back().last = n;
      if (name == "endif") {
        close(open.back());
        open.pop_back();
      } else {
        open.back().branches.push_back({n + 1, n + 1, false});
      }
    }
  }
}

size_t SourceStructure::closing(size_t open, size_t end) const {
  return closing_[open] == kNoToken || closing_[open] >= end ? end - 1 : closing_[open];
}

// The token after the > that matches the < at `open`.
size_t SourceStructure::after_angles(size_t open, size_t end) const {
  int depth = 0;
  for (size_t n = open; n < end; ++n) {
    const CudaToken& token = tokens_[n];
    if (token.is("(") || token.is("[") || token.is("{")) n = closing(n, end);
    if (token.is(";") || token.is("}")) return n;
    if (token.is("<")) ++depth;
    if (token.is(">") && --depth == 0) return n + 1;
  }
  return end;
}

size_t name_before(const std::vector<CudaToken>& tokens, size_t open) {
  if (open == 0) return kNoToken;
  size_t at = open - 1;
  if (tokens[at].is(">")) {
    int depth = 0;
    for (;; --at) {
      if (tokens[at].is(">")) ++depth;
      if (tokens[at].is("<") && --depth == 0) break;
      if (at == 0 || tokens[at].is(";") || tokens[at].is("{") || tokens[at].is("}"))
        return kNoToken;
    }
    if (at == 0) return kNoToken;
    --at;
  }
  return tokens[at].kind == TokenKind::kName ? at : kNoToken;
}

// S in `struct alignas(16) S final : Base`. `end`: of its head.
size_t SourceStructure::name_of_class(size_t class_word, size_t end) const {
  size_t name = class_word + 1;
  while (name < end && (one_of(tokens_[name], kAttributes) || tokens_[name].is("(") ||
                        tokens_[name].is("[") || one_of(tokens_[name], kClassWords))) {
    name = tokens_[name].is("(") || tokens_[name].is("[") ? closing(name, end) + 1 : name + 1;
  }
  return name < end && tokens_[name].kind == TokenKind::kName ? name : kNoToken;
}

// True for `struct S;` but not for `struct S s;`.
bool SourceStructure::is_forward(size_t class_word, size_t end) const {
  size_t at = name_of_class(class_word, end);
  if (at == kNoToken) return false;
  ++at;
  while (at + 1 < end && tokens_[at].is("::")) at += 2;
  if (at < end && tokens_[at].is("<")) at = after_angles(at, end);
  return at < end && tokens_[at].is(";");
}

Declaration SourceStructure::read(size_t first, size_t end, bool in_class) const {
  using Kind = Declaration::Kind;
  Declaration d;
  d.first = first;
  d.last = end;
  const auto at_word = [&](size_t n, std::string_view word) {
    return n < end && tokens_[n].is(word);
  };
  if (tokens_[first].is("}")) {  // unmatched
    d.last = first + 1;
    return d;
  }

  // NAME(…) on its own line.
  if (!in_class && tokens_[first].kind == TokenKind::kName && at_word(first + 1, "(") &&
      !one_of(tokens_[first], kAttributes) && !one_of(tokens_[first], kNoNames) &&
      !tokens_[first].is("static_assert") && !tokens_[first].text.starts_with("__")) {
    const size_t close = closing(first + 1, end);
    const bool alone = close + 1 >= end || at_word(close + 1, ";") ||
                       (!one_of(tokens_[close + 1], kGoesOn) &&
                        std::string_view(tokens_[close].text.data(),
                                         static_cast<size_t>(tokens_[close + 1].text.data() -
                                                             tokens_[close].text.data()))
                                .find('\n') != std::string_view::npos);
    if (alone) {
      d.kind = Kind::kMacroCall;
      d.name = first;
      d.last = at_word(close + 1, ";") ? close + 2 : close + 1;
      return d;
    }
  }

  size_t class_word = kNoToken;
  bool is_class = false, is_enum = false, is_alias = false, assigned = false, initialises = false,
       points = false, block = false;
  size_t n = first;
  for (; n < end; ++n) {
    const CudaToken& token = tokens_[n];
    if (token.is(";")) break;
    if (token.is("}")) {  // unmatched here
      d.last = std::max(n, first + 1);
      n = end;
      break;
    }
    if (token.kind == TokenKind::kName) {
      if (token.is("template")) {
        if (at_word(n + 1, "<")) {
          d.is_template = true;
          n = after_angles(n + 1, end) - 1;
        } else {
          d.is_instantiation = true;
        }
      } else if (token.is("namespace") && !is_alias) {
        size_t brace = n + 1;
        while (brace < end && !tokens_[brace].is("{") && !tokens_[brace].is(";") &&
               !tokens_[brace].is("="))
          ++brace;
        if (at_word(brace, "{")) {
          const size_t close = closing(brace, end);
          d.kind = Kind::kScope;
          d.name =
              tokens_[brace - 1].kind == TokenKind::kName && brace - 1 > n ? brace - 1 : kNoToken;
          d.body_first = brace + 1;
          d.body_last = close;
          d.last = close + 1;
          return d;
        }
        is_alias = true;
      } else if (token.is("extern") && n + 2 < end && tokens_[n + 1].kind == TokenKind::kText) {
        if (at_word(n + 2, "{")) {
          d.kind = Kind::kScope;
          d.body_first = n + 3;
          d.body_last = closing(n + 2, end);
          d.last = d.body_last + 1;
          return d;
        }
        ++n;
      } else if (one_of(token, kAttributes)) {
        if (at_word(n + 1, "(")) n = closing(n + 1, end);
      } else if (token.is("operator")) {
        // The name operator() is itself followed by brackets.
        size_t open = n + 1;
        if (at_word(open, "(") && at_word(open + 1, ")")) open += 2;
        while (open < end && !tokens_[open].is("(") && !tokens_[open].is(";") &&
               !tokens_[open].is("{"))
          ++open;
        if (at_word(open, "(")) {
          d.name = n;
          d.parameters = open;
          n = closing(open, end);
        }
      } else if (one_of(token, kClassWords) && d.parameters == kNoToken && !assigned) {
        is_class = true;
        class_word = n;
        is_enum = is_enum || token.is("enum");
        // struct ALIGNED(16) S { … }
        if (n + 2 < end && tokens_[n + 1].kind == TokenKind::kName &&
            !one_of(tokens_[n + 1], kAttributes) && tokens_[n + 2].is("(")) {
          n = closing(n + 2, end);
        }
      } else if (token.is("typedef") || token.is("using") || token.is("static_assert") ||
                 token.is("_Static_assert")) {
        is_alias = true;
      } else if (token.is("friend")) {
        d.is_friend = true;
      } else if (token.is("constexpr") || token.is("consteval")) {
        d.is_constexpr = d.is_constant = true;
      } else if (token.is("const")) {
        d.is_constant = true;
      } else if ((token.is("default") || token.is("delete")) && assigned) {
        d.is_defaulted = true;
      }
      continue;
    }
    if (token.is("(")) {
      const size_t close = closing(n, end);
      if (!assigned && !initialises) {
        const size_t name = name_before(tokens_, n);
        if (name != kNoToken && name >= first && !one_of(tokens_[name], kNoNames)) {
          d.name = name;
          d.parameters = n;
        } else if (n + 1 < close && (tokens_[n + 1].is("*") || tokens_[n + 1].is("&"))) {
          points = true;
        }
      }
      n = close;
    } else if (token.is("[")) {
      n = closing(n, end);
    } else if (token.is("=")) {
      assigned = true;
    } else if (token.is(":")) {
      initialises = d.parameters != kNoToken && !is_class;
    } else if (token.is("{")) {
      const size_t close = closing(n, end);
      const bool after_name = n > first && (tokens_[n - 1].kind == TokenKind::kName ||
                                            tokens_[n - 1].is(">") || tokens_[n - 1].is("]"));
      if (is_class && d.parameters == kNoToken && !assigned && d.body_last == 0) {
        d.body_first = n + 1;
        d.body_last = close;
        d.name = name_of_class(class_word, n);
        n = close;
      } else if (assigned || (initialises && after_name) ||
                 (d.parameters == kNoToken && !points && after_name && !is_class &&
                  n > first + 1)) {
        n = close;
      } else {
        block = true;
        d.last = close + 1;
        n = end;
        break;
      }
    }
  }
  if (n < end) d.last = n + 1;

  if (is_alias || is_enum || (d.is_friend && d.parameters == kNoToken)) {
    d.kind = Kind::kOther;
    if (is_alias && d.body_last > 0 && !is_enum) d.kind = Kind::kClass;  // typedef struct { … } S;
  } else if (d.body_last > 0) {
    d.kind = Kind::kClass;
  } else if (d.parameters != kNoToken && !(points && !block)) {
    d.kind = Kind::kFunction;
  } else if (is_class && (d.is_instantiation || is_forward(class_word, d.last))) {
    d.kind = Kind::kOther;
  } else if (block) {
    d.kind = Kind::kFunction;
  } else {
    d.kind = Kind::kVariable;
  }
  if (d.name == kNoToken && is_class && d.kind == Kind::kOther)
    d.name = name_of_class(class_word, d.last);
  if (d.name == kNoToken) {
    for (size_t word = first; word < d.last; ++word) {
      const CudaToken& token = tokens_[word];
      if (token.is("=") || token.is("[") || token.is("{") || token.is(",")) break;
      if (token.is("<")) {
        word = after_angles(word, d.last) - 1;
      } else if (token.kind == TokenKind::kName && !token.is("namespace")) {
        d.name = word;
      }
      if (is_alias && tokens_[first].is("using") && d.name != kNoToken && d.name > first) break;
    }
    if (is_alias && tokens_[first].is("typedef") && d.last >= 2 && d.last - 2 > first &&
        tokens_[d.last - 2].kind == TokenKind::kName)
      d.name = d.last - 2;
  }
  return d;
}

bool SourceStructure::is_statement(const Declaration& declaration) const {
  const CudaToken& word = tokens_[declaration.first];
  if (word.kind != TokenKind::kName)
    return word.kind == TokenKind::kNumber ||
           (word.kind == TokenKind::kPunctuation && !one_of(word, kBeginDeclaration));
  if (one_of(word, kBeginStatement)) return true;
  if (declaration.first + 1 >= declaration.last) return false;
  const CudaToken& next = tokens_[declaration.first + 1];
  const bool attribute =  // int [[maybe_unused]] n;
      next.is("[") && declaration.first + 2 < declaration.last &&
      tokens_[declaration.first + 2].is("[");
  if (one_of(next, kFollowObject) && !attribute) return true;
  // Other calls may be macros of a header of the host's.
  return next.is("(") && word.text.starts_with("__") && !one_of(word, kAttributes) &&
         closing(declaration.first + 1, declaration.last) + 2 == declaration.last &&
         tokens_[declaration.last - 1].is(";");
}

size_t SourceStructure::end_offset(const Declaration& declaration) const {
  const size_t last = index_[declaration.last - 1];
  size_t end = all_[last].end();
  for (size_t n = last + 1; n < all_.size(); ++n) {
    if (hidden_[n]) {
      end = all_[n].kind == TokenKind::kDirective ? end : all_[n].end();
    } else if (all_[n].kind != TokenKind::kDirective) {
      break;
    }
  }
  return end;
}

}  // namespace warpshop::compile
