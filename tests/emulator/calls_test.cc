// Calls through registers, and alloca.
#include <gtest/gtest.h>

#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

// The functions add and mul, and a table of both; a third function has a different signature.
const char* const kFunctions = R"(
.func (.param .b32 r) add(.param .b32 a, .param .b32 b) { .reg .b32 %x<4>;
  ld.param.u32 %x0, [a]; ld.param.u32 %x1, [b]; add.u32 %x2, %x0, %x1;
  st.param.u32 [r], %x2; ret; }
.func (.param .b32 r) mul(.param .b32 a, .param .b32 b) { .reg .b32 %x<4>;
  ld.param.u32 %x0, [a]; ld.param.u32 %x1, [b]; mul.lo.u32 %x2, %x0, %x1;
  st.param.u32 [r], %x2; ret; }
.func (.param .b64 r) wide(.param .b64 a) { ret; }
.global .align 8 .u64 table[3] = {add, mul, wide};
)";

// Parameters may be registers, as in PTX by hand or from old compilers. PTX ISA §5.4.4.
TEST(RegisterParameters, ArgumentsAndResultsTravel) {
  const std::string functions =
      ".func (.reg .u32 out, .reg .f64 half) split(.reg .u32 a, .reg .b64 wide, .param .b32 c) { "
      ".reg .b32 %x<4>; .reg .pred %z;"
      "ld.param.u32 %x0, [c]; cvt.u32.u64 %x1, wide; mad.lo.u32 out, a, %x0, %x1; cvt.rn.f64.u32 "
      "half, a; mul.f64 half, half, 0d3FE0000000000000;"
      "and.b32 %x2, a, 1; setp.eq.u32 %z, %x2, 1; @%z bra ODD; ret; ODD: add.u32 out, out, 100; "
      "ret; }"
      ".func (.reg .u32 r) down(.reg .u32 n) { .reg .b32 %x<2>; .reg .pred %z; setp.eq.u32 %z, n, "
      "0; mov.u32 r, 0; @%z ret;"
      "sub.u32 %x0, n, 1; call (%x1), down, (%x0); add.u32 r, %x1, n; }";
  const KernelRun run = run_warp(
      ".reg .f64 %d; .param .b32 c; mov.u32 %r1, %tid.x; mov.u64 %l1, 1000; st.param.u32 [c], 7; "
      "call (%r2, %d), split, (%r1, %l1, c);"
      "cvt.rzi.u32.f64 %r3, %d; call (%r4), down, (%r1); call (%r5), down, (5); mul.lo.u32 %r3, "
      "%r3, 10000; add.u32 %r0, %r2, %r3;"
      "mad.lo.u32 %r0, %r4, 1000000, %r0; add.u32 %r0, %r0, %r5;" +
          kStoreR0,
      functions);
  ASSERT_EQ(errors_of(run), "");
  EXPECT_TRUE(run.result.findings.empty());
  for (uint32_t t = 0; t < 32; ++t) {
    const uint32_t split = t * 7 + 1000 + (t % 2 == 1 ? 100 : 0);
    EXPECT_EQ(run.buffers.at(0)[t], split + t / 2 * 10000 + t * (t + 1) / 2 * 1000000 + 15) << t;
  }
}

TEST(RegisterParameters, OfAnotherSizeAreRefused) {
  const std::string function = ".func (.reg .u32 r) f(.reg .u64 n) { cvt.u32.u64 r, n; ret; }";
  for (const char* call :
       {"call (%r0), f, (%r1);", "call (%r0), f, (%q0);", "call (%l0), f, ({%r1, %r2});"}) {
    EXPECT_NE(
        errors_of(run_warp(std::string(call) + kStoreR0, function)).find("the emulator cannot run"),
        std::string::npos)
        << call;
  }
}

// %r0 = (*%l1)(thread, 3)
const char* const kCall = R"(
  { .param .b32 p0; .param .b32 p1; .param .b32 ret0;
    mov.u32 %r1, %tid.x; st.param.u32 [p0], %r1; st.param.u32 [p1], 3;
    prototype_0: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);
    call (ret0), %l1, (p0, p1), prototype_0;
    ld.param.u32 %r0, [ret0]; }
)";

// Warp 0: eight instructions, three of them in the function. Warp 1: 31 more, ten times round a
// loop.
TEST(Calls, InstructionsAreCountedInEachFunctionAndForEachWarp) {
  const KernelRun run = run_ptx(
      kernel_text("mov.u32 %r1, %tid.x; setp.lt.u32 %q0, %r1, 32; @%q0 bra MEET; mov.u32 %r2, 0;"
                  "L: add.u32 %r2, %r2, 1; setp.lt.u32 %q1, %r2, 10; @%q1 bra L;"
                  "MEET: call twice; ret;",
                  0, ".func twice() { bar.sync 0; bar.sync 0; ret; }"),
      {1, 1, 1}, {64, 1, 1}, {});
  ASSERT_EQ(errors_of(run), "");
  EXPECT_EQ(run.result.warp_instructions, 8u + 39u);
  EXPECT_EQ(run.result.longest_warp, 39u);
  EXPECT_EQ(run.result.squared_work, 8 * 8 + 39 * 39);
  ASSERT_EQ(run.result.called.size(), 1u);
  const std::vector<InstructionCount>& called = run.result.called[0].instructions;
  ASSERT_EQ(called.size(), 3u);
  for (const InstructionCount& i : called) {
    EXPECT_EQ(i.warps, 2u);
    EXPECT_EQ(i.lanes, 64u);
  }
}

TEST(IndirectCalls, EachLaneCallsItsOwn) {
  const KernelRun run = run_warp(
      "mov.u32 %r2, %tid.x; and.b32 %r3, %r2, 1; mul.wide.u32 %l0, %r3, 8; mov.u64 %l2, table;"
      "add.u64 %l0, %l0, %l2; ld.global.u64 %l1, [%l0];" +
          std::string(kCall) + kStoreR0,
      kFunctions);
  ASSERT_EQ(errors_of(run), "");
  EXPECT_TRUE(run.result.findings.empty());
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(run.buffers[0][t], t % 2 == 0 ? t + 3 : 3 * t);
}

TEST(IndirectCalls, OneTargetForAllAndAListOfTargets) {
  const std::string body =
      "mov.u64 %l1, mul; { .param .b32 p0; .param .b32 p1; .param .b32 ret0; mov.u32 %r1, %tid.x; "
      "st.param.u32 [p0], %r1;"
      "st.param.u32 [p1], 5; targets: .calltargets add, mul; call (ret0), %l1, (p0, p1), targets; "
      "ld.param.u32 %r0, [ret0]; }";
  const KernelRun run = run_warp(body + kStoreR0, kFunctions);
  ASSERT_EQ(errors_of(run), "");
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(run.buffers[0][t], 5 * t);
}

// Diverged lanes reconverge after the calls: the lanes of both
// functions reach the barrier together.
TEST(IndirectCalls, LanesMeetBehindTheCall) {
  const KernelRun run = run_warp(
      "mov.u32 %r2, %tid.x; and.b32 %r3, %r2, 1; mul.wide.u32 %l0, %r3, 8; mov.u64 %l2, table;"
      "add.u64 %l0, %l0, %l2; ld.global.u64 %l1, [%l0];" +
          std::string(kCall) + "vote.sync.ballot.b32 %r0, 1, 0xffffffff;" + kStoreR0,
      kFunctions);
  ASSERT_EQ(errors_of(run), "");
  EXPECT_TRUE(run.result.findings.empty());
  EXPECT_EQ(run.buffers[0], Words(32, 0xffffffffu));
}

TEST(IndirectCalls, BadPointersAreFound) {
  struct Case {
    const char* pointer;
    const char* says;
  };
  const Case kCallsCases[] = {{"mov.u64 %l1, 0;", "null function pointer"},
                              {"mov.u64 %l1, 123456;", "the address of no function"},
                              {"mov.u64 %l1, wide;", "\"wide\" through a pointer of another type"}};
  for (const Case& c : kCallsCases) {
    SCOPED_TRACE(c.pointer);
    const KernelRun run = run_warp(c.pointer + std::string(kCall) + kStoreR0, kFunctions);
    ASSERT_EQ(errors_of(run), "");
    const Finding* f = run.find(FindingKind::kBadCall);
    ASSERT_NE(f, nullptr);
    EXPECT_NE(f->message.english().find(c.says), std::string::npos) << f->message;
    EXPECT_FALSE(run.result.completed);
  }
}

TEST(Alloca, MemoryLivesUntilTheFunctionReturns) {
  const char* const kTwice = R"(
.func (.param .b32 r) use(.param .b32 n) { .reg .b32 %x<4>; .reg .b64 %y<4>;
  ld.param.u32 %x0, [n]; cvt.u64.u32 %y0, %x0; alloca.u64 %y1, %y0, 16;
  st.local.u32 [%y1], %x0; ld.local.u32 %x1, [%y1];
  st.param.u32 [r], %x1; ret; }
)";
  // 1,000 calls of 4 KiB each would exceed a thread's stack if they were kept.
  const KernelRun run = run_warp(
      "alloca.u64 %l1, 16; st.local.u32 [%l1], 42; mov.u32 %r4, 0; mov.u32 %r5, 0;\nLOOP: { .param "
      ".b32 p; .param .b32 q; st.param.u32 [p], 4096;"
      "call (q), use, (p); ld.param.u32 %r6, [q]; add.u32 %r5, %r5, %r6; } add.u32 %r4, %r4, 1; "
      "setp.lt.u32 %q0, %r4, 1000; @%q0 bra LOOP;"
      "ld.local.u32 %r0, [%l1]; add.u32 %r0, %r0, %r5;" +
          kStoreR0,
      kTwice);
  ASSERT_EQ(errors_of(run), "");
  EXPECT_TRUE(run.result.findings.empty()) << run.result.findings[0].message;
  EXPECT_EQ(run.buffers[0], Words(32, 42 + 4096 * 1000));
}

TEST(Alloca, SaveAndRestoreGiveItBackAndTooMuchIsFound) {
  const KernelRun good = run_warp(
      "mov.u32 %r4, 0;\nLOOP: stacksave.u64 %l0; alloca.u64 %l1, 8192, 64; st.local.u32 [%l1], "
      "%r4; ld.local.u32 %r0, [%l1];"
      "stackrestore.u64 %l0; add.u32 %r4, %r4, 1; setp.lt.u32 %q0, %r4, 50; @%q0 bra LOOP;" +
      kStoreR0);
  ASSERT_EQ(errors_of(good), "");
  EXPECT_TRUE(good.result.findings.empty());
  EXPECT_EQ(good.buffers[0], Words(32, 49));
  const KernelRun bad = run_warp(
      "mov.u32 %r4, 0;\nLOOP: alloca.u64 %l1, 8192; add.u32 %r4, %r4, 1; setp.lt.u32 %q0, %r4, 50; "
      "@%q0 bra LOOP; ret;");
  ASSERT_EQ(errors_of(bad), "");
  ASSERT_NE(bad.find(FindingKind::kStackOverflow), nullptr);
  EXPECT_NE(bad.find(FindingKind::kStackOverflow)->message.english().find("alloca of 8192 bytes"),
            std::string::npos);
}

}  // namespace
}  // namespace warpshop::emulator::testing
