// Errors in PTX text: their place, their message, and how much of the text they invalidate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ptx/parser.h"

namespace warpshop::ptx {
namespace {

// A mistake inside kernel `k`, which starts on line 4. The kernel after it must stay valid.
struct FunctionCase {
  const char* name;
  const char* body;  // starts on line 5
  int line;
  int column;
  const char* message;
};

class InFunction : public testing::TestWithParam<FunctionCase> {};

TEST_P(InFunction, SpoilsThatFunctionAlone) {
  const std::string text =
      ".version 9.0\n.target sm_90\n.global .b32 table[4];\n"
      ".visible .entry k(.param .u64 p) {\n" +
      std::string(GetParam().body) +
      "\n}\n.visible .entry sound() { .reg .b32 %r<2>; mov.b32 %r0, 1; ret; }\n";
  const ParseOutput output = parse(text, "bad.ptx");
  EXPECT_TRUE(output.diagnostics.empty()) << render(output.diagnostics, text);
  const Function* k = output.module.find_function("k");
  ASSERT_NE(k, nullptr);
  ASSERT_FALSE(k->problems.empty());
  const Diagnostic& first = k->problems.front();
  EXPECT_EQ(first.kind.name(), "ptx");
  EXPECT_EQ(first.place.file, "bad.ptx");
  EXPECT_EQ(first.place.line, GetParam().line) << render(first, text);
  EXPECT_EQ(first.place.column, GetParam().column) << render(first, text);
  EXPECT_THAT(first.message, testing::HasSubstr(GetParam().message));
  const Function* sound = output.module.find_function("sound");
  ASSERT_NE(sound, nullptr);
  EXPECT_TRUE(sound->problems.empty()) << render(sound->problems, text);
  EXPECT_EQ(sound->body.size(), 2u);
}

const FunctionCase kFunctionCases[] = {
    {"undeclared_register", ".reg .b32 %r<3>;\n  mov.b32 %r0, %r3;", 6, 16,
     "'%r3' is not a declared register"},
    {"undeclared_register_in_an_address", ".reg .b32 %r<3>;\nld.global.b32 %r1, [%rd1+4];", 6, 21,
     "'%rd1' is not a declared register"},
    {"undeclared_guard", "@%p1 ret;", 5, 2, "declared predicate register"},
    {"guard_that_is_no_predicate", ".reg .b32 %r1;\n@%r1 ret;", 6, 2, "it is .b32"},
    {"unknown_label", "bra $L_nowhere;", 5, 5, "'$L_nowhere' is not a label of this function"},
    {"label_of_another_block", "{ bra IN; }\n{ IN: ret; }", 5, 7, "is not a label"},
    {"unknown_function", "call nobody, ();", 5, 6, "'nobody' is not a declared function"},
    {"unknown_variable", ".reg .b64 %rd1;\nmov.u64 %rd1, nothing;", 6, 15, "is not declared"},
    {"unknown_branch_target", "t: .branchtargets A, B;\nA: ret;", 5, 22, "'B' is not a label"},
    {"table_without_label", ".branchtargets A;\nA: ret;", 5, 1, "expected a label"},
    {"missing_semicolon", ".reg .b32 %r<3>;\nmov.b32 %r0, %r1\nmov.b32 %r1, %r2;\nret;", 7, 1,
     "expected ',' or ';' after an operand of mov, found 'mov'"},
    {"missing_operand", ".reg .b32 %r<3>;\nmov.b32 %r0, ;", 6, 14,
     "expected an operand, found ';'"},
    {"unclosed_address", ".reg .b64 %r<3>;\nld.global.b32 %r0, [%r1;", 6, 24, "expected ']'"},
    {"unclosed_vector", ".reg .b32 %r<3>;\nmov.b64 {%r0, %r1;", 6, 18, "expected ',' or '}'"},
    {"stray_byte", "mov.b32 %r0, \x01;", 5, 14, "found '\\x01'"},
    {"stray_bracket", ") ret;", 5, 1, "expected an instruction, found ')'"},
    {"string_without_end", ".pragma \"abc\n;\nbra \"x;", 5, 9, ""},
    {"number_too_large", ".reg .b64 %r;\nmov.b64 %r, 0x1ffffffffffffffff;", 6, 13, "64 bits"},
    {"number_of_no_base", ".reg .b64 %r;\nmov.b64 %r, 09;", 6, 13, "not a PTX number"},
    {"short_float", ".reg .f32 %f;\nmov.f32 %f, 0f3F80;", 6, 13, "not a PTX number"},
    {"division_by_zero", ".reg .b64 %r;\nmov.b64 %r, 1/(2-2);", 6, 14, "division by zero"},
    {"float_bits", ".reg .b64 %r;\nmov.b64 %r, 1.5 & 1;", 6, 17, "takes integers"},
    {"float_offset", ".reg .b64 %r;\nld.b64 %r, [%r+1.5];", 6, 16, "expected an integer"},
    {"part_of_nothing", ".reg .b32 %r;\nmov.b32 %r, %tid.q;", 6, 17, "has no part '.q'"},
    {"component_past_the_vector", ".reg .v2 .b32 %v; .reg .b32 %r;\nmov.b32 %r, %v.z;", 6, 15,
     "has no part '.z'"},
    {"register_twice", ".reg .b32 %r<3>;\n.reg .b32 %r1;", 6, 11, "declared twice"},
    {"variable_twice", ".shared .b32 s;\n.shared .b32 s;", 6, 14, "declared twice"},
    {"label_twice", "A:\nA:\nret;", 6, 1, "declared twice"},
    {"too_many_registers", ".reg .b32 %r<4000000000>;", 5, 14, "registers"},
    {"no_register_count", ".reg .b32 %r<x>;", 5, 14, "number of names"},
    {"register_without_type", ".reg %r1;", 5, 6, "expected a type"},
    {"unknown_type", ".reg .b33 %r1;", 5, 6, "'.b33' is not"},
    {"global_inside", ".global .b32 g;", 5, 14, "outside functions"},
    {"shared_with_a_value", ".shared .b32 s = 3;", 5, 16, "can have initial values"},
    {"alignment_three", ".shared .align 3 .b8 s[3];", 5, 16, "power of two"},
    {"array_too_large", ".shared .b8 s[1099511627776][2];", 5, 13, "larger than 2^40"},
    {"array_of_zero", ".shared .b8 s[0];", 5, 15, "elements"},
    {"blocks_too_deep",
     "{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{"
     "{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{"
     "{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{"
     "}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}"
     "}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}"
     "}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}}",
     5, 200, "too deeply"},
    {"expression_too_deep",
     ".reg .b32 %r;\nmov.b32 %r, "
     "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("
     "1))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))));",
     6, 44, "too deeply"},
};

INSTANTIATE_TEST_SUITE_P(Table, InFunction, testing::ValuesIn(kFunctionCases),
                         [](const auto& one) { return std::string(one.param.name); });

// A mistake outside any function.
struct ModuleCase {
  const char* name;
  const char* text;  // after `.version` and `.target`, starting on line 3
  int line;
  int column;
  const char* message;
};

class InModule : public testing::TestWithParam<ModuleCase> {};

TEST_P(InModule, IsReportedAndTheRestIsRead) {
  const std::string text = ".version 9.0\n.target sm_90\n" + std::string(GetParam().text) +
                           "\n.visible .entry sound() { ret; }\n";
  const ParseOutput output = parse(text, "bad.ptx");
  ASSERT_FALSE(output.diagnostics.empty());
  const Diagnostic& first = output.diagnostics.front();
  EXPECT_EQ(first.severity, Severity::kError);
  EXPECT_EQ(first.place.line, GetParam().line) << render(first, text);
  EXPECT_EQ(first.place.column, GetParam().column) << render(first, text);
  EXPECT_THAT(first.message, testing::HasSubstr(GetParam().message));
  const Function* sound = output.module.find_function("sound");
  ASSERT_NE(sound, nullptr);
  EXPECT_TRUE(sound->problems.empty());
}

const ModuleCase kModuleCases[] = {
    {"stray_words", "hello world", 3, 1, "expected a directive such as .entry, found 'hello'"},
    {"stray_brace", "}", 3, 1, "found '}'"},
    {"function_without_a_name", ".visible .entry (.param .b32 a) { ret; }", 3, 33,
     "expected a function's name, found '{'"},
    {"variable_without_a_name", ".global .b32 ;", 3, 14, "variable's name"},
    {"register_outside", ".reg .b32 %r;", 3, 1, "inside a function"},
    {"predicate_in_memory", ".global .pred p;", 3, 15, "only be a register"},
    {"variable_twice", ".global .b32 a;\n.global .b32 a;", 4, 14, "declared twice"},
    {"function_twice", ".func f() { ret; }\n.func f() { ret; }", 4, 7, "defined twice"},
    {"function_named_as_a_variable", ".global .b32 f;\n.func f() { ret; }", 4, 7, "variable"},
    {"variable_named_as_a_function", ".func f() { ret; }\n.global .b32 f;", 4, 14, "function"},
    {"too_many_values", ".global .b8 a[2] = {1, 2, 3};", 3, 27, "more initial values"},
    {"values_without_braces", ".global .b8 a[2][2] = {1, 2};", 3, 24, "expected '{'"},
    {"short_vector", ".global .v2 .b8 a = {1};", 3, 24, "all of its 2 values"},
    {"value_of_a_half", ".global .f16 a = 1.0;", 3, 18, "cannot have an initial value"},
    {"integer_for_a_float", ".global .f32 a = 1;", 3, 18, "not an initial value"},
    {"float_for_an_integer", ".global .s32 a = 1.5;", 3, 18, "not an initial value"},
    {"address_in_a_byte", ".global .b8 a = a;", 3, 17, "needs a variable of type .u32 or .u64"},
    {"mask_of_four_bits", ".global .u8 a = 0xF0(a);", 3, 17, "picks one byte"},
    {"address_of_nothing", ".global .u64 a = b;", 3, 0, "names 'b', which is not declared"},
    {"more_bytes_than_a_module_has", ".global .b8 a[100000000] = {1};", 3, 28, "64 MiB"},
    {"rows_of_a_terabyte", ".global .b8 a[][1000000000000] = {{1}};", 3, 39, "64 MiB"},
    {"alias_of_nothing", ".alias a, b;", 3, 11, "'b' is not a declared function"},
    {"alias_without_comma", ".alias a b;", 3, 8, "expected `.alias new, old;`"},
    {"section_without_braces", ".section .debug_info 1\n", 3, 22, "expected '{'"},
    {"comment_without_end", ".global .b32 x; ;\n.visible .entry sound() { ret; } /* never", 4, 34,
     "unterminated"},
};

INSTANTIATE_TEST_SUITE_P(Table, InModule, testing::ValuesIn(kModuleCases),
                         [](const auto& one) { return std::string(one.param.name); });

struct TextCase {
  const char* name;
  std::string text;
  int line;
  int column;
  const char* message;
};

class WholeText : public testing::TestWithParam<TextCase> {};

TEST_P(WholeText, IsRefusedWithAPlace) {
  const ParseOutput output = parse(GetParam().text, "bad.ptx");
  Diagnostics all = output.diagnostics;
  for (const Function& function : output.module.functions) {
    all.insert(all.end(), function.problems.begin(), function.problems.end());
  }
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all.front().place.line, GetParam().line);
  EXPECT_EQ(all.front().place.column, GetParam().column);
  EXPECT_THAT(all.front().message, testing::HasSubstr(GetParam().message));
}

const TextCase kTextCases[] = {
    {"empty", "", 1, 1, "expected .version at the beginning of PTX, found the end of the text"},
    {"no_ptx", "\n  int main() {}\n", 2, 3, "expected .version"},
    {"zeros", std::string(64, '\0'), 1, 1, "expected .version"},
    {"elf",
     std::string("\x7f"
                 "ELF\x02\x01\x01\x00\x00",
                 9),
     1, 1, "expected .version"},
    {"wrong_version", ".version nine\n", 1, 10, "expected a version such as 9.0, found 'nine'"},
    {"wrong_target", ".version 9.0\n.target 90\n", 2, 9, "such as sm_90, found '90'"},
    {"wrong_address_size", ".version 9.0\n.address_size 48\n", 2, 15, "expected 32 or 64"},
    {"cut_in_a_body", ".version 9.0\n.entry k() {\n ret;", 3, 6,
     "expected '}' at the end of 'k', found the end of the text"},
    {"brace_missing_before_the_next_kernel",
     ".version 9.0\n.entry k() {\n ret;\n.visible .entry l() { ret; }\n", 4, 1,
     "expected '}' at the end of 'k', found '.visible'"},
    {"cut_in_a_head", ".version 9.0\n.entry k(.param .b32", 2, 21, "expected a parameter's name"},
};

INSTANTIATE_TEST_SUITE_P(Table, WholeText, testing::ValuesIn(kTextCases),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Problems, AreCounted) {
  std::string text = ".version 9.0\n.target sm_90\n.entry k() {\n";
  for (int i = 0; i < 5000; ++i) text += "bra nowhere;\n";
  const ParseOutput output = parse(text + "}\n", "bad.ptx");
  EXPECT_EQ(output.module.functions[0].problems.size(), 100u) << "no more than a reader reads";
}

}  // namespace
}  // namespace warpshop::ptx
