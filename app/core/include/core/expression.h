// The small arithmetic of lab files: counts, values, metrics and limits.
//
//   comparison := sum (("<" | "<=" | ">" | ">=" | "==" | "!=") sum)?
//   sum        := product (("+" | "-") product)*
//   product    := unary (("*" | "/" | "%") unary)*
//   unary      := "-" unary | primary
//   primary    := number | name | function "(" comparison ("," comparison)* ")" | "(" comparison
//   ")"
//
// Numbers are doubles: integers are exact up to 2^53. `/` is exact division. Names may contain
// dots. Functions: min, max, ceil_div, floor, ceil, abs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace warpshop {

// The value of a name; nothing if there is no such name.
using NameLookup = std::function<std::optional<double>(std::string_view name)>;

// How an expression's value changes as a name's value grows: n in "n - 1", in "1 / n", and in "n %
// 2".
enum class Effect { kRaises, kLowers, kUnknown };
// The same for a single use of a name: in "a / (a + b)", the first a raises the value and the
// second lowers it.
using UseLookup = std::function<std::optional<double>(std::string_view name, Effect effect)>;
// A name's values, one per element, or a single one for all. They must outlive the evaluation.
using ColumnLookup = std::function<std::optional<std::span<const double>>(std::string_view name)>;

class Expression {
 public:
  // `place`: the position of the text's first character; errors point into the text. Error: what
  // was expected, and at which character.
  static Result<Expression> parse(std::string_view text, SourcePlace place = {});

  // Error: an unknown name, or a division by zero (naming the operand that was 0).
  Result<double> evaluate(const NameLookup& names) const;
  // The same, where each use of a name may have its own value. Effects assume positive values.
  Result<double> evaluate_uses(const UseLookup& uses) const;
  // Like evaluate, but the value must be an integer.
  Result<int64_t> evaluate_whole(const NameLookup& names) const;
  // The values of `count` elements at once. Errors as in evaluate.
  Result<std::vector<double>> evaluate_each(size_t count, const ColumnLookup& names) const;

  // Every name used, with its place, in text order.
  struct NameUse {
    std::string name;
    SourcePlace place;
  };
  std::vector<NameUse> names() const;
  // The names in the first divisor that is 0; empty: no division by 0.
  std::vector<std::string> zero_divisor(const NameLookup& names) const;
  const std::string& text() const { return text_; }

 private:
  friend class ExpressionParser;
  struct Node {
    enum class Kind : uint8_t { kNumber, kName, kNegate, kBinary, kCall };
    Kind kind = Kind::kNumber;
    double number = 0;
    std::string word = {};           // name, operator or function
    std::vector<int> children = {};  // into nodes_
    int begin = 0;                   // span in text_
    int end = 0;
  };
  Result<double> value_of(int node, const UseLookup& uses, Effect effect) const;
  Result<double> binary_value(const Node& node, const UseLookup& uses, Effect effect) const;
  Result<double> call_value(const Node& node, const UseLookup& uses, Effect effect) const;
  Result<std::vector<double>> column_of(int node, size_t count, const ColumnLookup& names) const;
  Diagnostic unknown_name(const Node& node) const;
  Diagnostic division_by_zero(const Node& divisor) const;
  SourcePlace place_of(const Node& node) const;
  void collect_names(int node, std::vector<std::string>& into) const;

  std::string text_;
  SourcePlace place_;
  std::vector<Node> nodes_;
  int root_ = -1;
};

// Looks names up among a size's variables.
NameLookup lookup_in(const std::map<std::string, int64_t>& variables);
NameLookup lookup_in(std::map<std::string, int64_t>&&) = delete;  // it refers to the map

// "4", "3.56", "1,024": at most three significant decimals after the point, thousands separated.
std::string number_text(double value);

}  // namespace warpshop
