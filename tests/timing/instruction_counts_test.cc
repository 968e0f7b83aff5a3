// Waits, dependency chains and instruction classes of short pieces of PTX, worked out by hand.
// docs/models.md, "Waiting for loads", lists the kernels whose counts were compared with SASS.
#include "timing/instruction_counts.h"

#include <gtest/gtest.h>

#include <string>

#include "ptx/parser.h"

namespace warpshop::timing {
namespace {

// Counts for a kernel with this body, in which each of `runs` warps issues every instruction once.
InstructionCounts count(const std::string& body, uint64_t runs = 1) {
  const std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
      ".reg .pred %p<9>; .reg .b32 %r<19>; .reg .b64 %rd<19>; .reg .f32 %f<29>; .reg .f64 %d<9>;\n"
      ".shared .align 4 .b8 s[128];\n" +
      body + "\nret;\n}\n";
  const ptx::ParseOutput output = ptx::parse(text, "t.ptx");
  EXPECT_TRUE(output.diagnostics.empty()) << render(output.diagnostics);
  const ptx::Function& function = output.module.functions[0];
  EXPECT_TRUE(function.problems.empty()) << render(function.problems);
  const std::vector<emulator::InstructionCount> counts(function.body.size(), {runs, 32 * runs});
  return count_instructions(function, counts);
}

struct WaitCase {
  const char* what;
  const char* body;
  uint64_t waits;
};

TEST(LoadWaits, AreCountedOncePerBatch) {
  const WaitCase cases[] = {
      {"a load and its use", "ld.global.f32 %f1,[%rd1]; st.global.f32 [%rd2],%f1;", 1},
      {"a load that nobody needs", "ld.global.f32 %f1,[%rd1];", 0},
      {"two loads, then their uses",
       "ld.global.f32 %f1,[%rd1]; ld.global.f32 %f2,[%rd1+4]; add.f32 %f3,%f1,%f2;", 1},
      {"the second load moves up over arithmetic",
       "ld.global.f32 %f1,[%rd1]; add.f32 %f3,%f1,%f1; ld.global.f32 %f2,[%rd1+4];"
       "add.f32 %f4,%f2,%f3;",
       1},
      {"but not over a store that waits",
       "ld.global.f32 %f1,[%rd1]; st.global.f32 [%rd2],%f1; ld.global.f32 %f2,[%rd1+4];"
       "st.global.f32 [%rd2+4],%f2;",
       2},
      {"unless it is read-only",
       "ld.global.nc.f32 %f1,[%rd1]; st.global.f32 [%rd2],%f1; ld.global.nc.f32 %f2,[%rd1+4];"
       "st.global.f32 [%rd2+4],%f2;",
       1},
      {"a store of something else waits for nobody",
       "ld.global.f32 %f1,[%rd1]; st.global.f32 [%rd2],%f9; ld.global.f32 %f2,[%rd1+4];"
       "add.f32 %f3,%f1,%f2;",
       1},
      {"an address that was loaded",
       "ld.global.u64 %rd3,[%rd1]; ld.global.u64 %rd4,[%rd3]; ld.global.u64 %rd5,[%rd4];"
       "st.global.u64 [%rd2],%rd5;",
       3},
      {"a barrier alone waits for no load",
       "ld.global.f32 %f1,[%rd1]; bar.sync 0; ld.global.f32 %f2,[%rd1+4]; add.f32 %f3,%f1,%f2;", 1},
      // From the SASS of a tile filled in two halves: four LDG, four STS, BAR, four LDG, four STS.
      {"a barrier stays behind a store to shared memory, and what follows behind the barrier",
       "ld.global.f32 %f1,[%rd1]; st.shared.f32 [%r1],%f1; bar.sync 0;"
       "ld.global.f32 %f2,[%rd1+4]; st.shared.f32 [%r1+4],%f2; bar.sync 0;",
       2},
      {"loads pass stores to shared memory",
       "ld.global.f32 %f1,[%rd1]; st.shared.f32 [%r1],%f1;"
       "ld.global.f32 %f2,[%rd1+4]; st.shared.f32 [%r1+4],%f2; bar.sync 0;",
       1},
      {"a waiting store to global memory holds back the barrier",
       "ld.global.f32 %f1,[%rd1]; st.global.f32 [%rd2],%f1; bar.sync 0;"
       "ld.global.nc.f32 %f2,[%rd1+4]; add.f32 %f3,%f2,%f2;",
       2},
      {"a call waits for its argument, and what follows for the call",
       "P: .callprototype ()_ (.param .b32 _);\n"
       "ld.global.f32 %f1,[%rd1]; { .param .b32 a; st.param.f32 [a],%f1; call %rd9,(a),P; }"
       "ld.global.f32 %f2,[%rd1+4]; { .param .b32 b; st.param.f32 [b],%f2; call %rd9,(b),P; }",
       2},
      {"loads before the first call go together",
       "P: .callprototype ()_ (.param .b32 _);\n"
       "ld.global.f32 %f1,[%rd1]; ld.global.f32 %f2,[%rd1+4];"
       "{ .param .b32 a; st.param.f32 [a],%f1; call %rd9,(a),P; }"
       "{ .param .b32 b; st.param.f32 [b],%f2; call %rd9,(b),P; }",
       1},
      {"a value that passes through shared memory",
       "ld.global.f32 %f1,[%rd1]; st.shared.f32 [%r1+4],%f1; ld.shared.f32 %f2,[%r1+4];"
       "st.global.f32 [%rd2],%f2; ld.global.f32 %f3,[%rd1+4]; st.global.f32 [%rd2+4],%f3;",
       2},
      {"of local memory, wider and elsewhere in it",
       "ld.global.f32 %f1,[%rd1]; st.local.v2.f32 [%rd3+8],{%f1,%f1}; ld.local.f32 %f2,[%rd3+12];"
       "st.global.f32 [%rd2],%f2; ld.global.f32 %f3,[%rd1+4]; st.global.f32 [%rd2+4],%f3;",
       2},
      {"another place is read at once",
       "ld.global.f32 %f1,[%rd1]; st.shared.f32 [%r1+4],%f1; ld.shared.f32 %f2,[%r1+8];"
       "st.global.f32 [%rd2],%f2; ld.global.f32 %f3,[%rd1+4]; st.global.f32 [%rd2+4],%f3;",
       1},
      {"shared memory is not counted", "ld.shared.f32 %f1,[%r1]; st.shared.f32 [%r1+4],%f1;", 0},
      {"a copy waits for nothing",
       "ld.global.f32 %f1,[%rd1]; mov.f32 %f5,%f1; ld.global.f32 %f2,[%rd1+4];"
       "st.global.f32 [%rd2],%f5; st.global.f32 [%rd2+4],%f2;",
       1},
      {"short arms are predicated, and their loads go together",
       "@%p1 bra A; ld.global.f32 %f1,[%rd1]; fma.rn.f32 %f1,%f1,%f1,%f1;\nA:\n"
       "@%p2 bra B; ld.global.f32 %f2,[%rd1+4];\nB:\n add.f32 %f3,%f1,%f2;",
       1},
      {"arms with a call are not",
       "@%p1 bra A; ld.global.f32 %f1,[%rd1]; bar.sync 0; add.f32 %f1,%f1,%f1;\nA:\n"
       "@%p2 bra B; ld.global.f32 %f2,[%rd1+4]; bar.sync 0; add.f32 %f2,%f2,%f2;\nB:\n"
       "add.f32 %f3,%f1,%f2;",
       2},
      {"a load is still on the way in the next block",
       "ld.global.f32 %f1,[%rd1]; @%p1 bra A;\nB:\n add.s32 %r2,%r2,1; @%p2 bra B;\nA:\n"
       "add.f32 %f3,%f1,%f1;",
       1},
  };
  for (const WaitCase& c : cases) EXPECT_EQ(count(c.body).load_waits, c.waits) << c.what;
}

// Loads for the next iteration cost one wait per iteration;
// loads before the loop cost one in total.
TEST(LoadWaits, ComeRoundALoop) {
  EXPECT_EQ(count("ld.global.f32 %f1,[%rd1];\nL:\n mov.f32 %f2,%f1; add.s64 %rd1,%rd1,4;"
                  "ld.global.f32 %f1,[%rd1]; add.f32 %f3,%f3,%f2; @%p1 bra L;",
                  1)
                .load_waits,
            1u);
  const std::string invariant =
      "ld.global.f32 %f1,[%rd1]; add.s32 %r3,%r3,1;\nL:\n add.f32 %f3,%f3,%f1; @%p1 bra L;";
  EXPECT_EQ(count(invariant).load_waits, 1u);
  // The loop runs ten iterations each time it is entered.
  const std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
      ".reg .pred %p<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>;\nld.global.f32 %f1,[%rd1];\nL:\n"
      "add.f32 %f3,%f3,%f1; @%p1 bra L;\nret;\n}\n";
  const ptx::ParseOutput output = ptx::parse(text, "t.ptx");
  const std::vector<emulator::InstructionCount> counts = {{1, 32}, {10, 320}, {10, 320}, {1, 32}};
  EXPECT_EQ(count_instructions(output.module.functions[0], counts).load_waits, 1u);
}

struct ChainCase {
  const char* what;
  const char* body;
  uint64_t steps;  // counts `ret` too, which depends on nothing
};

TEST(DependentSteps, AreTheLongestChain) {
  const ChainCase cases[] = {
      {"nothing needs anything", "add.f32 %f1,%f8,%f9; add.f32 %f2,%f8,%f9; add.f32 %f3,%f8,%f9;",
       1},
      {"a chain of three", "add.f32 %f1,%f8,%f9; add.f32 %f1,%f1,%f9; add.f32 %f1,%f1,%f9;", 3},
      {"two chains side by side",
       "add.f32 %f1,%f1,%f9; add.f32 %f2,%f2,%f9; add.f32 %f1,%f1,%f9; add.f32 %f2,%f2,%f9;", 2},
      {"a copy is no step", "add.f32 %f1,%f8,%f9; mov.f32 %f2,%f1; add.f32 %f3,%f2,%f9;", 2},
      {"a name used again is a new value",
       "add.f32 %f1,%f1,%f9; mul.f32 %f1,%f8,%f9; add.f32 %f2,%f1,%f9;", 2},
      {"an arm needs its condition and the value before",
       "setp.lt.s32 %p1,%r1,%r2; add.f32 %f1,%f8,%f9; @%p1 bra A; add.f32 %f1,%f8,%f8;\nA:\n"
       "add.f32 %f2,%f1,%f1;",
       3},
      {"shared memory links a chain",
       "add.f32 %f1,%f8,%f9; st.volatile.shared.f32 [%r1],%f1; ld.volatile.shared.f32 %f2,[%r1];"
       "add.f32 %f3,%f2,%f9; st.shared.f32 [%r2+4],%f3; ld.shared.f32 %f4,[%r3]; add.f32 "
       "%f5,%f4,%f9;",
       7},
      {"so does a generic address",
       "add.f32 %f1,%f8,%f9; st.shared.f32 [%r1],%f1; ld.f32 %f2,[%rd1]; add.f32 %f3,%f2,%f9;", 4},
      {"and an atomic, which reads and writes",
       "add.s32 %r9,%r10,%r11; atom.shared.exch.b32 %r5,[%r1],%r9; atom.shared.exch.b32 "
       "%r6,[%r1],%r7;"
       "add.s32 %r8,%r6,%r6;",
       4},
      {"a load before the store does not need it",
       "ld.shared.f32 %f2,[%r1]; add.f32 %f1,%f8,%f9; st.shared.f32 [%r1],%f1;", 2},
      {"nor does one of other memory",
       "add.f32 %f1,%f8,%f9; st.shared.f32 [%r1],%f1; ld.local.f32 %f2,[%rd1]; ld.global.f32 "
       "%f3,[%rd2]; add.f32 %f4,%f2,%f3;",
       2},
      {"ordinary loads of global memory do not, volatile ones do",
       "add.f32 %f1,%f8,%f9; st.volatile.global.f32 [%rd1],%f1; ld.global.f32 %f2,[%rd1]; "
       "ld.volatile.global.f32 %f3,[%rd1]; add.f32 %f4,%f3,%f9;",
       4},
      {"chains of blocks are cut",
       "L:\n add.f32 %f1,%f1,%f9; @%p1 bra L; add.f32 %f1,%f1,%f9; add.f32 %f1,%f1,%f9;", 3},
  };
  for (const ChainCase& c : cases) EXPECT_EQ(count(c.body).dependent_steps, c.steps) << c.what;
}

TEST(InstructionCounts, GoByWhatRunsThem) {
  InstructionCounts expected;
  expected.alu_instructions = 3 * 3;       // add.s32, setp, selp
  expected.fma_instructions = 3 * 3;       // add.f32, fma, mul.lo
  expected.fp64_instructions = 1 * 3;      // fma.f64
  expected.special_instructions = 2 * 3;   // sin, rcp
  expected.software_instructions = 3 * 3;  // rem, div.rn, sqrt.rn
  expected.conversion_instructions = 1 * 3;
  expected.branch_instructions = 1 * 3;
  expected.barrier_instructions = 1 * 3;
  InstructionCounts got = count(
      "add.s32 %r1,%r2,%r3; setp.lt.s32 %p1,%r1,%r2; selp.b32 %r4,%r1,%r2,%p1;"
      "add.f32 %f1,%f2,%f3; fma.rn.f32 %f1,%f2,%f3,%f4; mul.lo.s32 %r5,%r6,%r7;"
      "fma.rn.f64 %d1,%d2,%d3,%d4; sin.approx.f32 %f5,%f6; rcp.approx.ftz.f32 %f7,%f6;"
      "rem.s32 %r8,%r6,%r7; div.rn.f32 %f8,%f6,%f7; sqrt.rn.f32 %f9,%f6;"
      "cvt.f64.f32 %d5,%f1; mov.f32 %f10,%f1; bar.sync 0; @%p1 bra A;\nA:\n",
      3);
  got.dependent_steps = 0;
  got.load_waits = 0;
  EXPECT_EQ(got, expected);
}

TEST(InstructionCounts, KnowWhatAWarpDoesTogether) {
  InstructionCounts expected;
  expected.shuffle_instructions = 2;
  expected.vote_instructions = 4;
  expected.tensor_instructions = 1;
  expected.async_copy_instructions = 1;
  expected.copy_waits = 2;
  expected.mbarrier_arrivals = 1;
  expected.barrier_instructions = 1;
  InstructionCounts got = count(
      "shfl.sync.up.b32 %r1,%r2,1,0,-1; shfl.sync.bfly.b32 %r1,%r2,1,31,-1;"
      "vote.sync.ballot.b32 %r3,%p1,-1; match.any.sync.b32 %r4,%r1,-1; redux.sync.add.s32 "
      "%r5,%r1,-1;"
      "activemask.b32 %r6; bar.warp.sync -1;"
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4},{%r1,%r2,%r3,%r4},"
      "{%r5,%r6},{%f1,%f2,%f3,%f4};"
      "cp.async.cg.shared.global [%rd1],[%rd2],16; cp.async.commit_group; cp.async.wait_group 0;"
      "mbarrier.arrive.shared.b64 _,[%r1]; mbarrier.try_wait.parity.shared.b64 %p2,[%r1],0;"
      "bar.sync 0;");
  got.dependent_steps = 0;
  got.load_waits = 0;
  EXPECT_EQ(got, expected);
}

TEST(InstructionCounts, WhatWasNotIssuedIsNotCounted) {
  EXPECT_EQ(count("add.f32 %f1,%f2,%f3; ld.global.f32 %f1,[%rd1]; add.f32 %f1,%f1,%f1;", 0),
            InstructionCounts());
}

}  // namespace
}  // namespace warpshop::timing
