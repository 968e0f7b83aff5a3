#include "expressions.h"

#include <bit>

namespace warpshop::ptx {
namespace {

std::optional<Constant> parse_ternary(Context& context);

std::optional<Constant> failed(Context& context, const Token& where, std::string message) {
  context.fail_at(where, std::move(message));
  return std::nullopt;
}

struct Operator {
  std::string_view text;
  int strength;  // higher binds tighter; as in C
};
// clang-format off
constexpr Operator kOperators[] = {
    {"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5},  {"==", 6}, {"!=", 6},
    {"<", 7},  {">", 7},  {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"+", 9},
    {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10},
};
// clang-format on

const Operator* operator_at(const Context& context) {
  const Token& token = context.token();
  if (token.kind != TokenKind::kMark || token.is(',') || token.is(';')) return nullptr;
  for (const Operator& candidate : kOperators) {
    if (token.text == candidate.text) return &candidate;
  }
  return nullptr;
}

std::optional<Constant> apply_to_floats(Context& context, const Token& where, double a, double b) {
  const std::string_view op = where.text;
  if (op == "+") return Constant::of(a + b);
  if (op == "-") return Constant::of(a - b);
  if (op == "*") return Constant::of(a * b);
  if (op == "/") return Constant::of(a / b);
  const auto truth = [](bool value) { return Constant::of(int64_t{value}); };
  if (op == "<") return truth(a < b);
  if (op == ">") return truth(a > b);
  if (op == "<=") return truth(a <= b);
  if (op == ">=") return truth(a >= b);
  if (op == "==") return truth(a == b);
  if (op == "!=") return truth(a != b);
  return failed(context, where,
                "'" + std::string(op) + "' takes integers, not floating-point constants");
}

// PTX ISA §4.5.5: the usual conversions (unsigned if either operand is), with exceptions marked
// below. Where the manual is silent, this does what ptxas 13.0 does.
std::optional<Constant> apply(Context& context, const Token& where, const Constant& left,
                              const Constant& right) {
  if (left.is_float() || right.is_float()) {
    return apply_to_floats(context, where, left.as_double(), right.as_double());
  }
  const std::string_view op = where.text;
  const uint64_t a = left.bits;
  const uint64_t b = right.bits;
  const auto sa = static_cast<int64_t>(a);
  const auto sb = static_cast<int64_t>(b);
  const bool is_unsigned =
      left.kind == Constant::Kind::kUnsigned || right.kind == Constant::Kind::kUnsigned;
  const Constant::Kind usual = is_unsigned ? Constant::Kind::kUnsigned : Constant::Kind::kSigned;
  const auto truth = [](bool value) { return Constant::of(int64_t{value}); };

  if (op == "+") return Constant{usual, a + b};
  if (op == "-") return Constant{usual, a - b};
  if (op == "*") return Constant{usual, a * b};
  if (op == "&") return Constant{usual, a & b};
  if (op == "|") return Constant{usual, a | b};
  if (op == "^") return Constant{usual, a ^ b};
  if (op == "&&") return truth(a != 0 && b != 0);
  if (op == "||") return truth(a != 0 || b != 0);
  if (op == "==") return truth(a == b);
  if (op == "!=") return truth(a != b);
  if (op == "<") return truth(is_unsigned ? a < b : sa < sb);
  if (op == ">") return truth(is_unsigned ? a > b : sa > sb);
  if (op == "<=") return truth(is_unsigned ? a <= b : sa <= sb);
  if (op == ">=") return truth(is_unsigned ? a >= b : sa >= sb);
  // A shift has the type of its first operand; the shift count is unsigned.
  if (op == "<<") return Constant{left.kind, a << (b & 63)};
  if (op == ">>" && left.kind == Constant::Kind::kUnsigned)
    return Constant{left.kind, a >> (b & 63)};
  if (op == ">>") return Constant::of(sa >> (b & 63));
  if (b == 0) return failed(context, where, "division by zero in a constant expression");
  if (op == "%") return Constant{Constant::Kind::kUnsigned, a % b};
  if (is_unsigned) return Constant{usual, a / b};
  return sb == -1 ? Constant{usual, 0 - a} : Constant::of(sa / sb);
}

std::optional<Constant> negate(const Constant& value) {
  switch (value.kind) {
    case Constant::Kind::kSigned:
    case Constant::Kind::kUnsigned:
      return Constant{value.kind, 0 - value.bits};
    case Constant::Kind::kFloat32:
      return Constant{value.kind, value.bits ^ 0x80000000u};
    case Constant::Kind::kFloat64:
      return Constant{value.kind, value.bits ^ (uint64_t{1} << 63)};
  }
  return std::nullopt;
}

std::optional<Constant> parse_unary(Context& context) {
  DepthGuard guard(context);
  if (guard.too_deep()) {
    context.fail("the constant expression is nested too deeply");
    return std::nullopt;
  }
  const Token& token = context.token();
  if (token.kind == TokenKind::kNumber) {
    const std::optional<Constant> value = read_number(token.text);
    if (!value) {
      return failed(context, token,
                    shown(token) + " is not a PTX number, or does not fit in 64 bits");
    }
    context.advance();
    return value;
  }
  if (context.accept(std::string_view("WARP_SZ"))) return Constant::of(int64_t{32});  // §4.5.1
  if (context.accept('+')) return parse_unary(context);
  if (context.accept('-')) {
    const auto value = parse_unary(context);
    return value ? negate(*value) : value;
  }
  if (token.is('!') || token.is('~')) {
    context.advance();
    const auto value = parse_unary(context);
    if (!value) return value;
    if (value->is_float()) return failed(context, token, shown(token) + " takes an integer");
    if (token.is('!')) return Constant::of(int64_t{value->bits == 0});
    return Constant{Constant::Kind::kUnsigned, ~value->bits};
  }
  if (!context.accept('(')) {
    return failed(context, token, "expected a constant, found " + shown(token));
  }
  if (context.token().kind == TokenKind::kDirective) {  // (.s64) or (.u64)
    const Token& type = context.token();
    if (!type.is(".s64") && !type.is(".u64")) {
      return failed(context, type, "expected .s64 or .u64 in a cast, found " + shown(type));
    }
    context.advance();
    if (!context.expect(')', "after the type of a cast")) return std::nullopt;
    const auto value = parse_unary(context);
    if (!value) return value;
    if (value->is_float()) return failed(context, type, "a cast takes an integer");
    return Constant{type.is(".s64") ? Constant::Kind::kSigned : Constant::Kind::kUnsigned,
                    value->bits};
  }
  const auto value = parse_ternary(context);
  if (!value || !context.expect(')', "to close the expression")) return std::nullopt;
  return value;
}

// Parses operators of at least precedence `weakest`, left-associatively.
std::optional<Constant> parse_binary(Context& context, int weakest) {
  auto left = parse_unary(context);
  while (left) {
    const Operator* op = operator_at(context);
    if (op == nullptr || op->strength < weakest) break;
    const Token& where = context.token();
    context.advance();
    const auto right = parse_binary(context, op->strength + 1);
    if (!right) return std::nullopt;
    left = apply(context, where, *left, *right);
  }
  return left;
}

std::optional<Constant> parse_ternary(Context& context) {
  DepthGuard guard(context);
  if (guard.too_deep()) {
    context.fail("the constant expression is nested too deeply");
    return std::nullopt;
  }
  const auto condition = parse_binary(context, 1);
  if (!condition || !context.accept('?')) return condition;
  const auto yes = parse_ternary(context);
  if (!yes || !context.expect(':', "between the values of '?'")) return std::nullopt;
  const auto no = parse_ternary(context);
  if (!no) return no;
  const bool holds = condition->is_float() ? condition->as_double() != 0 : condition->bits != 0;
  return holds ? yes : no;
}

}  // namespace

std::optional<Constant> parse_constant(Context& context) { return parse_ternary(context); }

std::optional<Constant> parse_integer(Context& context, std::string_view what) {
  const Token& where = context.token();
  const auto value = parse_constant(context);
  if (!value || !value->is_float()) return value;
  return failed(context, where,
                "expected an integer for " + std::string(what) + ", found " + shown(where));
}

bool at_constant(const Context& context) {
  const Token& token = context.token();
  return token.kind == TokenKind::kNumber || token.is('-') || token.is('+') || token.is('~') ||
         token.is('!') || token.is('(') || token.is("WARP_SZ");
}

}  // namespace warpshop::ptx
