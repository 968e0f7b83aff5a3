// How PTX instructions are issued on several generations of chips, worked out
// by hand from the rules in docs/models.md.
#include "whole_chip/ptx_code.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "ptx/parser.h"
#include "whole_chip/live_registers.h"

namespace warpshop::timing {
namespace {

emulator::Program program_of(const std::string& body) {
  const std::string text =
      ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
      ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<29>; .reg .b64 %rd<19>; .reg .f32 %f<29>; "
      ".reg .f64 %d<9>;\n"
      ".shared .align 16 .b8 s[1024];\n" +
      body + "\nret;\n}\n";
  const ptx::ParseOutput output = ptx::parse(text, "t.ptx");
  EXPECT_TRUE(output.diagnostics.empty()) << render(output.diagnostics);
  Result<emulator::Program> program =
      emulator::Program::decode(std::make_shared<const ptx::Module>(output.module), "k");
  EXPECT_TRUE(program.ok()) << render(program.errors());
  return std::move(program).value();
}

WholeChipFigures chip(int major, int minor) {
  WholeChipFigures m;
  m.capability = {major, minor};
  m.shared_operand = major < 2 ? 6 : 0;
  return m;
}

// Number of machine instructions for straight-line code, without `ret`.
int slots(const std::string& body, int major, int minor) {
  const PtxCode code = make_ptx_code(program_of(body), chip(major, minor));
  int sum = -1;
  for (const PtxOp& op : code.ops) sum += op.slots;
  return sum;
}

struct SlotCase {
  const char* what;
  const char* body;
  int gt200;   // compute capability 1.3
  int kepler;  // 3.5
};

TEST(PtxCode, CountsMachineInstructions) {
  const SlotCase cases[] = {
      {"a multiply-add is one", "fma.rn.f32 %f1,%f2,%f3,%f4;", 1, 1},
      {"copies and parameters are none",
       "ld.param.u64 %rd1,[p]; cvta.to.global.u64 %rd2,%rd1; mov.u32 %r1,%r2;", 0, 0},
      {"blockIdx is an operand on 1.x", "mov.u32 %r1,%ctaid.x;", 0, 1},
      {"threadIdx is taken out of a packed register", "mov.u32 %r1,%tid.x;", 1, 1},
      {"an address has 32 bits on 1.x, two halves later", "add.s64 %rd1,%rd2,%rd3;", 1, 2},
      {"an address of shared memory has 32 bits", "mov.u64 %rd1,s; add.s64 %rd2,%rd1,%rd3;", 1, 1},
      {"index × 4 + base: shift and addition; a wide multiply-add of two halves",
       "mul.wide.s32 %rd1,%r1,4; add.s64 %rd2,%rd3,%rd1;", 2, 2},
      {"a product of 32 bits is four on 1.x", "mul.lo.s32 %r1,%r2,%r3;", 4, 1},
      {"and one more to add", "mad.lo.s32 %r1,%r2,%r3,%r4;", 5, 1},
      {"a factor of a byte spares one",
       "ld.global.u8 %h1,[%rd1]; cvt.u32.u16 %r2,%h1; mul.lo.s32 %r1,%r2,%r3; st.global.u32 "
       "[%rd1],%r1;",
       5, 3},
      {"two that have 24 bits are one",
       "and.b32 %r5,%r6,4095; and.b32 %r7,%r8,65535; mul.lo.s32 %r1,%r5,%r7;", 3, 3},
      {"what cuts numbers to 24 bits for a product alone vanishes on 1.x",
       "and.b32 %r5,%r6,16777215; shl.b32 %r7,%r8,8; shr.s32 %r9,%r7,8; mul.lo.s32 %r1,%r5,%r9;", 1,
       4},
      {"but not what is used otherwise, too",
       "and.b32 %r5,%r6,16777215; and.b32 %r9,%r7,16777215; mul.lo.s32 %r1,%r5,%r9; add.s32 "
       "%r2,%r5,%r1;",
       3, 4},
      {"a constant of two bits is two shifts and an addition", "mul.lo.s32 %r1,%r2,132;", 3, 1},
      {"an operand in shared memory",
       "ld.shared.f32 %f1,[s]; fma.rn.f32 %f2,%f1,%f3,%f4; st.global.f32 [%rd1],%f2;", 2, 3},
      {"one of two",
       "ld.shared.f32 %f1,[s]; ld.shared.f32 %f2,[s+64]; fma.rn.f32 %f3,%f1,%f2,%f4; st.global.f32 "
       "[%rd1],%f3;",
       3, 4},
      {"not if two instructions need it",
       "ld.shared.f32 %f1,[s]; fma.rn.f32 %f2,%f1,%f3,%f4; fma.rn.f32 %f5,%f1,%f6,%f2; "
       "st.global.f32 [%rd1],%f5;",
       4, 4},
      {"not across a store to shared memory",
       "ld.shared.f32 %f1,[s]; st.shared.f32 [s+4],%f7; fma.rn.f32 %f2,%f1,%f3,%f4; st.global.f32 "
       "[%rd1],%f2;",
       4, 4},
      {"four words of shared memory one after the other on 1.x",
       "ld.shared.v4.f32 {%f1,%f2,%f3,%f4},[s]; st.global.v4.f32 [%rd1],{%f1,%f2,%f3,%f4};", 5, 2},
      {"1.x copies an address of shared memory that was added to a register for addresses",
       "mov.u32 %r2,s; add.s32 %r1,%r2,%r3; ld.shared.u8 %h1,[%r1]; st.global.u8 [%rd1],%h1;", 4,
       3},
      {"such a copy shifts, too",
       "shl.b32 %r1,%r3,2; ld.shared.u8 %h1,[%r1]; st.global.u8 [%rd1],%h1;", 3, 3},
      {"an address of global memory is copied nowhere",
       "add.s64 %rd2,%rd1,%rd3; ld.global.u8 %h1,[%rd2]; st.global.u8 [%rd1],%h1;", 3, 4},
      {"1.x copies a coordinate that a second fetch needs, too: a fetch's values take its place",
       "tex.2d.v4.u32.f32 {%r1,%r2,%r3,%r4},[%rd5,{%f1,%f2}]; tex.2d.v4.u32.f32 "
       "{%r5,%r6,%r7,%r8},[%rd5,{%f3,%f2}];",
       3, 2},
      {"1.x prepares the place where lanes meet behind a branch, and comes there on both ways",
       "mov.u32 %r1,%tid.x; setp.gt.s32 %p1,%r1,3; @%p1 bra $after; add.s32 %r2,%r2,1;add.s32 "
       "%r2,%r2,1;add.s32 %r2,%r2,1;add.s32 %r2,%r2,1;add.s32 %r2,%r2,1;add.s32 %r2,%r2,1;add.s32 "
       "%r2,%r2,1;add.s32 %r2,%r2,1; $after:",
       13, 11},
      {"not where all lanes go the same way",
       "mov.u32 %r1,%ctaid.x; setp.gt.s32 %p1,%r1,3; @%p1 bra $after; add.s32 %r2,%r2,1;add.s32 "
       "%r2,%r2,1;add.s32 %r2,%r2,1;add.s32 %r2,%r2,1;add.s32 %r2,%r2,1;add.s32 %r2,%r2,1;add.s32 "
       "%r2,%r2,1;add.s32 %r2,%r2,1; $after:",
       10, 11},
      {"not for seven instructions: they are predicated",
       "mov.u32 %r1,%tid.x; setp.gt.s32 %p1,%r1,3; @%p1 bra $after; add.s32 %r2,%r2,1;add.s32 "
       "%r2,%r2,1;add.s32 %r2,%r2,1;add.s32 %r2,%r2,1;add.s32 %r2,%r2,1;add.s32 %r2,%r2,1;add.s32 "
       "%r2,%r2,1; $after:",
       10, 10},
      {"not for a loop",
       "mov.u32 %r1,%tid.x; $again: add.s32 %r2,%r2,1;add.s32 %r2,%r2,1;add.s32 %r2,%r2,1;add.s32 "
       "%r2,%r2,1;add.s32 %r2,%r2,1;add.s32 %r2,%r2,1;add.s32 %r2,%r2,1;add.s32 %r2,%r2,1; "
       "setp.gt.s32 %p1,%r1,%r2; @%p1 bra $again;",
       11, 11},
      {"two conditions at once are numbers on 1.x",
       "setp.gt.s32 %p1,%r1,3; setp.gt.s32 %p2,%r2,3; and.pred %p3,%p1,%p2; selp.b32 "
       "%r3,%r4,%r5,%p3;",
       7, 4},
      {"and a condition that is used otherwise, too, is made twice",
       "setp.gt.s32 %p1,%r1,3; setp.gt.s32 %p2,%r2,3; and.pred %p3,%p1,%p2; selp.b32 "
       "%r3,%r4,%r5,%p3; selp.b32 %r6,%r4,%r5,%p1;",
       9, 5},
      {"a second operand in shared memory is copied to a register on 1.x",
       "mov.u32 %r1,%ctaid.x; mov.u32 %r2,%ntid.x; mad.lo.s32 %r3,%r1,%r2,%r4;", 2, 2},
      {"one operand there is none too many", "mov.u32 %r1,%ctaid.x; add.s32 %r3,%r1,%r4;", 1, 2},
      {"integer extension is part of what comes before or behind", "cvt.u64.u32 %rd1,%r1;", 0, 0},
      {"a float from an integer is an instruction", "cvt.rn.f32.s32 %f1,%r1;", 1, 1},
  };
  for (const SlotCase& c : cases) {
    EXPECT_EQ(slots(c.body, 1, 3), c.gt200) << c.what << ", 1.3";
    EXPECT_EQ(slots(c.body, 3, 5), c.kepler) << c.what << ", 3.5";
  }
}

// PTX lines in issue order, without folded instructions and `ret`. The body starts on line 9.
std::vector<int> order(const std::string& body) {
  const PtxCode code = make_ptx_code(program_of("\n" + body), chip(3, 5));
  std::vector<int> lines;
  for (const PtxOp& op : code.ops) {
    if (op.slots > 0 && op.kind != PtxOp::Kind::kArithmetic) lines.push_back(op.ptx_line - 8);
  }
  return lines;
}

TEST(PtxCode, LoadsGoBeforeWhatWaitsForOthers) {
  struct OrderCase {
    const char* what;
    const char* body;
    std::vector<int> lines;
  };
  const OrderCase cases[] = {
      {"two loads, then their stores to shared memory",
       "ld.global.f32 %f1,[%rd1];\nst.shared.f32 [s],%f1;\nld.global.f32 "
       "%f2,[%rd1+4];\nst.shared.f32 [s+64],%f2;\n",
       {1, 3, 2, 4}},
      {"not over a store to global memory that waits",
       "ld.global.f32 %f1,[%rd1];\nst.global.f32 [%rd2],%f1;\nld.global.f32 "
       "%f2,[%rd1+4];\nst.global.f32 [%rd2+4],%f2;\n",
       {1, 2, 3, 4}},
      {"not over a barrier",
       "ld.global.f32 %f1,[%rd1];\nst.shared.f32 [s],%f1;\nbar.sync 0;\nld.global.f32 "
       "%f2,[%rd1+4];\nst.shared.f32 [s+4],%f2;\n",
       {1, 2, 3, 4, 5}},
      {"not before the register is free",
       "ld.global.f32 %f1,[%rd1];\nst.shared.f32 [s],%f1;\nld.global.f32 "
       "%f1,[%rd1+4];\nst.shared.f32 [s+64],%f1;\n",
       {1, 2, 3, 4}},
  };
  for (const OrderCase& c : cases) EXPECT_EQ(order(c.body), c.lines) << c.what;
}

TEST(LiveRegisters, AreThoseThatLiveAtOnce) {
  struct LiveCase {
    const char* what;
    const char* body;
    int wide;
    int narrow;
  };
  const LiveCase cases[] = {
      {"three values at the addition",
       "ld.global.f32 %f1,[%rd1]; ld.global.f32 %f2,[%rd1+4];"
       // the pointer counts as two registers, or as one
       "add.f32 %f3,%f1,%f2; st.global.f32 [%rd1],%f3;",
       4, 3},
      {"parameters lie in constant or shared memory",
       "ld.param.u64 %rd2,[p]; mov.u32 %r1,%tid.x; mul.wide.u32 %rd3,%r1,4; add.s64 %rd1,%rd2,%rd3;"
       "st.global.u32 [%rd1],%r1;",
       3, 2},
      {"doubles are pairs on every chip",
       "ld.global.f64 %d2,[%rd1]; ld.global.f64 %d3,[%rd1+8]; add.f64 %d1,%d2,%d3;"
       "st.global.f64 [%rd1],%d1;",
       6, 5},
      {"what only a short arm knows lives only there",
       "ld.global.f32 %f1,[%rd1]; ld.global.f32 %f2,[%rd1+4]; add.f32 %f3,%f1,%f2; @%p1 bra L1;\n"
       "add.f32 %f4,%f3,%f3; add.f32 %f5,%f4,%f4; st.global.f32 [%rd1+8],%f5;\nL1: st.global.f32 "
       "[%rd1],%f3;",
       4, 3},
      {"what an arm only may have written lived before it",
       "ld.global.f32 %f1,[%rd1]; ld.global.f32 %f2,[%rd1+4]; ld.global.f32 %f3,[%rd1+8]; @%p1 bra "
       "L1;\n"
       "add.f32 %f3,%f1,%f2;\nL1: st.global.f32 [%rd1],%f3;",
       5, 4},
      {"a texture of 1.x fills four registers, though one is asked for",
       "tex.2d.v4.u32.f32 {%r1,%r2,%r3,%r4},[%rd5,{%f1,%f2}]; st.global.u32 [%rd1],%r1;", 3, 5},
  };
  for (const LiveCase& c : cases) {
    const emulator::Program program =
        program_of(std::string("ld.param.u64 %rd9,[p]; add.s64 %rd1,%rd9,%rd8;") + c.body);
    EXPECT_EQ(live_registers(program, false), c.wide) << c.what;
    EXPECT_EQ(live_registers(program, true), c.narrow) << c.what;
  }
}

}  // namespace
}  // namespace warpshop::timing
