#include "own_kernel/host_code.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "compile/cuda_tokens.h"
#include "core/lines.h"
#include "lab/value_type.h"
#include "own_kernel/host_arithmetic.h"

namespace warpshop::lab {
namespace {

using compile::CudaToken;
using compile::TokenKind;

constexpr size_t kNothing = static_cast<size_t>(-1);
constexpr int kDeepestExpansion = 16;  // a macro may name itself
constexpr size_t kMostWords = 400;

// Reads the names that are visible at a place of the file.
class HostCode {
 public:
  explicit HostCode(std::string_view source)
      : source_(source), tokens_(compile::cuda_tokens(source)) {}

  std::optional<HostLaunch> first_launch(const compile::SourceKernel& kernel) const {
    const size_t sign = launch_sign(kernel);
    if (sign == kNothing) return std::nullopt;
    const size_t end = closing_angles(sign);
    const std::vector<Range> configuration = parts(sign + 1, end);
    HostLaunch out;
    out.line = kernel.launches.front().place.line;
    out.instance = instance_before(sign, kernel.name);
    if (!configuration.empty()) out.grid = dimensions(configuration[0]);
    if (configuration.size() > 1) out.block = dimensions(configuration[1]);
    if (configuration.size() > 2) out.shared_bytes = number(configuration[2]);
    out.arguments.resize(kernel.parameters.size());
    const size_t open = end + 3;
    if (open >= tokens_.size() || !tokens_[open].is("(")) return out;
    const std::vector<Range> given = parts(open + 1, matching(open));
    for (size_t n = 0; n < std::min(given.size(), kernel.parameters.size()); ++n) {
      const bool pointer = kernel.parameters[n].type.find('*') != std::string::npos;
      out.arguments[n] = pointer ? allocated_bytes(given[n]) : number(given[n]);
    }
    return out;
  }

  std::vector<UnsetVariable> unset_variables() const {
    std::vector<UnsetVariable> out;
    size_t end = 0;  // of the last statement read
    for (size_t at = 0; at < tokens_.size(); ++at) {
      if (at < end || (!is(at, "__constant__") && !is(at, "__device__"))) continue;
      for (end = at; end < tokens_.size() && !is(end, ";") && !is(end, "{") && !is(end, "(");)
        end = (is(end, "__align__") || is(end, "alignas")) && is(end + 1, "(") ? past(end + 1)
                                                                               : past_square(end);
      if (is(end, ";")) variables_in({statement_start(at), end}, out);
    }
    return out;
  }

 private:
  struct Range {
    size_t first = 0, last = 0;  // tokens
  };
  struct Declaration {
    size_t name = kNothing;  // its token
    Range value;             // of its initialiser: after =, or between ( and ) or { and }
    std::string_view type;   // "dim3"
    bool number = false;     // of a numeric type
    bool whole = false;      // of an integer type: a floating value is cut
    bool constant = false;
    bool bracketed = false;
    int dimensions = 0;                // of an array
    std::optional<ValueType> element;  // its type, if it is of numbers
  };

  bool is(size_t at, std::string_view word) const {
    return at < tokens_.size() && tokens_[at].is(word);
  }
  bool is_word(size_t at) const {
    return at < tokens_.size() && tokens_[at].kind == TokenKind::kName;
  }
  int line_of(size_t at) const { return place_in_text(source_, tokens_[at].at, 1, {}).line; }

  // The launch's <<<, from the place of the kernel's name.
  size_t launch_sign(const compile::SourceKernel& kernel) const {
    if (kernel.launches.empty()) return kNothing;
    const compile::SourceLaunch& launch = kernel.launches.front();
    for (size_t at = 0; at < tokens_.size(); ++at) {
      if (!tokens_[at].is(kernel.name) ||
          place_in_text(source_, tokens_[at].at, 1, {}).line != launch.place.line)
        continue;
      while (at < tokens_.size() && !tokens_[at].is("<<<") && !tokens_[at].is(";")) ++at;
      return is(at, "<<<") && is(closing_angles(at), ">") ? at : kNothing;
    }
    return kNothing;
  }
  std::string instance_before(size_t sign, std::string_view kernel) const {
    size_t name = sign;
    while (name > 0 && !is(name, kernel)) --name;
    if (!is(name + 1, "<") || !is(sign - 1, ">")) return {};
    std::string out;
    for (const Range& part : parts(name + 2, sign - 1))
      out += (out.empty() ? "" : ", ") + template_argument(part);
    return std::string(kernel) + "<" + out + ">";
  }
  std::string template_argument(Range part) const {
    const std::optional<HostNumber> value = number(part);
    if (value && value->whole && !value->names.empty()) {
      const std::optional<Declaration> declared = declaration(tokens_[part.first].text, part.first);
      const bool truth = part.last == part.first + 1 && declared && declared->element &&
                         declared->element->kind == ValueType::Kind::kBool;
      return truth ? value->value != 0 ? "true" : "false" : plain_number(value->value);
    }
    const size_t at = tokens_[part.first].at;
    return std::string(source_.substr(at, tokens_[part.last - 1].end() - at));
  }
  size_t closing_angles(size_t sign) const {
    size_t at = sign + 1;
    while (at < tokens_.size() && !tokens_[at].is(";") &&
           !(is(at, ">") && is(at + 1, ">") && is(at + 2, ">")))
      at = past(at);
    return at;
  }

  static bool opens(const CudaToken& token) {
    return token.is("(") || token.is("[") || token.is("{");
  }
  static bool closes(const CudaToken& token) {
    return token.is(")") || token.is("]") || token.is("}");
  }
  // The bracket that closes the one at `open`, or the end of the file.
  size_t matching(size_t open) const {
    int depth = 0;
    for (size_t at = open; at < tokens_.size(); ++at) {
      depth += opens(tokens_[at]) ? 1 : closes(tokens_[at]) ? -1 : 0;
      if (depth == 0) return at;
    }
    return tokens_.size();
  }
  // The token after this one, or after what this one brackets.
  size_t past(size_t at) const {
    return opens(tokens_[at]) ? std::min(matching(at) + 1, tokens_.size()) : at + 1;
  }

  std::vector<Range> parts(size_t first, size_t last) const {
    std::vector<Range> out;
    for (size_t at = first, begin = first; at < last;) {
      at = past(at);
      if (at < last && !is(at, ",")) continue;
      out.push_back({begin, std::min(at, last)});
      begin = ++at;
    }
    return out;
  }

  std::vector<HostNumber> dimensions(Range range) const {
    if (range.last == range.first + 1 && is_word(range.first)) {
      const std::optional<Declaration> declared =
          declaration(tokens_[range.first].text, range.first);
      if (declared && declared->type == "dim3") {
        if (!declared->constant && !stays(*declared, range.first)) return {};
        return declared->bracketed ? all_of(parts(declared->value.first, declared->value.last))
                                   : dimensions(declared->value);
      }
    }
    if (is(range.first, "dim3") && range.first + 1 < range.last &&
        opens(tokens_[range.first + 1])) {
      return all_of(parts(range.first + 2, range.last - 1));
    }
    return all_of({range});
  }
  std::vector<HostNumber> all_of(const std::vector<Range>& ranges) const {
    std::vector<HostNumber> out;
    for (const Range& range : ranges) {
      std::optional<HostNumber> read = number(range);
      if (!read || !read->whole || read->value < 1) return {};
      out.push_back(std::move(*read));
    }
    return out;
  }

  std::optional<HostNumber> number(Range range) const {
    HostNumber out;
    if (range.first >= range.last || !expand(tokens_in(range), range.first, out, 0))
      return std::nullopt;
    const std::optional<HostArithmetic::Value> value =
        HostArithmetic(out.words, out.names, {}).run();
    if (!value) return std::nullopt;
    out.value = value->number;
    out.whole = value->whole;
    out.line = line_of(range.first);
    return out;
  }
  std::span<const CudaToken> tokens_in(Range range) const {
    return std::span(tokens_).subspan(range.first, range.last - range.first);
  }

  // Appends the words of `text`; a name that stands for arithmetic over other names is replaced by
  // it. Names are those visible at the token `from`. False: not everything is a number that is
  // certain.
  bool expand(std::span<const CudaToken> text, size_t from, HostNumber& out, int depth) const {
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

  // The bytes of "sizeof(P)" or "sizeof(struct P)" at `at`, if the file defines P with numbers for
  // members; else 0.
  int64_t size_of_struct(std::span<const CudaToken> text, size_t at, size_t from) const {
    if (at + 3 >= text.size() || !text[at].is("sizeof") || !text[at + 1].is("(")) return 0;
    const size_t type = text[at + 2].is("struct") ? at + 3 : at + 2;
    if (type + 1 >= text.size() || !text[type + 1].is(")")) return 0;
    return struct_size_bytes(members_of(text[type].text, from, 3));
  }

  bool expand_name(const std::string& name, size_t from, HostNumber& out, int depth) const {
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

  // The directive that defines a macro, unless there are several.
  size_t only_macro(std::string_view name) const {
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

  // Goes back from a token through the scopes around it.
  std::optional<Declaration> declaration(std::string_view name, size_t from) const {
    for (size_t at = from; at-- > 0;) {
      const CudaToken& token = tokens_[at];
      if (closes(token)) {
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
  size_t opening(size_t close) const {
    int depth = 0;
    for (size_t at = close;; --at) {
      depth += closes(tokens_[at]) ? 1 : opens(tokens_[at]) ? -1 : 0;
      if (depth == 0 || at == 0) return at;
    }
  }
  bool declares(size_t open, size_t close, std::string_view name) const {
    for (size_t at = open + 2; at < close; ++at) {
      if (is(at, name) && (is_word(at - 1) || is(at - 1, "*") || is(at - 1, "&"))) return true;
    }
    return false;
  }
  size_t statement_start(size_t at) const {
    while (at > 0) {
      const CudaToken& before = tokens_[at - 1];
      if (before.kind == TokenKind::kDirective || before.is(";") || before.is("{") ||
          before.is("}") || before.is("("))
        break;
      at = before.is(")") || before.is("]") ? opening(at - 1) : at - 1;
    }
    return at;
  }

  std::optional<Declaration> declaration_at(size_t name) const {
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

  // Does a variable still have its first value at the token `from`? A global may change anywhere.
  // What the command line changes counts as staying: without arguments, the program runs with the
  // first value.
  bool stays(const Declaration& declared, size_t from) const {
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
  bool changes(size_t at) const {
    const auto next = [&](size_t n) {
      return at + n < tokens_.size() ? tokens_[at + n].text : std::string_view();
    };
    const auto before = [&](size_t n) {
      return at >= n ? tokens_[at - n].text : std::string_view();
    };
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

  static bool is_qualifier(std::string_view word) {
    static constexpr std::array<std::string_view, 8> kQualifiers = {
        "const",  "constexpr", "static",       "volatile",
        "inline", "extern",    "__constant__", "__device__"};
    return std::find(kQualifiers.begin(), kQualifiers.end(), word) != kQualifiers.end();
  }
  size_t past_square(size_t at) const { return is(at, "[") ? past(at) : at + 1; }

  struct Declarator {
    UnsetVariable variable;
    int dimensions = 0;
    bool plain = false;  // without an initialiser
  };
  // "__constant__ float w[5], scale".
  std::vector<Declarator> declarators(Range range, int structs = 3) const {
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
        variable.declaration += "[" +
                                (inside.first < inside.last
                                     ? std::string(source_.substr(tokens_[inside.first].at,
                                                                  tokens_[inside.last - 1].end() -
                                                                      tokens_[inside.first].at))
                                     : std::string()) +
                                "]";
      }
      plain = next == part.last;
      variable.is_array = dimensions > 0;
      variable.count = count >= 1 && count < 1e9 ? static_cast<int64_t>(count) : 0;
    }
    return out;
  }

  // The members of a struct that is defined before the token `before`, if all of them are numbers,
  // arrays of them, or such structs, `structs` deep. Else empty.
  std::vector<UnsetVariable> members_of(std::string_view type, size_t before, int structs) const {
    constexpr size_t kMostMembers = 64;
    if (structs == 0) return {};
    if (type.starts_with("struct ")) type.remove_prefix(7);
    size_t open = 2;
    while (open < before && !(is(open, "{") && is(open - 1, type) && is(open - 2, "struct")))
      ++open;
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

  void variables_in(Range range, std::vector<UnsetVariable>& out) const {
    for (Declarator& declared : declarators(range)) {
      if (!declared.plain) continue;
      const bool copied = read_copy(declared.dimensions, declared.variable);
      if (copied || declared.variable.declaration.find("__constant__") != std::string::npos)
        out.push_back(std::move(declared.variable));
    }
  }

  // Reads the first copy to a variable. False: nothing is copied to it.
  bool read_copy(int dimensions, UnsetVariable& variable) const {
    for (size_t at = 0; at < tokens_.size(); ++at) {
      if (!is_word(at) || !tokens_[at].text.starts_with("cudaMemcpyToSymbol") || !is(at + 1, "("))
        continue;
      const std::vector<Range> given = parts(at + 2, matching(at + 1));
      if (given.size() < 3 || !is(given[0].last - 1, variable.name)) continue;
      const bool from_start = given.size() < 4 || is(given[3].first, "0");
      const std::optional<std::string> value =
          from_start ? initialiser(given[1], dimensions, variable) : std::nullopt;
      const bool fits = value && (variable.count == 0 || !variable.type ||
                                  std::count(value->begin(), value->end(), ',') <
                                      variable.count * variable.type->count);
      if (fits) {
        variable.value = *value;
        variable.line = line_of(at);
      }
      return true;
    }
    return false;
  }

  // What the host variable in `range`, "weights" or "&scale", holds for certain.
  std::optional<std::string> initialiser(Range range, int dimensions,
                                         const UnsetVariable& variable) const {
    const bool address = is(range.first, "&");
    if (address) ++range.first;
    if (range.last != range.first + 1 || !is_word(range.first) || address == (dimensions > 0))
      return std::nullopt;
    const std::optional<Declaration> declared = declaration(tokens_[range.first].text, range.first);
    if (declared && !variable.members.empty() && address && is(declared->value.first, "{") &&
        (declared->constant || is_untouched(*declared, range.first))) {
      constexpr int kMostNested = 4;
      return braced(declared->value, kMostNested);
    }
    if (!declared || declared->dimensions != dimensions || !declared->element || !variable.type ||
        declared->element->kind != variable.type->kind ||
        declared->element->size_bytes() != variable.type->size_bytes())
      return std::nullopt;
    if (address) {
      const std::optional<HostNumber> read = number(range);
      return read ? std::optional(plain_number(read->value)) : std::nullopt;
    }
    if (!declared->constant &&
        !(stays(*declared, range.first) && keeps_elements(*declared, range.first)))
      return std::nullopt;
    return braced(declared->value, dimensions + 1);
  }
  // "{{1, 2}, {3, 4}}", all of it numbers that are certain; at most `depth` braces deep.
  std::optional<std::string> braced(Range range, int depth) const {
    if (!is(range.first, "{")) {
      const std::optional<HostNumber> read = number(range);
      return read ? std::optional(plain_number(read->value)) : std::nullopt;
    }
    if (depth == 0) return std::nullopt;
    std::string out;
    for (const Range& part : parts(range.first + 1, range.last - 1)) {
      const std::optional<std::string> inner = braced(part, depth - 1);
      if (!inner) return std::nullopt;
      out += (out.empty() ? "" : ", ") + *inner;
    }
    return "{" + out + "}";
  }
  // Is a variable only measured between its declaration and the token `from`?
  bool is_untouched(const Declaration& declared, size_t from) const {
    for (size_t at = declared.name + 1; at < from; ++at) {
      if (tokens_[at].is(tokens_[declared.name].text) && !is(at - 1, "sizeof") &&
          !is(at - 2, "sizeof"))
        return false;
    }
    return true;
  }
  // Are an array's elements only read, or copied, between its declaration and the token `from`?
  bool keeps_elements(const Declaration& declared, size_t from) const {
    for (size_t at = declared.name + 1; at < from; ++at) {
      if (!tokens_[at].is(tokens_[declared.name].text)) continue;
      if (is(at - 1, "sizeof") || (is(at - 1, "(") && is(at - 2, "sizeof"))) continue;
      size_t last = at;
      while (is(last + 1, "[")) last = matching(last + 1);
      if (last == at || changes(last)) return false;  // a function that gets it may fill it
    }
    return true;
  }

  // The bytes that were allocated last for a pointer before it is passed.
  std::optional<HostNumber> allocated_bytes(Range range) const {
    if (range.last != range.first + 1 || !is_word(range.first)) return std::nullopt;
    const std::string_view name = tokens_[range.first].text;
    const std::optional<Declaration> declared = declaration(name, range.first);
    if (!declared) return std::nullopt;
    for (size_t at = range.first; at-- > declared->name;) {
      if (!is_word(at) || !tokens_[at].text.starts_with("cudaMalloc") || !is(at + 1, "(")) continue;
      const std::vector<Range> given = parts(at + 2, matching(at + 1));
      if (given.size() < 2 || given[0].last < 2 || !is(given[0].last - 1, name) ||
          !is(given[0].last - 2, "&"))
        continue;
      return number(given[1]);
    }
    return std::nullopt;
  }

  std::string_view source_;
  std::vector<CudaToken> tokens_;
};

}  // namespace

std::optional<HostLaunch> first_launch(std::string_view source,
                                       const compile::SourceKernel& kernel) {
  return HostCode(source).first_launch(kernel);
}

std::vector<UnsetVariable> unset_variables(std::string_view source) {
  return HostCode(source).unset_variables();
}

}  // namespace warpshop::lab
