#include "core/diagnostic.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string_view>

#include "core/result.h"

namespace warpshop {
namespace {

Diagnostic with_severity(Severity severity, Diagnostic diagnostic) {
  diagnostic.severity = severity;
  return diagnostic;
}

struct RenderCase {
  const char* name;
  Diagnostic diagnostic;
  const char* source;
  const char* expected;
};

class Render : public testing::TestWithParam<RenderCase> {};

TEST_P(Render, ShowsPlaceLineCaretAndHelp) {
  EXPECT_EQ(render(GetParam().diagnostic, GetParam().source), GetParam().expected);
}

const RenderCase kRenderCases[] = {
    {.name = "no_place",
     .diagnostic = make_error("usage", "two files given, one expected"),
     .source = "",
     .expected = "error: two files given, one expected"},
    {.name = "file_only",
     .diagnostic = make_error_at({"a.cu"}, "file", "cannot open", "check the name"),
     .source = "",
     .expected = "a.cu: error: cannot open\n  help: check the name"},
    {.name = "caret_and_length",
     .diagnostic = make_error_at({"a.cu", 2, 5, 3}, "compile", "bad name"),
     .source = "one\nint foo;\nthree\n",
     .expected = "a.cu:2:5: error: bad name\n  2 | int foo;\n    |     ^~~"},
    {.name = "line_without_column",
     .diagnostic =
         with_severity(Severity::kWarning, make_error_at({"a.cu", 1}, "compile", "unused")),
     .source = "int x;",
     .expected = "a.cu:1: warning: unused\n  1 | int x;"},
    {.name = "tab_before_the_caret",
     .diagnostic = make_error_at({"a.cu", 1, 2, 1}, "compile", "m"),
     .source = "\tx;",
     .expected = "a.cu:1:2: error: m\n  1 |     x;\n    |     ^"},
    {.name = "tab_after_text_goes_to_the_next_stop",
     .diagnostic = make_error_at({"a.cu", 1, 3, 2}, "compile", "m"),
     .source = "a\tbc",
     .expected = "a.cu:1:3: error: m\n  1 | a   bc\n    |     ^~"},
    {.name = "wide_characters_take_one_column",
     .diagnostic = make_error_at({"a.cu", 1, 4, 1}, "compile", "m"),
     .source = "\xC3\xA9 x",
     .expected = "a.cu:1:4: error: m\n  1 | \xC3\xA9 x\n    |   ^"},
    {.name = "column_past_the_end_is_the_end",
     .diagnostic = make_error_at({"a.cu", 1, 99, 50}, "compile", "m"),
     .source = "ab\r\n",
     .expected = "a.cu:1:99: error: m\n  1 | ab\n    |   ^"},
    {.name = "length_past_the_end_is_cut",
     .diagnostic = make_error_at({"a.cu", 1, 2, 50}, "compile", "m"),
     .source = "abc",
     .expected = "a.cu:1:2: error: m\n  1 | abc\n    |  ^~"},
    {.name = "line_past_the_end_shows_no_text",
     .diagnostic = make_error_at({"a.cu", 9, 1, 1}, "compile", "m"),
     .source = "abc\n",
     .expected = "a.cu:9:1: error: m"},
    {.name = "line_of_an_unnamed_text",
     .diagnostic = make_error_at({"", 3, 0, 0}, "compile", "m"),
     .source = "",
     .expected = "line 3: error: m"},
};

INSTANTIATE_TEST_SUITE_P(Table, Render, testing::ValuesIn(kRenderCases),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Diagnostics, RenderInOrder) {
  const Diagnostics list = {make_error("usage", "first"),
                            with_severity(Severity::kNote, make_error("usage", "second"))};
  EXPECT_EQ(render(list), "error: first\nnote: second");
}

TEST(Diagnostics, OnlyErrorsCountAsErrors) {
  EXPECT_FALSE(has_errors({}));
  EXPECT_FALSE(has_errors({with_severity(Severity::kWarning, make_error("usage", "m"))}));
  EXPECT_TRUE(has_errors(
      {with_severity(Severity::kNote, make_error("usage", "m")), make_error("usage", "m")}));
}

TEST(ResultValue, HoldsValueOrErrors) {
  Result<int> good = 3;
  ASSERT_TRUE(good.ok());
  EXPECT_EQ(*good, 3);
  Result<int> bad = make_error("usage", "no");
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.errors().front().message, "no");
  EXPECT_TRUE(success().ok());
}

TEST(DiagnosticKind, EachNameIsOneRow) {
  std::set<std::string_view> names;
  for (const std::string_view name : {
#define WARPSHOP_KIND(name, about) std::string_view(name),
#include "core/diagnostic_kinds.def"
#undef WARPSHOP_KIND
       }) {
    EXPECT_TRUE(names.insert(name).second) << name << " twice";
    const std::optional<DiagnosticKind> kind = DiagnosticKind::named(name);
    ASSERT_TRUE(kind.has_value()) << name;
    EXPECT_EQ(kind->name(), name);
  }
  EXPECT_GT(names.size(), 50U);
  EXPECT_FALSE(DiagnosticKind::named("no-such-kind").has_value());
  EXPECT_FALSE(DiagnosticKind::named("").has_value());
  EXPECT_TRUE(DiagnosticKind("gpu-lost") == *DiagnosticKind::named("gpu-lost"));
  EXPECT_FALSE(DiagnosticKind("gpu-lost") == DiagnosticKind("file"));
}

}  // namespace
}  // namespace warpshop
