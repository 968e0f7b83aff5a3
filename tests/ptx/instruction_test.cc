// One row per instruction: its text, and what the parser makes of it.
#include <gtest/gtest.h>

#include "describe.h"
#include "ptx/parser.h"

namespace warpshop::ptx {
namespace {

// Declarations that the rows use: registers of every kind, variables, a function and labels.
constexpr std::string_view kBefore = R"(.version 9.0
.target sm_90
.address_size 64
.extern .func (.param .b32 r) callee (.param .b64 a, .param .b64 b);
.global .align 4 .b8 table[64];
.global .texref tex;
.extern .shared .align 16 .b8 dynamic[];
.visible .entry k(.param .u64 p, .param .align 8 .b8 s[16])
{
.reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .f32 %f<9>;
.reg .f64 %fd<4>; .reg .v4 .b32 %v; .reg .b32 %r2x;
.param .b64 arg0; .param .b64 arg1; .param .b32 ret0; .shared .align 4 .b8 tile[128];
proto: .callprototype (.param .b32 _) _ (.param .b64 _, .param .b64 _);
targets: .calltargets callee;
above:
)";
constexpr std::string_view kAfter = "\nbelow:\nret;\njumps: .branchtargets above, below;\n}\n";

struct InstructionCase {
  const char* name;
  const char* written;
  const char* expected;
};

class OneInstruction : public testing::TestWithParam<InstructionCase> {};

TEST_P(OneInstruction, IsReadAsWritten) {
  const std::string text = std::string(kBefore) + GetParam().written + std::string(kAfter);
  const ParseOutput output = parse(text, "test.ptx");
  EXPECT_TRUE(output.diagnostics.empty()) << render(output.diagnostics, text);
  const Function* kernel = output.module.find_function("k");
  ASSERT_NE(kernel, nullptr);
  EXPECT_TRUE(kernel->problems.empty()) << render(kernel->problems, text);
  ASSERT_EQ(kernel->body.size(), 2u);
  EXPECT_EQ(describe(kernel->body[0], output.module, *kernel), GetParam().expected);
}

const InstructionCase kInstructionCases[] = {
    // Opcodes and modifiers.
    {"no_operands", "membar.gl;", "membar.gl"},
    {"mask", "bar.warp.sync 0xffffffff;", "bar.warp.sync int 4294967295"},
    {"modifiers", "ld.global.nc.L1::no_allocate.L2::128B.v2.f32 {%f1,%f2}, [%rd1];",
     "ld.global.nc.L1::no_allocate.L2::128B.v2.f32 {%f1, %f2} [%rd1]"},
    {"double_colon", "mbarrier.try_wait.parity.shared::cta.b64 %p1, [%rd1], %r1;",
     "mbarrier.try_wait.parity.shared::cta.b64 %p1 [%rd1] %r1"},
    {"modifier_beginning_with_a_digit", "tex.2d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [tex, {%r1,%r2}];",
     "tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4} [var tex, {%r1, %r2}]"},
    {"shape_modifier",
     "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd1,%fd2},{%fd1},{%fd2},{%fd1,%fd2};",
     "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd1, %fd2} {%fd1} {%fd2} {%fd1, %fd2}"},
    {"modifier_behind_the_address", "ld.global.b32 %r1, [%rd1].unified;",
     "ld.global.b32.unified %r1 [%rd1]"},
    {"blanks_and_comments_inside", "add.s32\t%r1 ,  /* one */ %r2 // two\n , 3 ;",
     "add.s32 %r1 %r2 int 3"},

    // Guards.
    {"guard", "@%p1 bra above;", "@%p1 bra label above"},
    {"negated_guard", "@!%p2 bra.uni below;", "@!%p2 bra.uni label below"},
    {"guard_with_blanks", "@ ! %p2 mov.u32 %r1, 1;", "@!%p2 mov.u32 %r1 int 1"},

    // Registers.
    {"ranges_meet_no_further_name", "mov.b32 %r2x, %r19;", "mov.b32 %r2x %r19"},
    {"negated_predicate", "setp.eq.and.s32 %p1, %r1, %r2, !%p2;",
     "setp.eq.and.s32 %p1 %r1 %r2 !%p2"},
    {"pair", "setp.lt.s32 %p1|%p2, %r1, %r2;", "setp.lt.s32 %p1|%p2 %r1 %r2"},
    {"pair_with_sink", "shfl.sync.down.b32 %r1|_, %r2, 1, 31, -1;",
     "shfl.sync.down.b32 %r1|_ %r2 int 1 int 31 int -1"},
    {"vector_register", "mov.b32 %r1, %v.y;", "mov.b32 %r1 %v.y"},
    {"vector_register_by_colour", "mov.b32 %v.a, %r1;", "mov.b32 %v.w %r1"},
    {"whole_vector_register", "ld.global.v4.b32 %v, [%rd1];",
     "ld.global.v4.b32 {%v.x, %v.y, %v.z, %v.w} [%rd1]"},
    {"vector_with_sink_and_constant", "mov.b64 {%r1,_}, %rd1;", "mov.b64 {%r1, _} %rd1"},
    {"selectors_of_video_instructions", "vadd.s32.s32.s32 %r1, %r2.b0, %r3.h1;",
     "vadd.s32.s32.s32 %r1 %r2 part b0 %r3 part h1"},
    {"special_register", "mov.u32 %r1, %tid.x;", "mov.u32 %r1 special %tid.x"},
    {"special_register_without_part", "mov.u64 %rd1, %clock64;", "mov.u64 %rd1 special %clock64"},
    {"special_register_lanemask", "mov.u32 %r1, %lanemask_lt;", "mov.u32 %r1 special %lanemask_lt"},
    {"special_register_with_number", "mov.b32 %r1, %envreg31;", "mov.b32 %r1 special %envreg31"},

    // Addresses.
    {"address_register", "ld.global.b32 %r1, [%rd1];", "ld.global.b32 %r1 [%rd1]"},
    {"address_plus", "ld.global.b32 %r1, [%rd1+8];", "ld.global.b32 %r1 [%rd1+8]"},
    {"address_minus", "ld.global.b32 %r1, [%rd1-8];", "ld.global.b32 %r1 [%rd1-8]"},
    {"address_plus_minus", "ld.global.b32 %r1, [ %rd1 + -8 ];", "ld.global.b32 %r1 [%rd1-8]"},
    {"address_expression", "ld.global.b32 %r1, [%rd1+(1<<4)-2];", "ld.global.b32 %r1 [%rd1+14]"},
    {"address_of_variable", "ld.global.b32 %r1, [table+4];", "ld.global.b32 %r1 [var table+4]"},
    {"address_of_shared", "st.shared.b32 [tile], %r1;", "st.shared.b32 [local tile] %r1"},
    {"address_of_parameter", "ld.param.u64 %rd1, [s+8];", "ld.param.u64 %rd1 [param s+8]"},
    {"address_of_frame", "st.param.b64 [arg0+0], %rd1;", "st.param.b64 [local arg0] %rd1"},
    {"address_absolute", "ld.shared.b32 %r1, [256];", "ld.shared.b32 %r1 [256]"},
    {"address_bulk_copy",
     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%rd1], [%rd2], 16, "
     "[%rd3];",
     "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%rd1] [%rd2] int 16 "
     "[%rd3]"},

    // Symbols as values.
    {"symbol", "mov.u64 %rd1, table;", "mov.u64 %rd1 var table"},
    {"symbol_and_offset", "mov.u64 %rd1, table+12;", "mov.u64 %rd1 var table+12"},
    {"symbol_of_function", "mov.u64 %rd1, callee;", "mov.u64 %rd1 func callee"},
    {"symbol_of_dynamic_shared", "mov.u32 %r1, dynamic;", "mov.u32 %r1 var dynamic"},
    {"symbol_of_parameter", "mov.b64 %rd1, p;", "mov.b64 %rd1 param p"},

    // Calls.
    {"call", "call.uni (ret0), callee, (arg0, arg1);",
     "call.uni (local ret0) func callee (local arg0, local arg1)"},
    {"call_over_lines", "call (ret0),\ncallee,\n(\narg0,\narg1\n);",
     "call (local ret0) func callee (local arg0, local arg1)"},
    {"call_without_result", "call.uni callee, (arg0);", "call.uni func callee (local arg0)"},
    {"call_bare", "call callee;", "call func callee"},
    {"call_indirect", "call (ret0), %rd1, (arg0, arg1), proto;",
     "call (local ret0) %rd1 (local arg0, local arg1) name proto"},
    {"call_by_targets", "call (ret0), %rd1, (arg0, arg1), targets;",
     "call (local ret0) %rd1 (local arg0, local arg1) name targets"},
    {"branch_by_index", "brx.idx %r1, jumps;", "brx.idx %r1 name jumps"},

    // Constants. PTX ISA §4.5.
    {"decimal", "mov.u32 %r1, 42;", "mov.u32 %r1 int 42"},
    {"negative", "mov.u32 %r1, -42;", "mov.u32 %r1 int -42"},
    {"hexadecimal", "mov.u32 %r1, 0XfF;", "mov.u32 %r1 int 255"},
    {"octal", "mov.u32 %r1, 017;", "mov.u32 %r1 int 15"},
    {"zero", "mov.u32 %r1, 0;", "mov.u32 %r1 int 0"},
    {"binary", "mov.u32 %r1, 0b1011;", "mov.u32 %r1 int 11"},
    {"unsigned_suffix", "mov.u32 %r1, 5U;", "mov.u32 %r1 uint 5"},
    {"hexadecimal_unsigned", "mov.u32 %r1, 0x10U;", "mov.u32 %r1 uint 16"},
    {"largest_signed", "mov.u64 %rd1, 9223372036854775807;",
     "mov.u64 %rd1 int 9223372036854775807"},
    {"unsigned_when_signed_is_too_small", "mov.u64 %rd1, 0xffffffffffffffff;",
     "mov.u64 %rd1 uint 18446744073709551615"},
    {"float32", "mov.f32 %f1, 0f3F800000;", "mov.f32 %f1 f32 3f800000"},
    {"float32_capital", "mov.f32 %f1, 0FBf800000;", "mov.f32 %f1 f32 bf800000"},
    {"float32_negated", "mov.f32 %f1, -0f3F800000;", "mov.f32 %f1 f32 bf800000"},
    {"float64", "mov.f64 %fd1, 0d3FF0000000000000;", "mov.f64 %fd1 f64 3ff0000000000000"},
    {"float_decimal", "mov.f64 %fd1, 1.5;", "mov.f64 %fd1 f64 3ff8000000000000"},
    {"float_decimal_negative", "mov.f64 %fd1, -0.5;", "mov.f64 %fd1 f64 bfe0000000000000"},
    {"float_exponent", "mov.f64 %fd1, 25e-2;", "mov.f64 %fd1 f64 3fd0000000000000"},
    {"float_from_point", "mov.f64 %fd1, .5;", "mov.f64 %fd1 f64 3fe0000000000000"},
    {"warp_size", "mov.u32 %r1, WARP_SZ;", "mov.u32 %r1 int 32"},
    {"warp_size_in_expression", "mov.u32 %r1, WARP_SZ-1;", "mov.u32 %r1 int 31"},

    // Constant expressions. PTX ISA §4.5.4–4.5.6: precedence as in C, 64-bit
    // arithmetic. The values come from ptxas 13.0.
    {"expression", "mov.u32 %r1, (1<<4)+3;", "mov.u32 %r1 int 19"},
    {"product_before_sum", "mov.u32 %r1, 1+2*3;", "mov.u32 %r1 int 7"},
    {"left_to_right", "mov.u32 %r1, 20-5-3;", "mov.u32 %r1 int 12"},
    {"sum_before_shift", "mov.u32 %r1, 1<<2+1;", "mov.u32 %r1 int 8"},
    {"bits", "mov.u32 %r1, 0xf0&0x3c|1^3;", "mov.u32 %r1 int 50"},
    {"comparison", "mov.u32 %r1, (3<5)+(5<=5)+(6>7)+(7>=7)+(1==1)+(1!=1);", "mov.u32 %r1 int 4"},
    {"logic", "mov.u32 %r1, (1&&0)||(2&&3);", "mov.u32 %r1 int 1"},
    {"not", "mov.u32 %r1, !5;", "mov.u32 %r1 int 0"},
    {"complement_is_unsigned", "mov.u64 %rd1, ~0;", "mov.u64 %rd1 uint 18446744073709551615"},
    {"choice", "mov.u32 %r1, 2>1 ? 10 : 20;", "mov.u32 %r1 int 10"},
    {"choice_in_choice", "mov.u32 %r1, 0 ? 1 : 0 ? 2 : 3;", "mov.u32 %r1 int 3"},
    {"signed_division", "mov.u32 %r1, -7/2;", "mov.u32 %r1 int -3"},
    {"signed_shift", "mov.u32 %r1, -8>>1;", "mov.u32 %r1 int -4"},
    {"unsigned_shift", "mov.u64 %rd1, (.u64)(-8)>>1;", "mov.u64 %rd1 uint 9223372036854775804"},
    {"unsigned_comparison", "mov.u32 %r1, (.u64)(-1) > 1;", "mov.u32 %r1 int 1"},
    {"cast_to_signed", "mov.u64 %rd1, (.s64)0xffffffffffffffff;", "mov.u64 %rd1 int -1"},
    {"remainder_is_unsigned", "mov.u32 %r1, -7 % 5;", "mov.u32 %r1 uint 4"},
    {"remainder_without_blanks", "mov.u32 %r1, 17%5;", "mov.u32 %r1 uint 2"},
    {"shift_by_too_much", "mov.u32 %r1, 1<<65;", "mov.u32 %r1 int 2"},
    {"choice_keeps_its_sign", "mov.u32 %r1, (1 ? -1 : 1U) > 0;", "mov.u32 %r1 int 0"},
    {"smallest_divided_by_minus_one", "mov.u64 %rd1, (-9223372036854775807-1)/-1;",
     "mov.u64 %rd1 int -9223372036854775808"},
    {"float_expression", "mov.f64 %fd1, 1.0+0.5*3;", "mov.f64 %fd1 f64 4004000000000000"},
};

INSTANTIATE_TEST_SUITE_P(Table, OneInstruction, testing::ValuesIn(kInstructionCases),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace warpshop::ptx
