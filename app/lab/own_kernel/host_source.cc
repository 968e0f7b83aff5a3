#include "own_kernel/host_source.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "own_kernel/host_arithmetic.h"

namespace warpshop::lab {
namespace {

using compile::CudaToken;
using compile::TokenKind;

constexpr int kDeepestExpansion = 16;  // a macro may name itself
constexpr size_t kMostWords = 400;

bool is_qualifier(std::string_view word) {
  static constexpr std::array<std::string_view, 8> kQualifiers = {
      "const", "constexpr", "static", "volatile", "inline", "extern", "__constant__", "__device__"};
  return std::find(kQualifiers.begin(), kQualifiers.end(), word) != kQualifiers.end();
}

struct Layout {
  int64_t size_bytes = 0, alignment_bytes = 1;
};

Layout layout_of(const std::vector<UnsetVariable>& members) {
  Layout out;
  const auto up = [](int64_t bytes, int64_t to) { return (bytes + to - 1) / to * to; };
  for (const UnsetVariable& member : members) {
    const Layout of = member.type ? Layout{member.type->size_bytes(), member.type->alignment_bytes}
                                  : layout_of(member.members);
    out.size_bytes = up(out.size_bytes, of.alignment_bytes) + of.size_bytes * member.count;
    out.alignment_bytes = std::max(out.alignment_bytes, of.alignment_bytes);
  }
  out.size_bytes = up(out.size_bytes, out.alignment_bytes);
  return out;
}

// Of a struct with these members, laid out as in C++; 0 if there are none. Itanium C++ ABI, "POD
// Data Types".
int64_t struct_size_bytes(const std::vector<UnsetVariable>& members) {
  return layout_of(members).size_bytes;
}

}  // namespace

size_t HostSource::matching(size_t open) const {
  int depth = 0;
  for (size_t at = open; at < tokens_.size(); ++at) {
    depth += opens(at) ? 1 : closes(at) ? -1 : 0;
    if (depth == 0) return at;
  }
  return tokens_.size();
}

size_t HostSource::past(size_t at) const {
  return opens(at) ? std::min(matching(at) + 1, tokens_.size()) : at + 1;
}

std::vector<HostSource::Range> HostSource::parts(size_t first, size_t last) const {
  std::vector<Range> out;
  for (size_t at = first, begin = first; at < last;) {
    at = past(at);
    if (at < last && !is(at, ",")) continue;
    out.push_back({begin, std::min(at, last)});
    begin = ++at;
  }
  return out;
}

// True for the last ')' of a macro that stands for a statement, without a semicolon: CHECK(x).
bool HostSource::ends_macro(size_t at) const {
  static constexpr std::array<std::string_view, 9> kParts = {
      "if",       "for",       "while",         "switch", "alignas",
      "decltype", "__align__", "__attribute__", "sizeof"};
  if (!is(at, ")") || !is_word(at + 1)) return false;
  const size_t open = opening(at);
  return open > 0 && is_word(open - 1) &&
         std::find(kParts.begin(), kParts.end(), tokens_[open - 1].text) == kParts.end();
}

size_t HostSource::statement_start(size_t at) const {
  while (at > 0) {
    const CudaToken& before = tokens_[at - 1];
    if (before.kind == TokenKind::kDirective || before.is(";") || before.is("{") ||
        before.is("}") || before.is("(") || ends_macro(at - 1))
      break;
    at = before.is(")") || before.is("]") ? opening(at - 1) : at - 1;
  }
  return at;
}

std::optional<HostNumber> HostSource::number(Range range) const {
  HostNumber out;
  if (range.first >= range.last || !expand(tokens_in(range), range.first, out, 0))
    return std::nullopt;
  const std::optional<HostArithmetic::Value> value = HostArithmetic(out.words, out.names, {}).run();
  if (!value) return std::nullopt;
  out.value = value->number;
  out.whole = value->whole;
  out.line = line_of(range.first);
  return out;
}

bool HostSource::expand(std::span<const CudaToken> text, size_t from, HostNumber& out,
                        int depth) const {
  if (depth > kDeepestExpansion) return false;
  for (size_t at = 0; at < text.size(); ++at) {
    const CudaToken& token = text[at];
    if (token.kind == TokenKind::kText || token.kind == TokenKind::kDirective ||
        out.words.size() > kMostWords)
      return false;
    const std::string word(token.text);
    const bool more = at + 1 < text.size();
    if (more && word == ">" && text[at + 1].is(">") && text[at + 1].at == token.end()) {
      out.words.emplace_back(">>");
      ++at;
    } else if (more && word == "std" && text[at + 1].is("::")) {
      ++at;
    } else if (const int64_t bytes = size_of_struct(text, at, from); bytes > 0) {
      out.words.push_back(std::to_string(bytes));
      while (!text[at].is(")")) ++at;
    } else if (word == "true" || word == "false") {
      out.words.emplace_back(word == "true" ? "1" : "0");
    } else if (token.kind == TokenKind::kName && word != "sizeof" && !is_rounding(word) &&
               !value_type_named(word)) {
      if (!expand_name(word, from, out, depth)) return false;
    } else {
      out.words.push_back(word);
    }
  }
  return true;
}

int64_t HostSource::size_of_struct(std::span<const CudaToken> text, size_t at, size_t from) const {
  if (at + 3 >= text.size() || !text[at].is("sizeof") || !text[at + 1].is("(")) return 0;
  const size_t type = text[at + 2].is("struct") ? at + 3 : at + 2;
  if (type + 1 >= text.size() || !text[type + 1].is(")")) return 0;
  return struct_size_bytes(members_of(text[type].text, from, 3));
}

bool HostSource::expand_name(const std::string& name, size_t from, HostNumber& out,
                             int depth) const {
  HostNumber value;
  bool whole = false;
  int line = 0;
  if (const size_t macro = only_macro(name); macro != kNothing) {
    const std::vector<CudaToken> words = compile::cuda_tokens(tokens_[macro].text.substr(1));
    if (words.size() < 3 || (words[2].is("(") && words[2].at == words[1].end()))
      return false;  // a function's
    if (!expand(std::span(words).subspan(2), from, value, depth + 1)) return false;
    line = line_of(macro);
  } else {
    const std::optional<Declaration> declared = declaration(name, from);
    if (!declared || !declared->number || !(declared->constant || stays(*declared, from)))
      return false;
    if (!expand(tokens_in(declared->value), declared->name, value, depth + 1)) return false;
    whole = declared->whole;
    line = line_of(declared->name);
  }
  const std::optional<HostArithmetic::Value> result =
      HostArithmetic(value.words, value.names, {}).run();
  if (!result) return false;
  const bool cut = whole && !result->whole;
  if (value.names.empty()) {
    out.names[name] = {cut ? std::trunc(result->number) : result->number, cut || result->whole,
                       line};
    out.words.push_back(name);
    return true;
  }
  if (cut) out.words.emplace_back("int");
  out.words.emplace_back("(");
  out.words.insert(out.words.end(), value.words.begin(), value.words.end());
  out.words.emplace_back(")");
  out.names.merge(value.names);
  return true;
}

size_t HostSource::only_macro(std::string_view name) const {
  size_t found = kNothing;
  for (size_t at = 0; at < tokens_.size(); ++at) {
    if (tokens_[at].kind != TokenKind::kDirective) continue;
    const std::vector<CudaToken> words = compile::cuda_tokens(tokens_[at].text.substr(1));
    if (words.size() < 2 || !words[0].is("define") || !words[1].is(name)) continue;
    if (found != kNothing) return kNothing;
    found = at;
  }
  return found;
}

std::optional<HostSource::Declaration> HostSource::declaration(std::string_view name,
                                                               size_t from) const {
  for (size_t at = from; at-- > 0;) {
    const CudaToken& token = tokens_[at];
    if (closes(at)) {
      const size_t open = opening(at);
      const bool heads = token.is(")") && (is(at + 1, "{") || (open > 0 && is(open - 1, "for")));
      if (heads && declares(open, at, name))
        return std::nullopt;  // a parameter, or a loop's variable
      at = open;
    } else if (token.is(name)) {
      if (std::optional<Declaration> found = declaration_at(at)) return found;
    }
  }
  return std::nullopt;
}

size_t HostSource::opening(size_t close) const {
  int depth = 0;
  for (size_t at = close;; --at) {
    depth += closes(at) ? 1 : opens(at) ? -1 : 0;
    if (depth == 0 || at == 0) return at;
  }
}

bool HostSource::declares(size_t open, size_t close, std::string_view name) const {
  for (size_t at = open + 2; at < close; ++at) {
    if (is(at, name) && (is_word(at - 1) || is(at - 1, "*") || is(at - 1, "&"))) return true;
  }
  return false;
}

std::optional<HostSource::Declaration> HostSource::declaration_at(size_t name) const {
  static constexpr std::array<std::string_view, 9> kNoTypes = {
      "return", "else", "delete", "throw", "goto", "case", "new", "do", "using"};
  const size_t start = statement_start(name);
  if (start == name || !is_word(start) ||
      std::find(kNoTypes.begin(), kNoTypes.end(), tokens_[start].text) != kNoTypes.end())
    return std::nullopt;
  const bool follows = is(name - 1, ",") && (is_word(start + 1) || is(start + 1, "*"));
  if (!is_word(name - 1) && !is(name - 1, "*") && !follows) return std::nullopt;
  Declaration out;
  out.name = name;
  bool floating = false, automatic = false;
  std::string words;  // of the type
  for (size_t at = start; at < name && !is(at, ","); ++at) {
    if (is(at, "=") && follows) break;
    if (is(at, "=")) return std::nullopt;
    const std::string_view word = tokens_[at].text;
    out.constant |= word == "const" || word == "constexpr";
    automatic |= word == "auto";
    floating |= is_floating_type(word);
    out.whole |= word == "signed" || word == "unsigned" || value_type_named(word).has_value();
    out.type = word == "dim3" ? word : out.type;
    if (!is_qualifier(word)) words += (words.empty() ? "" : " ") + std::string(word);
  }
  out.whole &= !floating;
  out.element = value_type_named(words);
  size_t next = name + 1;
  for (; is(next, "["); next = past(next)) ++out.dimensions;
  out.number = (out.whole || floating || automatic) && !is(name - 1, "*") && out.dimensions == 0;
  if (is(next, "=") && !is(next + 1, "=")) {
    size_t end = next + 1;
    while (end < tokens_.size() && !is(end, ",") && !is(end, ";")) end = past(end);
    out.value = {next + 1, end};
  } else if (out.dimensions == 0 && (is(next, "(") || is(next, "{"))) {
    out.bracketed = true;
    out.value = {next + 1, std::max(next + 1, matching(next))};
  } else if (!is(next, ";") && !is(next, ",")) {
    return std::nullopt;
  }
  return out;
}

bool HostSource::stays(const Declaration& declared, size_t from) const {
  const std::string_view name = tokens_[declared.name].text;
  int depth = 0;
  for (size_t at = 0; at < declared.name; ++at) depth += is(at, "{") ? 1 : is(at, "}") ? -1 : 0;
  const size_t end = depth == 0 ? tokens_.size() : from;
  for (size_t at = declared.name + 1; at < end; ++at) {
    if (!tokens_[at].is(name) || !changes(at)) continue;
    size_t last = at;
    while (last < tokens_.size() && !is(last, ";")) ++last;
    const std::span<const CudaToken> statement = tokens_in({statement_start(at), last});
    if (std::none_of(statement.begin(), statement.end(),
                     [](const CudaToken& token) { return token.is("argv"); }))
      return false;
  }
  return true;
}

bool HostSource::changes(size_t at) const {
  const auto next = [&](size_t n) {
    return at + n < tokens_.size() ? tokens_[at + n].text : std::string_view();
  };
  const auto before = [&](size_t n) { return at >= n ? tokens_[at - n].text : std::string_view(); };
  if (next(1) == "=" && next(2) != "=") return true;
  const bool sign = next(1).size() == 1 &&
                    std::string_view("+-*/%&|^").find(next(1)[0]) != std::string_view::npos;
  if ((sign || next(1) == "<<") && next(2) == "=") return true;
  if (next(1) == ">" && next(2) == ">" && next(3) == "=") return true;
  for (const std::string_view twice : {"+", "-", ">"}) {  // ++, --, and >> of a stream
    if (twice != ">" && next(1) == twice && next(2) == twice) return true;
    if (before(1) == twice && before(2) == twice) return true;
  }
  return before(1) == "&" && (before(2) == "(" || before(2) == "," || before(2) == "=");
}

std::vector<HostSource::Declarator> HostSource::declarators(Range range, int structs) const {
  std::vector<Declarator> out;
  std::string type, head;
  size_t at = range.first;
  bool external = false;
  for (; at + 1 < range.last && (is_word(at + 1) || !is_word(at)); ++at) {
    external |= is(at, "extern");
    const std::string word(tokens_[at].text);
    head += word + " ";
    if (!is_qualifier(word)) type += (type.empty() ? "" : " ") + word;
  }
  if (external) return out;  // defined elsewhere
  for (const Range& part : parts(at, range.last)) {
    if (!is_word(part.first)) continue;
    auto& [variable, dimensions, plain] = out.emplace_back();
    variable.name = tokens_[part.first].text;
    variable.declaration = head + variable.name;
    variable.type = value_type_named(type);
    if (!variable.type) variable.members = members_of(type, range.first, structs);
    variable.end = tokens_[part.last - 1].end();
    double count = 1;
    size_t next = part.first + 1;
    for (; next < part.last && is(next, "["); next = past(next), ++dimensions) {
      const Range inside{next + 1, matching(next)};
      const std::optional<HostNumber> length = number(inside);
      count *= length && length->whole ? length->value : 0;
      variable.declaration += "[" + std::string(text_of(inside)) + "]";
    }
    plain = next == part.last;
    variable.is_array = dimensions > 0;
    variable.count = count >= 1 && count < 1e9 ? static_cast<int64_t>(count) : 0;
  }
  return out;
}

std::vector<UnsetVariable> HostSource::members_of(std::string_view type, size_t before,
                                                  int structs) const {
  constexpr size_t kMostMembers = 64;
  if (structs == 0) return {};
  if (type.starts_with("struct ")) type.remove_prefix(7);
  size_t open = 2;
  while (open < before && !(is(open, "{") && is(open - 1, type) && is(open - 2, "struct"))) ++open;
  std::vector<UnsetVariable> out;
  const size_t close = open < before ? matching(open) : open;
  for (size_t at = open + 1; at < close;) {
    size_t end = at;
    for (; end < close && !is(end, ";"); end = past_square(end)) {
      if (is(end, "(") || is(end, "{")) return {};
    }
    for (Declarator& member : declarators({at, end}, structs - 1)) {
      const UnsetVariable& variable = member.variable;
      if (!member.plain || variable.count < 1 || out.size() == kMostMembers ||
          (!variable.type && variable.members.empty()))
        return {};
      out.push_back(std::move(member.variable));
    }
    at = end + 1;
  }
  return out;
}

}  // namespace warpshop::lab
