#include "own_kernel/host_arithmetic.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

#include "core/ascii.h"
#include "lab/value_type.h"

namespace warpshop::lab {
namespace {

using HostValue = HostArithmetic::Value;

// "int", "unsigned long", "float": words that begin at `at`; how many.
size_t type_words(const std::vector<std::string>& words, size_t at) {
  size_t end = at;
  while (end < words.size() && is_name(words[end]) && value_type_named(words[end])) ++end;
  return end - at;
}

HostValue constant(double number, bool whole) { return {.number = number, .whole = whole}; }

// An operand that depends on n.
HostValue over_n(double number, bool whole, std::string text) {
  return {.number = number, .whole = whole, .of_n = std::move(text)};
}

std::string as_operand(const HostValue& value) {
  const std::string text = value.text();
  return text.find(' ') == std::string::npos ? text : "(" + text + ")";
}

HostValue cut(const HostValue& value) {
  if (value.whole) return value;
  const double number = std::trunc(value.number);
  return value.of_n.empty() ? constant(number, true)
                            : over_n(number, true, "floor(" + value.text() + ")");
}

HostValue converted(HostValue value, bool floating) {
  if (!floating) return cut(value);
  value.whole = false;
  return value;
}

}  // namespace

bool is_name(std::string_view word) { return is_letter(word[0]) || word[0] == '_'; }
bool is_rounding(std::string_view word) {
  return word == "ceil" || word == "ceilf" || word == "floor" || word == "floorf";
}
bool is_floating_type(std::string_view word) { return word == "float" || word == "double"; }

std::string HostArithmetic::Value::text() const {
  if (of_n.empty()) return plain_number(number);
  return factor == 1 ? of_n : plain_number(factor) + " * " + of_n;
}

HostValue HostArithmetic::product(const Value& left, const Value& right) {
  const bool whole = left.whole && right.whole;
  const double number = left.number * right.number;
  if (left.of_n.empty() && right.of_n.empty()) return constant(number, whole);
  Value out = over_n(number, whole, left.of_n);
  if (!right.of_n.empty()) out.of_n += (out.of_n.empty() ? "" : " * ") + right.of_n;
  out.factor = (left.of_n.empty() ? left.number : left.factor) *
               (right.of_n.empty() ? right.number : right.factor);
  return out;
}

HostValue HostArithmetic::quotient(const Value& left, const Value& right) {
  const bool whole = left.whole && right.whole;
  const double exact = left.number / right.number, number = whole ? std::trunc(exact) : exact;
  if (left.of_n.empty() && right.of_n.empty()) return constant(number, whole);
  if (right.of_n.empty() && std::fmod(left.factor, right.number) == 0) {
    Value out = left;
    out.number = number;
    out.whole = whole;
    out.factor /= right.number;
    return out;
  }
  const std::string text = left.text() + " / " + as_operand(right);
  return over_n(number, whole, whole ? "floor(" + text + ")" : "(" + text + ")");
}

std::optional<HostValue> HostArithmetic::run() {
  const Value value = shift();
  if (failed_ || at_ != words_.size() || !std::isfinite(value.number)) return std::nullopt;
  return value;
}

bool HostArithmetic::takes(std::string_view word) {
  if (at_ >= words_.size() || words_[at_] != word) return false;
  ++at_;
  return true;
}

HostValue HostArithmetic::fail() {
  failed_ = true;
  at_ = words_.size();
  return {};
}

HostValue HostArithmetic::shift() {
  Value left = sum();
  while (!failed_) {
    const bool up = takes("<<");
    if (!up && !takes(">>")) break;
    const Value right = sum();
    // No lab file can shift by something that depends on n.
    if (!left.whole || !right.whole || right.number < 0 || right.number > 62 || !right.of_n.empty())
      return fail();
    const Value power = constant(std::exp2(right.number), true);
    const double number = std::floor(left.number / power.number);
    left = up ? product(left, power) : quotient(left, power);
    if (!up) left.number = number;
  }
  return left;
}

HostValue HostArithmetic::sum() {
  Value left = products();
  while (!failed_) {
    const bool plus = takes("+");
    if (!plus && !takes("-")) break;
    const Value right = products();
    const double number = plus ? left.number + right.number : left.number - right.number;
    const bool whole = left.whole && right.whole;
    left = left.of_n.empty() && right.of_n.empty()
               ? constant(number, whole)
               : over_n(number, whole,
                        "(" + left.text() + (plus ? " + " : " - ") + right.text() + ")");
  }
  return left;
}

HostValue HostArithmetic::products() {
  Value left = unary();
  while (!failed_ && at_ < words_.size()) {
    const std::string& sign = words_[at_];
    if (sign != "*" && sign != "/" && sign != "%") break;
    ++at_;
    const Value right = unary();
    if (sign == "*") {
      left = product(left, right);
      continue;
    }
    if (right.number == 0 || (sign == "%" && !(left.whole && right.whole))) return fail();
    if (sign == "/") {
      left = quotient(left, right);
      continue;
    }
    const double number = std::fmod(left.number, right.number);
    left = left.of_n.empty() && right.of_n.empty()
               ? constant(number, true)
               : over_n(number, true, "(" + left.text() + " % " + as_operand(right) + ")");
  }
  return left;
}

HostValue HostArithmetic::unary() {
  if (takes("-")) return product(constant(-1, true), unary());
  if (takes("+")) return unary();
  if (at_ + 1 < words_.size() && words_[at_] == "(") {
    const size_t type = type_words(words_, at_ + 1);
    if (type > 0 && at_ + 1 + type < words_.size() && words_[at_ + 1 + type] == ")") {
      const bool floating = is_floating_type(words_[at_ + type]);
      at_ += type + 2;
      return converted(unary(), floating);
    }
  }
  return primary();
}

HostValue HostArithmetic::in_brackets() {
  if (!takes("(")) return fail();
  const Value value = shift();
  return takes(")") ? value : fail();
}

HostValue HostArithmetic::primary() {
  if (at_ >= words_.size()) return fail();
  const std::string word = words_[at_];
  if (word == "(") return in_brackets();
  ++at_;
  if (word == "sizeof") return size_of_type();
  if (is_rounding(word)) {
    const Value value = in_brackets();
    const bool up = word[0] == 'c';
    const double number = up ? std::ceil(value.number) : std::floor(value.number);
    return value.of_n.empty()
               ? constant(number, false)
               : over_n(number, false, (up ? "ceil(" : "floor(") + value.text() + ")");
  }
  if (const auto known = names_.find(word); known != names_.end()) {
    Value value = constant(known->second.value, known->second.whole);
    if (sizes_.contains(word)) value.of_n = "n";
    return value;
  }
  if (!is_name(word)) return literal(word);
  if (value_type_named(word)) return converted(in_brackets(), is_floating_type(word));
  return fail();
}

HostValue HostArithmetic::size_of_type() {
  if (!takes("(")) return fail();
  std::string type;
  for (; at_ < words_.size() && is_name(words_[at_]); ++at_)
    type += (type.empty() ? "" : " ") + words_[at_];
  const std::optional<ValueType> known = value_type_named(type);
  return known && takes(")") ? constant(known->size_bytes(), true) : fail();
}

HostValue HostArithmetic::literal(const std::string& word) {
  std::string digits = word;
  std::erase(digits, '\'');
  const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
  const bool whole = hexadecimal || digits.find_first_of(".eE") == std::string::npos;
  char* end = nullptr;
  const double number = whole ? static_cast<double>(std::strtoll(digits.c_str(), &end, 0))
                              : std::strtod(digits.c_str(), &end);
  const std::string_view suffix = end;
  if (end == digits.c_str() ||
      suffix.find_first_not_of(whole ? "uUlL" : "fFlL") != std::string_view::npos)
    return fail();
  return constant(number, whole);
}

}  // namespace warpshop::lab
