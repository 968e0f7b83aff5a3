// C++'s arithmetic of integers and floating-point numbers over the words of host code, and the same
// value as an expression of a lab file.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "own_kernel/host_number.h"

namespace warpshop::lab {

bool is_name(std::string_view word);
bool is_rounding(std::string_view word);  // ceil, floor
bool is_floating_type(std::string_view word);

class HostArithmetic {
 public:
  struct Value {
    double number = 0;
    bool whole = true;
    // The value is factor × of_n, an operand of a product in a lab file; empty: a constant.
    std::string of_n = {};
    double factor = 1;
    std::string text() const;  // of a lab file: "768 * n"
  };
  // `sizes`: the names that a lab file calls n.
  HostArithmetic(const std::vector<std::string>& words,
                 const std::map<std::string, HostNumber::Constant>& names,
                 const std::set<std::string>& sizes)
      : words_(words), names_(names), sizes_(sizes) {}

  std::optional<Value> run();

  static Value product(const Value& left, const Value& right);
  // Rounds towards zero if both are integers. `right` must not be 0.
  static Value quotient(const Value& left, const Value& right);

 private:
  bool takes(std::string_view word);
  Value fail();
  Value shift();
  Value sum();
  Value products();
  Value unary();
  Value in_brackets();
  Value primary();
  Value size_of_type();
  Value literal(const std::string& word);

  const std::vector<std::string>& words_;
  const std::map<std::string, HostNumber::Constant>& names_;
  const std::set<std::string>& sizes_;
  size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace warpshop::lab
