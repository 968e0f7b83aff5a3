// Whole modules: functions, scopes, labels, tables, source lines, directives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "describe.h"
#include "ptx/parser.h"

namespace warpshop::ptx {
namespace {

using testing::ElementsAre;

// Parses text that must give no diagnostics.
Module parsed(const std::string& body) {
  const std::string text = ".version 9.0\n.target sm_90\n.address_size 64\n" + body;
  ParseOutput output = parse(text, "test.ptx");
  EXPECT_TRUE(output.diagnostics.empty()) << render(output.diagnostics, text);
  for (const Function& function : output.module.functions) {
    EXPECT_TRUE(function.problems.empty()) << render(function.problems, text);
  }
  return std::move(output.module);
}

std::vector<std::string> instructions_of(const Module& module, const char* name) {
  std::vector<std::string> out;
  const Function* function = module.find_function(name);
  if (function == nullptr) return {"no function " + std::string(name)};
  for (const Instruction& instruction : function->body) {
    out.push_back(describe(instruction, module, *function));
  }
  return out;
}

TEST(Head, VersionTargetAndAddressSize) {
  const ParseOutput output = parse(
      "// comment\n.version 7.8\n.target sm_86, texmode_independent, debug\n.address_size 32\n",
      "test.ptx");
  EXPECT_TRUE(output.diagnostics.empty()) << render(output.diagnostics);
  EXPECT_EQ(output.module.version_major, 7);
  EXPECT_EQ(output.module.version_minor, 8);
  EXPECT_EQ(output.module.target, "sm_86, texmode_independent, debug");
  EXPECT_EQ(output.module.address_size, 32);
}

TEST(Functions, HeadsAndDirectives) {
  const Module module = parsed(R"(
.extern .func (.param .b32 func_retval0) vprintf (.param .b64 a, .param .b64 b);
.extern .func __assertfail (.param .b64 a) .noreturn;
.visible .entry k (
  .param .u64 .ptr .global .align 16 k_param_0,
  .param .align 8 .b8 k_param_1[24],
  .param .v2 .f32 k_param_2
) .maxntid 128, 2 .minnctapersm 3 .maxnreg 40 .pragma "nounroll"; .maxclusterrank 4
{ .pragma "nounroll"; ret; }
.entry bare .reqntid 8, 8, 4 { exit; }
)");
  ASSERT_EQ(module.functions.size(), 4u);
  const Function& print = module.functions[0];
  EXPECT_EQ(print.name, "vprintf");
  EXPECT_TRUE(print.is_declaration);
  EXPECT_FALSE(print.is_entry);
  EXPECT_EQ(print.returns.size(), 1u);
  EXPECT_EQ(print.params.size(), 2u);
  EXPECT_TRUE(module.functions[1].noreturn);

  const Function& k = module.functions[2];
  EXPECT_TRUE(k.is_entry);
  EXPECT_FALSE(k.is_declaration);
  ASSERT_EQ(k.params.size(), 3u);
  EXPECT_EQ(k.params[0].align_bytes, 8u) << "the 16 behind .ptr is the pointee's";
  EXPECT_EQ(k.params[0].space, Space::kParam);
  EXPECT_EQ(k.params[1].size_bytes, 24u);
  EXPECT_EQ(k.params[1].align_bytes, 8u);
  EXPECT_EQ(k.params[2].size_bytes, 8u);
  EXPECT_THAT(k.maxntid, ElementsAre(128, 2, 1));
  EXPECT_EQ(k.minnctapersm, 3);
  EXPECT_EQ(k.maxnreg, 40);
  EXPECT_THAT(module.functions[3].reqntid, ElementsAre(8, 8, 4));
  EXPECT_EQ(module.find_function("no_such"), nullptr);
}

TEST(Functions, ADeclarationAndItsDefinitionAreOne) {
  const Module module = parsed(R"(
.func (.param .b32 r) f (.param .b32 a);
.visible .entry k () { .param .b32 x; call (x), f, (x); ret; }
.func (.param .b32 r) f (.param .b32 a) {
  .reg .b32 %r1; ld.param.b32 %r1, [a]; st.param.b32 [r], %r1; ret; }
)");
  ASSERT_EQ(module.functions.size(), 2u);
  EXPECT_FALSE(module.functions[0].is_declaration);
  EXPECT_THAT(instructions_of(module, "f"),
              ElementsAre("ld.param.b32 %r1 [param a]", "st.param.b32 [ret r] %r1", "ret"));
  EXPECT_THAT(instructions_of(module, "k"), ElementsAre("call (local x) func f (local x)", "ret"));
}

TEST(Functions, RegisterParametersAreRegisters) {
  const Module module = parsed(
      ".func (.reg .b32 out) f (.reg .b32 in, .reg .b64 more) { add.s32 out, in, 1; ret; }\n");
  const Function& f = module.functions[0];
  EXPECT_EQ(f.returns[0].space, Space::kReg);
  ASSERT_EQ(f.registers.size(), 3u);
  EXPECT_EQ(f.registers[0].name, "out");
  EXPECT_EQ(f.registers[2].type, Type::kB64);
  EXPECT_THAT(instructions_of(module, "f"), ElementsAre("add.s32 out in int 1", "ret"));
}

TEST(Functions, AnAliasHasTheBodyOfItsTarget) {
  const Module module = parsed(R"(
.func f (.param .b32 a) { ret; }
.func g (.param .b32 a);
.alias g, f;
)");
  const Function* g = module.find_function("g");
  ASSERT_NE(g, nullptr);
  EXPECT_FALSE(g->is_declaration);
  EXPECT_EQ(g->body.size(), 1u);
}

TEST(Scopes, InnerNamesHideOuterOnes) {
  const Module module = parsed(R"(
.global .b32 x;
.visible .entry k () {
  .reg .b32 %r<3>; .reg .b32 x; .param .b32 p;
  mov.b32 %r1, x;
  {
    .reg .b64 %r<2>; .param .b64 p;
    mov.b64 %r1, 1;
    mov.b32 %r2, 2;
    st.param.b64 [p], %r1;
    { .shared .b32 x; st.shared.b32 [x], %r2; }
  }
  st.param.b32 [p], %r1;
  ret;
})");
  const Function& k = module.functions[0];
  // %r0–%r2 and x in the outer scope, %r0–%r1 in the inner one.
  ASSERT_EQ(k.registers.size(), 6u);
  EXPECT_EQ(k.body[0].operands[0].register_index, 1);
  EXPECT_EQ(k.body[0].operands[1].register_index, 3) << "the register hides the variable";
  EXPECT_EQ(k.body[1].operands[0].register_index, 5);
  EXPECT_EQ(k.body[2].operands[0].register_index, 2) << "%r2 is the outer one";
  EXPECT_EQ(k.body[3].operands[0].symbol.index, 1) << "the inner p";
  EXPECT_EQ(k.variables[static_cast<size_t>(k.body[4].operands[0].symbol.index)].space,
            Space::kShared);
  EXPECT_EQ(k.body[5].operands[0].symbol.index, 0) << "the outer p again";
  EXPECT_EQ(k.body[5].operands[1].register_index, 1);
}

TEST(Scopes, LabelsBelongToTheirBlock) {
  const Module module = parsed(R"(
.visible .entry k () {
  .reg .pred p;
$L_out:
  { @p bra DONE; ret; DONE: bra $L_out; }
  { @p bra DONE; bra $L_end; DONE: ret; }
$L_end:
})");
  const Function& k = module.functions[0];
  ASSERT_EQ(k.labels.size(), 4u);
  EXPECT_EQ(k.labels[0].position, 0);
  EXPECT_EQ(k.labels[1].position, 2);
  EXPECT_EQ(k.labels[2].position, 5);
  EXPECT_EQ(k.labels[3].position, 6) << "behind the last instruction";
  EXPECT_EQ(k.body[0].operands[0].label_index, 1);
  EXPECT_EQ(k.body[2].operands[0].label_index, 0);
  EXPECT_EQ(k.body[3].operands[0].label_index, 2) << "its own DONE";
  EXPECT_EQ(k.body[4].operands[0].label_index, 3);
}

TEST(Scopes, NumberedRegistersMayShareAPrefix) {
  const Module module = parsed(R"(
.visible .entry k () {
  .reg .b32 %r<12>, %r1x<2>, %rd<3>;
  mov.b32 %r11, %r1x1; mov.b32 %rd2, %r0; ret;
})");
  const Function& k = module.functions[0];
  EXPECT_EQ(k.body[0].operands[0].register_index, 11);
  EXPECT_EQ(k.body[0].operands[1].register_index, 13);
  EXPECT_EQ(k.body[1].operands[0].register_index, 16);
}

TEST(Tables, BranchTargetsCallTargetsAndPrototypes) {
  const Module module = parsed(R"(
.func f (.param .b32 a) { ret; }
.func g (.param .b32 a) { ret; }
.visible .entry k () {
  .reg .b32 %r<2>; .reg .b64 %rd<2>; .param .b32 x;
table: .branchtargets $A, $B, $A;
  brx.idx %r1, table;
$A:
  fs: .calltargets f, g;
  call %rd1, (x), fs;
$B:
  { p: .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 _[24]) .noreturn; 
    call (x), %rd1, (x), p; }
  { p: .callprototype _ ();  call %rd1, p; }
  ret;
})");
  const Function& k = *module.find_function("k");
  ASSERT_EQ(k.branch_targets.size(), 1u);
  EXPECT_EQ(k.branch_targets[0].name, "table");
  EXPECT_THAT(k.branch_targets[0].label_indices, ElementsAre(0, 1, 0));
  ASSERT_EQ(k.call_targets.size(), 1u);
  EXPECT_THAT(k.call_targets[0].targets, ElementsAre("f", "g"));
  ASSERT_EQ(k.prototypes.size(), 2u);
  EXPECT_EQ(k.prototypes[0].name, "p");
  EXPECT_TRUE(k.prototypes[0].noreturn);
  EXPECT_EQ(k.prototypes[0].returns.size(), 1u);
  ASSERT_EQ(k.prototypes[0].params.size(), 2u);
  EXPECT_EQ(k.prototypes[0].params[1].size_bytes, 24u);
  EXPECT_NE(k.prototypes[1].name, "p") << "two scopes, one name: the table must tell them apart";
  EXPECT_EQ(k.body[3].operands.back().text, k.prototypes[1].name);
}

TEST(SourceLines, AMovedLoadHasTheLineThatUsesIt) {
  const Module module = parsed(R"(
.visible .entry k () {
  .reg .f32 %f<4>;
  .reg .b64 %rd<2>;
  .loc 1 6 1
  mov.u64 %rd0, 0;
  .loc 1 0 1
  ld.shared.f32 %f0, [%rd0];
  neg.f32 %f1, %f0;
  ld.shared.v2.f32 {%f2, %f3}, [%rd0];
  st.shared.f32 [%rd0], %f1;
$loop:
  .loc 1 7 6
  add.f32 %f1, %f0, %f1;
  .loc 1 9 2
  add.f32 %f1, %f0, %f3;
  ret;
}
  .file 1 "k.cu"
)");
  const std::vector<Instruction>& body = module.functions[0].body;
  EXPECT_EQ(body[1].source.line, 7) << "the first that uses it, not the neg, which has no line";
  EXPECT_EQ(body[1].source.column, 6);
  EXPECT_EQ(body[3].source.line, 9) << "one element of a vector is used";
  EXPECT_EQ(body[4].source.line, 0) << "a store has no user";
}

TEST(SourceLines, LocAndFile) {
  const Module module = parsed(R"(
.visible .entry k () {
  .reg .f32 %f<2>;
  .loc 1 14 0
  .loc 1 12 3, function_name $L__info_string0, inlined_at 1 15 3
  .loc 1 9 5, function_name $L__info_string0+7, inlined_at 1 12 3
  add.f32 %f1, %f0, %f1;
  .loc 1 15 3
  ret;
}
  .file 1 "a b.cu"
  .file 2 "/dir/c.h", 1347923412, 4096
.section .debug_str
{
$L__info_string0:
.b8 95,90,53
.b64 .debug_abbrev
}
)");
  EXPECT_EQ(module.files.at(1), "a b.cu");
  EXPECT_EQ(module.files.at(2), "/dir/c.h");
  const Instruction& add = module.functions[0].body[0];
  EXPECT_EQ(add.source.file, 1);
  EXPECT_EQ(add.source.line, 9);
  EXPECT_EQ(add.source.column, 5);
  EXPECT_EQ(add.source.call_file, 1);
  EXPECT_EQ(add.source.call_line, 15) << "the outermost call, not line 12 of a function";
  EXPECT_EQ(add.source.call_column, 3);
  const Instruction& ret = module.functions[0].body[1];
  EXPECT_EQ(ret.source.line, 15);
  EXPECT_EQ(ret.source.call_file, 0);
}

// As NVRTC writes it: line 6 and line 7 each call f, which calls g. The calls around an instruction
// are named before the first instruction in them only.
TEST(SourceLines, ALibraryFunctionThatCallsAnotherIsInTheLineThatCallsIt) {
  const Module module = parsed(R"(
.visible .entry k () {
  .reg .b32 %r<4>;
  .loc 1 6 3
  .loc 2 50 5, function_name F, inlined_at 1 6 3
  .loc 2 90 5, function_name G, inlined_at 2 50 5
  mov.u32 %r0, 6;
  .loc 2 91 5, function_name G, inlined_at 2 50 5
  mov.u32 %r1, 6;
  .loc 1 7 3
  .loc 2 50 5, function_name F, inlined_at 1 7 3
  .loc 2 90 5, function_name G, inlined_at 2 50 5
  mov.u32 %r0, 7;
  .loc 2 92 5, function_name G, inlined_at 2 50 5
  .loc 3 10 1, function_name H, inlined_at 2 92 5
  mov.u32 %r0, 6;
  .loc 2 93 5, function_name G, inlined_at 2 50 5
  mov.u32 %r1, 6;
  .loc 2 92 5, function_name G, inlined_at 2 50 5
  .loc 3 10 1, function_name H, inlined_at 2 92 5
  mov.u32 %r0, 7;
  .loc 2 93 5, function_name G, inlined_at 2 50 5
  mov.u32 %r1, 7;
  .loc 2 51 5, function_name F, inlined_at 1 6 3
  .loc 3 20 1, function_name H, inlined_at 2 51 5
  mov.u32 %r2, 6;
  .loc 3 20 1, function_name I, inlined_at 1 6 3
  mov.u32 %r3, 6;
  .loc 2 60 5, function_name F, inlined_at 1 8 3
  mov.u32 %r0, 8;
  .loc 3 30 1, function_name J, inlined_at 2 60 5
  mov.u32 %r1, 8;
  ret;
}
  .file 1 "k.cu"
  .file 2 "library.h"
  .file 3 "deeper.h"
)");
  // Each instruction moves the line of its outermost call.
  for (const Instruction& instruction : module.functions[0].body) {
    if (instruction.opcode != "mov") continue;
    EXPECT_EQ(instruction.source.call_file, 1) << instruction.ptx_line;
    EXPECT_EQ(instruction.source.call_line, static_cast<int>(instruction.operands[1].bits))
        << instruction.ptx_line;
  }
}

// Hostile text: a call site with thousands of calls costs no more than a few.
TEST(SourceLines, ThousandsOfCallsAtOnePlaceAreReadQuickly) {
  std::string text = ".visible .entry k () {\n  .reg .b32 %r<4>;\n";
  for (int n = 0; n < 50'000; ++n) {
    const std::string place = std::to_string(n % 3 + 1) + " 3";
    text += ".loc 2 5 " + place.substr(0, 1) +
            ", function_name F, inlined_at 1 6 3\n.loc 2 9 9, "
            "function_name G, inlined_at 2 5 " +
            place.substr(0, 1) + "\nmov.u32 %r0, 6;\n";
  }
  const Module module = parsed(text + "ret;\n}\n.file 1 \"k.cu\"\n.file 2 \"l.h\"\n");
  EXPECT_EQ(module.functions[0].body[49'999].source.call_line, 6);
}

TEST(SourceLines, InstructionsKnowTheirPlaceAndText) {
  const Module module = parsed(
      ".visible .entry k () {\n  .reg .b32 %r<4>; .reg .pred %p;\n"
      "\t@%p add.s32 \t%r1,\n  %r2, /* two */ 3 ;ret;\n}\n");
  const Instruction& add = module.functions[0].body[0];
  EXPECT_EQ(add.ptx_line, 6);
  EXPECT_EQ(add.ptx_column, 6);
  EXPECT_EQ(add.text, "add.s32 %r1, %r2, 3");
  EXPECT_EQ(module.functions[0].body[1].text, "ret");
  EXPECT_EQ(module.functions[0].body[1].ptx_line, 7);
}

TEST(Directives, UnknownOnesAreSkippedWithANote) {
  const std::string text = R"(.version 99.9
.target sm_999x
.address_size 64
.futuristic 1, "two" {
  .b8 1; }
.visible .entry k () .newtuning 7
{
  .also_new 3
  .reg .b32 %r<2>;
  .new_with_end a, b;  mov.b32 %r0, %r1;
  ret;
})";
  const ParseOutput output = parse(text, "test.ptx");
  EXPECT_FALSE(has_errors(output.diagnostics)) << render(output.diagnostics, text);
  ASSERT_EQ(output.diagnostics.size(), 4u) << render(output.diagnostics, text);
  EXPECT_EQ(output.diagnostics[0].severity, Severity::kNote);
  EXPECT_EQ(output.diagnostics[0].place, (SourcePlace{"test.ptx", 4, 1, 11}));
  ASSERT_EQ(output.module.functions.size(), 1u);
  EXPECT_TRUE(output.module.functions[0].problems.empty());
  EXPECT_EQ(output.module.functions[0].body.size(), 2u);
}

TEST(Directives, DwarfOfEveryAgeIsSkipped) {
  const Module module = parsed(R"(
@@DWARF .section .debug_info, "", @progbits
@@DWARF .byte 0x2b, 0x00
.section .debug_info { .b32 12; .b64 L1 } 
#line 7 "old.c"
.visible .entry k () { ret; }
)");
  EXPECT_EQ(module.functions.size(), 1u);
}

TEST(Types, NamesAndSizes) {
  EXPECT_EQ(type_from_name("f16x2"), Type::kF16x2);
  EXPECT_EQ(type_from_name("e4m3"), std::nullopt);
  EXPECT_EQ(type_from_name(""), std::nullopt);
  EXPECT_EQ(size_bytes(Type::kB128), 16);
  EXPECT_EQ(size_bytes(Type::kPred), 0);
  EXPECT_EQ(name_of(Type::kBf16), "bf16");
}

}  // namespace
}  // namespace warpshop::ptx
