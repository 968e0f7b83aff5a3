#include "core/expression.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warpshop::lab {
namespace {

const std::map<std::string, int64_t> kNames = {{"n", 1000}, {"zero", 0}, {"reference.loads", 7}};

struct ValueCase {
  const char* text;
  double expected;
};

TEST(Expression, ValuesFollowTheUsualRules) {
  const ValueCase kCases[] = {
      {"4", 4},
      {"1.5", 1.5},
      {"1e3", 1000},
      {".5", 0.5},
      {"1 + 2 * 3", 7},
      {"(1 + 2) * 3", 9},
      {"10 - 4 - 3", 3},
      {"24 / 4 / 3", 2},
      {"7 / 2", 3.5},
      {"7 % 4", 3},
      {"-3 + 5", 2},
      {"- -3", 3},
      {"2 * -3", -6},
      {"n", 1000},
      {"2 * 4 * n", 8000},
      {"n*n", 1000000},
      {"reference.loads + 1", 8},
      {"min(3, 1, 2)", 1},
      {"max(3, n)", 1000},
      {"ceil_div(n, 256)", 4},
      {"floor(7 / 2)", 3},
      {"ceil(7 / 2)", 4},
      {"abs(3 - 10)", 7},
      {"min(max(1, 2), 5)", 2},
      {"1 < 2", 1},
      {"2 <= 1", 0},
      {"3 > 2", 1},
      {"2 >= 2", 1},
      {"n == 1000", 1},
      {"n != 1000", 0},
      {"1 + 1 == 2", 1},
      {"  n  ", 1000},
  };
  for (const ValueCase& c : kCases) {
    const Result<Expression> expression = Expression::parse(c.text);
    ASSERT_TRUE(expression.ok()) << c.text << ": " << render(expression.errors());
    const Result<double> value = expression->evaluate(lookup_in(kNames));
    ASSERT_TRUE(value.ok()) << c.text << ": " << render(value.errors());
    EXPECT_DOUBLE_EQ(*value, c.expected) << c.text;
  }
}

// A use of x counts 10 if it raises the value, 2 if it lowers it, and 5 if that is unknown.
TEST(Expression, EachUseOfANameHasAnEffect) {
  const ValueCase kCases[] = {
      {"x", 10},
      {"x / x", 5},
      {"x - x", 8},
      {"-x", -2},
      {"- -x", 10},
      {"1 / (1 / x)", 10},
      {"x / (x + x)", 2.5},
      {"x * x", 100},
      {"12 - (x - x)", 20},  // 12 − (2 − 10)
      {"max(x, 1) + ceil(x)", 20},
      {"ceil_div(x, x)", 5},
      {"x % 3", 2},
      {"abs(x)", 5},
      {"x < 6", 1},
  };
  for (const ValueCase& c : kCases) {
    const Result<double> value =
        Expression::parse(c.text)->evaluate_uses([](std::string_view, Effect effect) {
          return std::optional<double>(effect == Effect::kRaises   ? 10
                                       : effect == Effect::kLowers ? 2
                                                                   : 5);
        });
    ASSERT_TRUE(value.ok()) << c.text;
    EXPECT_DOUBLE_EQ(*value, c.expected) << c.text;
  }
}

struct ErrorCase {
  const char* text;
  int column;           // of the error; the expression starts at column 11
  const char* message;  // part of the message
};

TEST(Expression, ErrorsSayWhatWasExpectedAndWhere) {
  const ErrorCase kCases[] = {
      {"", 11, "empty"},
      {"  ", 13, "empty"},
      {"1 +", 14, "expected a number, a name or '(' at the end"},
      {"(1 + 2", 17, "expected ')', found the end"},
      {"1 2", 13, "expected an operator or the end, found '2'"},
      {"n $ 2", 13, "found '$'"},
      {"* 2", 11, "found '*'"},
      {"max(1)", 11, "max takes 2 or more arguments, not 1"},
      {"floor(1, 2)", 11, "floor takes 1 argument, not 2"},
      {"sqrt(2)", 11, "there is no function 'sqrt'"},
      {"min(1, 2", 19, "expected ')', found the end"},
      {"1 < 2 < 3", 17, "found '<'"},
  };
  for (const ErrorCase& c : kCases) {
    const Result<Expression> expression = Expression::parse(c.text, {"lab.toml", 3, 11});
    ASSERT_FALSE(expression.ok()) << c.text;
    const Diagnostic& error = expression.errors().front();
    EXPECT_EQ(error.place.file, "lab.toml");
    EXPECT_EQ(error.place.line, 3);
    EXPECT_EQ(error.place.column, c.column) << c.text << ": " << error.message;
    EXPECT_NE(error.message.english().find(c.message), std::string::npos)
        << c.text << ": " << error.message;
  }
}

TEST(Expression, NestingIsBounded) {
  const std::string deep = std::string(5000, '(') + "1" + std::string(5000, ')');
  EXPECT_FALSE(Expression::parse(deep).ok());
  EXPECT_FALSE(Expression::parse(std::string(5000, '-') + "1").ok());
}

// Each operator of a chain is one level of the tree.
TEST(Expression, LengthIsBounded) {
  const auto chain = [](size_t operators) {
    std::string text = "1";
    for (size_t n = 0; n < operators; ++n) text += " + 1";
    return text;
  };
  const Result<Expression> long_one = Expression::parse(chain(450));
  ASSERT_TRUE(long_one.ok());
  EXPECT_EQ(*long_one->evaluate(lookup_in(kNames)), 451.0);
  const Result<Expression> too_long = Expression::parse(chain(200000));
  ASSERT_FALSE(too_long.ok());
  const std::string message = too_long.errors().front().message.english();
  EXPECT_NE(message.find("too long"), std::string::npos);
  EXPECT_LT(message.size(), 100u) << "the text is not repeated";
  std::string calls = "1";
  for (int n = 0; n < 200000; ++n) calls += " * n % n / n - abs(n)";
  EXPECT_FALSE(Expression::parse(calls).ok());
}

TEST(Expression, EvaluationErrorsPointAtTheOperand) {
  const ErrorCase kCases[] = {
      {"n / zero", 15, "division by zero: zero is 0"},
      {"n % (1 - 1)", 16, "division by zero: 1 - 1 is 0"},
      {"1 + nothing", 15, "there is no name 'nothing'"},
      {"ceil_div(1, zero)", 11, "division by zero"},
  };
  for (const ErrorCase& c : kCases) {
    const Result<Expression> expression = Expression::parse(c.text, {"lab.toml", 3, 11});
    ASSERT_TRUE(expression.ok()) << c.text;
    const Result<double> value = expression->evaluate(lookup_in(kNames));
    ASSERT_FALSE(value.ok()) << c.text;
    EXPECT_EQ(value.errors().front().place.column, c.column) << c.text;
    EXPECT_NE(value.errors().front().message.english().find(c.message), std::string::npos)
        << value.errors().front().message;
  }
}

TEST(Expression, WholeNumbersAreDemanded) {
  const auto whole = [](const char* text) {
    return Expression::parse(text)->evaluate_whole(lookup_in(kNames));
  };
  EXPECT_EQ(whole("n * n").value(), 1000000);
  EXPECT_FALSE(whole("n / 3").ok());
  EXPECT_FALSE(whole("1e300").ok());
}

TEST(Expression, NamesAreListedWithTheirPlaces) {
  const Result<Expression> expression = Expression::parse("a.b / min(c, 2)", {"lab.toml", 1, 5});
  ASSERT_TRUE(expression.ok());
  const auto names = expression->names();
  ASSERT_EQ(names.size(), 2U);
  EXPECT_EQ(names[0].name, "a.b");
  EXPECT_EQ(names[0].place.column, 5);
  EXPECT_EQ(names[0].place.length, 3);
  EXPECT_EQ(names[1].name, "c");
  EXPECT_EQ(names[1].place.column, 15);
}

TEST(NumberText, IsWhatAPersonWouldWrite) {
  struct {
    double value;
    const char* expected;
  } const kCases[] = {
      {0, "0"},
      {4, "4"},
      {999, "999"},
      {1000, "1,000"},
      {1234567, "1,234,567"},
      {3.5625, "3.562"},
      {0.25, "0.25"},
      {-1024, "-1,024"},
      {-0.0, "0"},
      {0.00125, "0.00125"},
      {12345.5, "12,345.5"},
      {std::nan(""), "nan"},
  };
  for (const auto& c : kCases) EXPECT_EQ(number_text(c.value), c.expected);
}

// The names in a divisor that is 0, so that a check can explain the failure.
TEST(Expression, TheNamesOfADivisorThatIsZero) {
  struct DivisorCase {
    const char* text;
    std::vector<std::string> names;
  };
  const DivisorCase cases[] = {{"n / zero", {"zero"}},
                               {"n / (zero + nothing)", {"zero", "nothing"}},
                               {"max(n / 2, n / zero)", {"zero"}},
                               {"ceil_div(n, nothing)", {"nothing"}},
                               {"zero / n", {}},
                               {"n / (zero + n)", {}}};
  const std::map<std::string, int64_t> variables = {{"n", 4}, {"zero", 0}, {"nothing", 0}};
  const NameLookup names = lookup_in(variables);
  for (const DivisorCase& c : cases) {
    const Result<Expression> expression = Expression::parse(c.text);
    ASSERT_TRUE(expression.ok()) << c.text;
    EXPECT_EQ(expression->zero_divisor(names), c.names) << c.text;
  }
}

}  // namespace
}  // namespace warpshop::lab
