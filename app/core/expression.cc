#include "core/expression.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

#include "core/charconv.h"
#include "core/grouped.h"

namespace warpshop {
namespace {

// Deeper nesting is a mistake and would exhaust the stack.
constexpr int kMaxDepth = 100;
// So would a long chain of operators: "a + b + c" nests to the left.
constexpr size_t kMaxNodes = 1000;
// Longer texts are not repeated in messages.
constexpr size_t kMostQuoted = 200;

struct FunctionInfo {
  std::string_view name;
  size_t min_arguments;
  size_t max_arguments;
};
constexpr FunctionInfo kFunctions[] = {
    {"min", 2, 16},  {"max", 2, 16}, {"ceil_div", 2, 2},
    {"floor", 1, 1}, {"ceil", 1, 1}, {"abs", 1, 1},
};

Effect opposite(Effect effect) {
  return effect == Effect::kRaises   ? Effect::kLowers
         : effect == Effect::kLowers ? Effect::kRaises
                                     : effect;
}

using Operation = double (*)(double, double);

// fmod, whose result has the dividend's sign. Whole numbers take the integer unit, which is several
// times as fast.
double remainder_of(double a, double b) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (std::abs(a) >= kExact || std::abs(b) >= kExact) return std::fmod(a, b);
  const auto whole_a = static_cast<int64_t>(a), whole_b = static_cast<int64_t>(b);
  const bool whole = static_cast<double>(whole_a) == a && static_cast<double>(whole_b) == b;
  return whole ? static_cast<double>(whole_a % whole_b) : std::fmod(a, b);
}

// A binary operator, or a function of two values. ceil_div and % by 0 are the caller's errors.
Operation operation_of(std::string_view word) {
  struct Named {
    std::string_view word;
    Operation operation;
  };
  static constexpr Named kOperations[] = {
      {"+", [](double a, double b) { return a + b; }},
      {"-", [](double a, double b) { return a - b; }},
      {"*", [](double a, double b) { return a * b; }},
      {"/", [](double a, double b) { return a / b; }},
      {"%", remainder_of},
      {"<", [](double a, double b) { return a < b ? 1.0 : 0.0; }},
      {"<=", [](double a, double b) { return a <= b ? 1.0 : 0.0; }},
      {">", [](double a, double b) { return a > b ? 1.0 : 0.0; }},
      {">=", [](double a, double b) { return a >= b ? 1.0 : 0.0; }},
      {"==", [](double a, double b) { return a == b ? 1.0 : 0.0; }},
      {"!=", [](double a, double b) { return a != b ? 1.0 : 0.0; }},
      {"min", [](double a, double b) { return b < a ? b : a; }},
      {"max", [](double a, double b) { return b > a ? b : a; }},
      {"ceil_div", [](double a, double b) { return std::ceil(a / b); }},
  };
  for (const Named& named : kOperations) {
    if (named.word == word) return named.operation;
  }
  return nullptr;
}

double value_of_function(std::string_view word, double x) {
  return word == "floor" ? std::floor(x) : word == "ceil" ? std::ceil(x) : std::abs(x);
}

bool divides(std::string_view word) { return word == "/" || word == "%" || word == "ceil_div"; }

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_name(char c) { return starts_name(c) || (c >= '0' && c <= '9') || c == '.'; }

}  // namespace

class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, SourcePlace place) {
    out_.text_ = std::string(text);
    out_.place_ = std::move(place);
  }

  Result<Expression> run() {
    skip_space();
    if (at_end()) return fail("the expression is empty", "write a number, a name or a calculation");
    out_.root_ = comparison();
    skip_space();
    if (ok() && !at_end()) {
      fail("expected an operator or the end, found '" + std::string(1, peek()) + "'");
    }
    if (!ok()) return errors_;
    return std::move(out_);
  }

 private:
  using Node = Expression::Node;

  int comparison() {
    if (++depth_ > kMaxDepth) {
      fail("the expression is nested too deeply");
      return -1;
    }
    const int result = binary({"<=", ">=", "==", "!=", "<", ">"}, false, [this] {
      return binary({"+", "-"}, true, [this] {
        return binary({"*", "/", "%"}, true, [this] { return unary(); });
      });
    });
    --depth_;
    return result;
  }

  // operand (OPERATOR operand)*; at most one operator unless `repeats`.
  template <typename Operand>
  int binary(std::initializer_list<std::string_view> operators, bool repeats, Operand operand) {
    int left = operand();
    while (ok()) {
      skip_space();
      const std::string_view rest = std::string_view(out_.text_).substr(at_);
      const auto found = std::find_if(operators.begin(), operators.end(),
                                      [&](std::string_view op) { return rest.starts_with(op); });
      if (found == operators.end()) break;
      at_ += found->size();
      const int right = operand();
      if (!ok()) break;
      Node node{
          .kind = Node::Kind::kBinary, .word = std::string(*found), .children = {left, right}};
      node.begin = out_.nodes_[static_cast<size_t>(left)].begin;
      node.end = out_.nodes_[static_cast<size_t>(right)].end;
      left = add(std::move(node));
      if (!repeats) break;
    }
    return left;
  }

  int unary() {
    skip_space();
    if (!at_end() && peek() == '-') {
      if (++depth_ > kMaxDepth) {
        fail("the expression is nested too deeply");
        return -1;
      }
      const int begin = position();
      ++at_;
      const int inner = unary();
      --depth_;
      if (!ok()) return -1;
      Node node{.kind = Node::Kind::kNegate, .children = {inner}, .begin = begin};
      node.end = out_.nodes_[static_cast<size_t>(inner)].end;
      return add(std::move(node));
    }
    return primary();
  }

  int primary() {
    skip_space();
    if (at_end()) {
      fail("expected a number, a name or '(' at the end");
      return -1;
    }
    const char c = peek();
    if (c == '(') {
      ++at_;
      const int inner = comparison();
      expect(')');
      return inner;
    }
    if (starts_name(c)) return name_or_call();
    if ((c >= '0' && c <= '9') || c == '.') return number();
    fail(std::string("expected a number, a name or '(', found '") + c + "'");
    return -1;
  }

  int number() {
    const char* first = out_.text_.data() + at_;
    const char* last = out_.text_.data() + out_.text_.size();
    double value = 0;
    const auto [end, error] = from_chars(first, last, value);
    if (error != std::errc()) {
      fail("this is not a number");
      return -1;
    }
    Node node{.kind = Node::Kind::kNumber, .number = value, .begin = position()};
    at_ += static_cast<size_t>(end - first);
    node.end = position();
    return add(std::move(node));
  }

  int name_or_call() {
    Node node{.kind = Node::Kind::kName, .begin = position()};
    while (!at_end() && continues_name(peek())) node.word += out_.text_[at_++];
    node.end = position();
    skip_space();
    if (at_end() || peek() != '(') return add(std::move(node));

    node.kind = Node::Kind::kCall;
    const auto* info = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                    [&](const FunctionInfo& f) { return f.name == node.word; });
    if (info == std::end(kFunctions)) {
      at_ = static_cast<size_t>(node.begin);
      fail("there is no function '" + node.word + "'",
           "the functions are min, max, ceil_div, floor, ceil and abs");
      return -1;
    }
    do {
      ++at_;  // '(' or ','
      node.children.push_back(comparison());
      skip_space();
    } while (ok() && !at_end() && peek() == ',');
    expect(')');
    if (!ok()) return -1;
    if (node.children.size() < info->min_arguments || node.children.size() > info->max_arguments) {
      at_ = static_cast<size_t>(node.begin);
      const bool exact = info->min_arguments == info->max_arguments;
      fail(node.word + " takes " + std::to_string(info->min_arguments) + (exact ? "" : " or more") +
           (info->max_arguments == 1 ? " argument, not " : " arguments, not ") +
           std::to_string(node.children.size()));
      return -1;
    }
    node.end = position();
    return add(std::move(node));
  }

  void expect(char c) {
    skip_space();
    if (!ok()) return;
    if (!at_end() && peek() == c) {
      ++at_;
      return;
    }
    fail(std::string("expected '") + c + "', found " +
         (at_end() ? std::string("the end") : "'" + std::string(1, peek()) + "'"));
  }

  Diagnostic fail(std::string message, std::string help = {}) {
    SourcePlace place = out_.place_;
    if (place.column > 0) place.column += position();
    place.length = 1;
    message += " (character " + std::to_string(position() + 1);
    message += out_.text_.size() > kMostQuoted ? ")" : " of \"" + out_.text_ + "\")";
    errors_.push_back(make_error_at(place, "expression", std::move(message), std::move(help)));
    return errors_.back();
  }

  int add(Node node) {
    if (out_.nodes_.size() == kMaxNodes) {
      fail("the expression is too long",
           "it has at most 1,000 numbers, names, operators and functions");
    }
    out_.nodes_.push_back(std::move(node));
    return static_cast<int>(out_.nodes_.size()) - 1;
  }
  void skip_space() {
    while (!at_end() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r'))
      ++at_;
  }
  bool at_end() const { return at_ >= out_.text_.size(); }
  char peek() const { return out_.text_[at_]; }
  int position() const { return static_cast<int>(at_); }
  bool ok() const { return errors_.empty(); }

  Expression out_;
  size_t at_ = 0;
  int depth_ = 0;
  Diagnostics errors_;
};

Result<Expression> Expression::parse(std::string_view text, SourcePlace place) {
  return ExpressionParser(text, std::move(place)).run();
}

Result<double> Expression::evaluate(const NameLookup& names) const {
  return evaluate_uses([&names](std::string_view name, Effect) { return names(name); });
}

Result<double> Expression::evaluate_uses(const UseLookup& uses) const {
  return value_of(root_, uses, Effect::kRaises);
}

Result<int64_t> Expression::evaluate_whole(const NameLookup& names) const {
  const Result<double> value = evaluate(names);
  if (!value.ok()) return value.errors();
  if (*value != std::floor(*value) || std::abs(*value) > 9007199254740992.0) {
    return make_error_at(place_of(nodes_[static_cast<size_t>(root_)]), "expression",
                         sentence("\"{text}\" is {value}, but must be a whole number",
                                  {{"text", text_}, {"value", number_text(*value)}}),
                         sentence("use floor(…), ceil(…) or ceil_div(a, b)"));
  }
  return static_cast<int64_t>(*value);
}

std::vector<Expression::NameUse> Expression::names() const {
  std::vector<NameUse> uses;
  for (const Node& node : nodes_) {
    if (node.kind == Node::Kind::kName) uses.push_back({node.word, place_of(node)});
  }
  return uses;
}

void Expression::collect_names(int index, std::vector<std::string>& into) const {
  const Node& node = nodes_[static_cast<size_t>(index)];
  if (node.kind == Node::Kind::kName) into.push_back(node.word);
  for (const int child : node.children) collect_names(child, into);
}

std::vector<std::string> Expression::zero_divisor(const NameLookup& names) const {
  for (const Node& node : nodes_) {
    if (!divides(node.word) || node.children.size() < 2) continue;
    const Result<double> divisor = value_of(
        node.children[1], [&names](std::string_view name, Effect) { return names(name); },
        Effect::kUnknown);
    if (!divisor.ok() || *divisor != 0) continue;
    std::vector<std::string> out;
    collect_names(node.children[1], out);
    return out;
  }
  return {};
}

Result<double> Expression::value_of(int index, const UseLookup& uses, Effect effect) const {
  const Node& node = nodes_[static_cast<size_t>(index)];
  switch (node.kind) {
    case Node::Kind::kNumber:
      return node.number;
    case Node::Kind::kName: {
      const std::optional<double> value = uses(node.word, effect);
      if (value) return *value;
      return unknown_name(node);
    }
    case Node::Kind::kNegate: {
      const Result<double> inner = value_of(node.children[0], uses, opposite(effect));
      if (!inner.ok()) return inner;
      return -*inner;
    }
    case Node::Kind::kBinary:
      return binary_value(node, uses, effect);
    case Node::Kind::kCall:
      return call_value(node, uses, effect);
  }
  return 0.0;
}

Result<double> Expression::binary_value(const Node& node, const UseLookup& uses,
                                        Effect effect) const {
  const bool grows = node.word == "+" || node.word == "*",
             falls = node.word == "-" || node.word == "/";
  const Effect first = grows || falls ? effect : Effect::kUnknown;
  const Result<double> left = value_of(node.children[0], uses, first);
  if (!left.ok()) return left;
  const Result<double> right = value_of(node.children[1], uses, falls ? opposite(effect) : first);
  if (!right.ok()) return right;
  const double a = *left;
  const double b = *right;
  if (divides(node.word) && b == 0)
    return division_by_zero(nodes_[static_cast<size_t>(node.children[1])]);
  return operation_of(node.word)(a, b);
}

Diagnostic Expression::unknown_name(const Node& node) const {
  return make_error_at(place_of(node), "expression",
                       sentence("there is no name '{name}' here", {{"name", node.word}}));
}

Diagnostic Expression::division_by_zero(const Node& divisor) const {
  const std::string name = text_.substr(static_cast<size_t>(divisor.begin),
                                        static_cast<size_t>(divisor.end - divisor.begin));
  return make_error_at(place_of(divisor), "expression",
                       sentence("division by zero: {name} is 0", {{"name", name}}));
}

Result<double> Expression::call_value(const Node& node, const UseLookup& uses,
                                      Effect effect) const {
  std::vector<double> values;
  for (size_t i = 0; i < node.children.size(); ++i) {
    const Effect part = node.word == "abs"                  ? Effect::kUnknown
                        : node.word == "ceil_div" && i == 1 ? opposite(effect)
                                                            : effect;
    const Result<double> value = value_of(node.children[i], uses, part);
    if (!value.ok()) return value;
    values.push_back(*value);
  }
  if (values.size() == 1) return value_of_function(node.word, values[0]);
  if (divides(node.word) && values[1] == 0) {
    return make_error_at(place_of(node), "expression", sentence("division by zero in ceil_div"));
  }
  return std::accumulate(values.begin() + 1, values.end(), values[0], operation_of(node.word));
}

Result<std::vector<double>> Expression::evaluate_each(size_t count,
                                                      const ColumnLookup& names) const {
  return column_of(root_, count, names);
}

Result<std::vector<double>> Expression::column_of(int index, size_t count,
                                                  const ColumnLookup& names) const {
  const Node& node = nodes_[static_cast<size_t>(index)];
  if (node.kind == Node::Kind::kNumber) return std::vector<double>(count, node.number);
  if (node.kind == Node::Kind::kName) {
    const std::optional<std::span<const double>> found = names(node.word);
    if (!found) return unknown_name(node);
    return found->size() == 1 ? std::vector<double>(count, found->front())
                              : std::vector<double>(found->begin(), found->end());
  }
  Result<std::vector<double>> out = column_of(node.children[0], count, names);
  if (!out.ok()) return out;
  if (node.kind == Node::Kind::kNegate) {
    for (double& value : *out) value = -value;
  } else if (node.children.size() == 1) {
    for (double& value : *out) value = value_of_function(node.word, value);
  }
  for (size_t k = 1; k < node.children.size(); ++k) {
    const Result<std::vector<double>> right = column_of(node.children[k], count, names);
    if (!right.ok()) return right;
    if (divides(node.word) && std::find(right->begin(), right->end(), 0.0) != right->end())
      return division_by_zero(nodes_[static_cast<size_t>(node.children[k])]);
    std::transform(out->begin(), out->end(), right->begin(), out->begin(), operation_of(node.word));
  }
  return out;
}

SourcePlace Expression::place_of(const Node& node) const {
  SourcePlace place = place_;
  if (place.column > 0) place.column += node.begin;
  place.length = node.end - node.begin;
  return place;
}

NameLookup lookup_in(const std::map<std::string, int64_t>& variables) {
  return [&variables](std::string_view name) -> std::optional<double> {
    const auto found = variables.find(std::string(name));
    if (found == variables.end()) return std::nullopt;
    return static_cast<double>(found->second);
  };
}

std::string number_text(double value) {
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
  char buffer[400];
  if (value != std::floor(value) && std::abs(value) < 0.01) {
    std::snprintf(buffer, sizeof buffer, "%.3g", value);  // fixed decimals would lose 0.00125
    return buffer;
  }
  std::snprintf(buffer, sizeof buffer, "%.3f", value);
  std::string text = buffer;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : grouped(std::move(text));
}

}  // namespace warpshop
