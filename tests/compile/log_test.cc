// Parsing NVRTC's log, without NVRTC. The texts were produced by NVRTC 13.0.88.
#include <gtest/gtest.h>

#include "compile/compiler.h"

namespace warpshop::compile {
namespace {

struct Expected {
  Severity severity = Severity::kError;
  SourcePlace place;
  const char* message = "";
};

struct LogCase {
  const char* name;
  const char* log;
  std::vector<Expected> expected;
};

class Log : public testing::TestWithParam<LogCase> {};

TEST_P(Log, BecomesDiagnostics) {
  const SourcePlace end = {"a.cu", 9, 1, 1};
  const Diagnostics diagnostics = diagnostics_from_log(GetParam().log, end);
  ASSERT_EQ(diagnostics.size(), GetParam().expected.size()) << render(diagnostics);
  for (size_t i = 0; i < diagnostics.size(); ++i) {
    const Expected& expected = GetParam().expected[i];
    EXPECT_EQ(diagnostics[i].severity, expected.severity) << i;
    EXPECT_EQ(diagnostics[i].place, expected.place) << render(diagnostics[i]);
    EXPECT_EQ(diagnostics[i].message, expected.message) << i;
    EXPECT_EQ(diagnostics[i].kind.name(), "compile");
  }
}

const LogCase kLogCases[] = {
    {.name = "empty", .log = "", .expected = {}},
    {.name = "error_then_warning_then_summary",
     .log = "semi.cu(3): error: expected a \";\"\n"
            "    p[i] = 1;\n"
            "    ^\n"
            "\n"
            "semi.cu(2): warning #177-D: variable \"i\" was declared but never referenced\n"
            "    int i = threadIdx.x\n"
            "        ^\n"
            "\n"
            "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n"
            "\n"
            "1 error detected in the compilation of \"semi.cu\".\n",
     .expected = {{Severity::kError, {"semi.cu", 3, 3, 1}, "expected a \";\""},
                  {Severity::kWarning,
                   {"semi.cu", 2, 7, 1},
                   "variable \"i\" was declared but never referenced"}}},
    {.name = "tabs_count_as_one_column",
     .log = "undecl.cu(2): error: identifier \"foo\" is undefined\n"
            "  \tint i = threadidx.x;\tp[i] = foo(1);\n"
            "  \t                    \t       ^\n",
     .expected = {{Severity::kError, {"undecl.cu", 2, 30, 3}, "identifier \"foo\" is undefined"}}},
    {.name = "columns_count_bytes",
     .log = "utf.cu(2): error: identifier \"foo\" is undefined\n"
            "  /* \xC3\xA9 */ p[0] = foo; }\n"
            "                  ^\n",
     .expected = {{Severity::kError, {"utf.cu", 2, 17, 3}, "identifier \"foo\" is undefined"}}},
    {.name = "more_of_the_message_and_a_note",
     .log = "tmpl.cu(7): error: no instance of function template \"f\" matches the argument list\n"
            "            argument types are: (int, float)\n"
            "  { f(1, 2.0f); }\n"
            "    ^\n"
            "tmpl.cu(1): note #3327-D: candidate function template \"f\" failed deduction\n"
            "  template <class T> __device__ T f(T a, T b) { return a.x + b; }\n"
            "                                  ^\n"
            "\n",
     .expected = {{Severity::kError,
                   {"tmpl.cu", 7, 3, 1},
                   "no instance of function template \"f\" matches the argument list; argument "
                   "types are: (int, float)"},
                  {Severity::kNote,
                   {"tmpl.cu", 1, 33, 1},
                   "candidate function template \"f\" failed deduction"}}},
    {.name = "where_a_template_came_from",
     .log =
         "tmpl.cu(4): error: static assertion failed with \"N is too small\"\n"
         "    static_assert(N > 2, \"N is too small\");\n"
         "    ^\n"
         "          detected during instantiation of \"void k<N>(float *) [with N=1]\" at line 6\n",
     .expected = {{Severity::kError,
                   {"tmpl.cu", 4, 3, 13},
                   "static assertion failed with \"N is too small\"; detected during instantiation "
                   "of \"void k<N>(float *) [with N=1]\" at line 6"}}},
    {.name = "end_of_source",
     .log = "At end of source: error: expected a \"}\"\n"
            "a.cu(7): note #3196-D: to match this \"{\"\n"
            "  void g() {\n"
            "           ^\n",
     .expected = {{Severity::kError, {"a.cu", 9, 1, 1}, "expected a \"}\""},
                  {Severity::kNote, {"a.cu", 7, 10, 1}, "to match this \"{\""}}},
    {.name = "catastrophic",
     .log = "host.cu(1): catastrophic error: cannot open source file \"iostream\"\n"
            "  #include <iostream>\n"
            "                     ^\n"
            "\n"
            "1 catastrophic error detected in the compilation of \"host.cu\".\n"
            "Compilation terminated.\n",
     .expected = {{Severity::kError,
                   {"host.cu", 1, 20, 1},
                   "cannot open source file \"iostream\""}}},
    {.name = "a_file_name_with_parentheses_and_colon",
     .log = "my (old): kernel(2).cu(3): error: expected an expression\n",
     .expected = {{Severity::kError,
                   {"my (old): kernel(2).cu", 3, 0, 0},
                   "expected an expression"}}},
    {.name = "the_launch_function",
     .log = "<launch>(2): error: identifier \"launch\" is undefined\n"
            "  launch(3);\n"
            "  ^\n",
     .expected = {{Severity::kError, {"<launch>", 2, 1, 6}, "identifier \"launch\" is undefined"}}},
    {.name = "back_end_without_place",
     .log = "ptxas fatal   : Unresolved extern function '_Z3foof'\n",
     .expected = {{Severity::kError, {}, "Unresolved extern function '_Z3foof'"}}},
    {.name = "back_end_with_a_ptx_line",
     .log = "ptxas application ptx input, line 29; error   : Unknown modifier '.bar'\n"
            "ptxas fatal   : Ptx assembly aborted due to errors\n",
     .expected = {{Severity::kError, {"<ptx>", 29, 0, 0}, "Unknown modifier '.bar'"}}},
    {.name = "a_wrong_option",
     .log = "nvrtc: error: invalid value for --gpu-architecture (-arch)\n",
     .expected = {{Severity::kError, {}, "invalid value for --gpu-architecture (-arch)"}}},
    {.name = "a_caret_alone_is_nobodys", .log = "^\n  ^\nsome text\n", .expected = {}},
    {.name = "a_caret_left_of_the_excerpt",
     .log = "a.cu(1): error: m\n  x\n^\n",
     .expected = {{Severity::kError, {"a.cu", 1, 1, 1}, "m"}}},
};

INSTANTIATE_TEST_SUITE_P(Table, Log, testing::ValuesIn(kLogCases),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace warpshop::compile
