// Divergence, loops, early exits, barriers, calls.
#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

struct LaneCase {
  const char* name;
  std::string body;
  std::string before;
  uint32_t (*expected)(uint32_t lane);
};

class ControlTest : public ::testing::TestWithParam<LaneCase> {};

TEST_P(ControlTest, EveryLaneStoresWhatItShould) {
  const LaneCase& c = GetParam();
  const KernelRun run = run_warp(c.body, c.before);
  ASSERT_EQ(errors_of(run), "");
  ASSERT_TRUE(run.result.completed);
  EXPECT_TRUE(run.result.findings.empty());
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(run.buffers[0][lane], c.expected(lane)) << "lane " << lane;
}

const LaneCase kControlCases[] = {
    {"if_else",
     "mov.u32 %r1, %tid.x; setp.lt.u32 %q0, %r1, 10; @%q0 bra LOW; mov.u32 %r0, 200; bra.uni JOIN;"
     "LOW: mov.u32 %r0, 100; JOIN: add.u32 %r0, %r0, 1;" +
         kStoreR0,
     "", [](uint32_t lane) { return lane < 10 ? 101u : 201u; }},
    {"uneven_loop",
     "mov.u32 %r1, %tid.x; mov.u32 %r0, 0; LOOP: setp.ge.u32 %q0, %r0, %r1; @%q0 bra DONE; add.u32 "
     "%r0, %r0, 1; bra LOOP;"
     "DONE: shl.b32 %r0, %r0, 1;" +
         kStoreR0,
     "", [](uint32_t lane) { return lane * 2; }},
    {"nested",
     "mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1; and.b32 %r3, %r1, 2; mov.u32 %r0, 0;"
     "setp.eq.u32 %q0, %r2, 0; @%q0 bra EVEN; setp.eq.u32 %q1, %r3, 0; @%q1 bra A; add.u32 %r0, "
     "%r0, 30; bra B;"
     "A: add.u32 %r0, %r0, 10; B: add.u32 %r0, %r0, 100; bra END;"
     "EVEN: setp.ne.u32 %q2, %r3, 0; @%q2 add.u32 %r0, %r0, 7; END: add.u32 %r0, %r0, 1000;" +
         kStoreR0,
     "",
     [](uint32_t lane) {
       return (lane & 1) ? 1100u + ((lane & 2) ? 30u : 10u) : 1000u + ((lane & 2) ? 7u : 0u);
     }},
    {"break_inside_loop",
     "mov.u32 %r1, %tid.x; mov.u32 %r0, 0; mov.u32 %r2, 0;"
     "LOOP: add.u32 %r0, %r0, 1; setp.eq.u32 %q0, %r0, %r1; @%q0 bra OUT; add.u32 %r2, %r2, 1; "
     "setp.lt.u32 %q1, %r0, 20;"
     "@%q1 bra LOOP; OUT: add.u32 %r0, %r0, %r2;" +
         kStoreR0,
     "", [](uint32_t lane) { return lane >= 1 && lane <= 20 ? lane + lane - 1 : 40u; }},
    {"guarded_instruction",
     "mov.u32 %r1, %tid.x; mov.u32 %r0, 5; setp.gt.u32 %q0, %r1, 15; @!%q0 mov.u32 %r0, 9;" +
         kStoreR0,
     "", [](uint32_t lane) { return lane > 15 ? 5u : 9u; }},
    {"indexed_branch",
     "mov.u32 %r1, %tid.x; and.b32 %r1, %r1, 3; T: .branchtargets L0, L1, L2, L3; brx.idx %r1, T;"
     "L0: mov.u32 %r0, 4; bra J; L1: mov.u32 %r0, 5; bra J; L2: mov.u32 %r0, 6; bra J; L3: mov.u32 "
     "%r0, 7; J: add.u32 %r0, %r0, 10;" +
         kStoreR0,
     "", [](uint32_t lane) { return (lane & 3) + 14; }},
    {"call_with_divergence_inside",
     "mov.u32 %r1, %tid.x; { .param .b32 x; .param .b32 y; st.param.b32 [x], %r1; call.uni (y), f, "
     "(x); ld.param.b32 %r0, [y]; }" +
         kStoreR0,
     ".func (.param .b32 out) f(.param .b32 in) { .reg .b32 %a<4>; .reg .pred %b; ld.param.u32 "
     "%a0, [in];"
     "setp.lt.u32 %b, %a0, 5; @%b bra SMALL; mul.lo.u32 %a1, %a0, 3; st.param.b32 [out], %a1; ret;"
     "SMALL: add.u32 %a1, %a0, 50; st.param.b32 [out], %a1; ret; }",
     [](uint32_t lane) { return lane < 5 ? lane + 50 : lane * 3; }},
    {"recursion",
     "mov.u32 %r1, %tid.x; and.b32 %r1, %r1, 7; { .param .b32 x; .param .b32 y; st.param.b32 [x], "
     "%r1; call.uni (y), fact, (x);"
     "ld.param.b32 %r0, [y]; }" +
         kStoreR0,
     ".func (.param .b32 out) fact(.param .b32 in) { .reg .b32 %a<4>; .reg .pred %b; ld.param.u32 "
     "%a0, [in];"
     "setp.le.u32 %b, %a0, 1; @%b bra ONE; sub.u32 %a1, %a0, 1; { .param .b32 x; .param .b32 y; "
     "st.param.b32 [x], %a1;"
     "call.uni (y), fact, (x); ld.param.b32 %a2, [y]; } mul.lo.u32 %a2, %a2, %a0; st.param.b32 "
     "[out], %a2; ret;"
     "ONE: mov.u32 %a3, 1; st.param.b32 [out], %a3; ret; }",
     [](uint32_t lane) {
       uint32_t f = 1;
       for (uint32_t n = 2; n <= (lane & 7); ++n) f *= n;
       return f;
     }},
    {"early_exit_before_barrier",
     "mov.u32 %r1, %tid.x; mov.u32 %r0, 3; mul.wide.u32 %l0, %r1, 4; add.s64 %l0, %p0, %l0; "
     "setp.ge.u32 %q0, %r1, 20;"
     "@%q0 bra OUT; bar.sync 0; st.global.u32 [%l0], %r0; OUT: ret;",
     "", [](uint32_t lane) { return lane < 20 ? 3u : 0u; }},
    {"guarded_return",
     "mov.u32 %r1, %tid.x; setp.lt.u32 %q0, %r1, 4; @%q0 ret; mov.u32 %r0, 8;" + kStoreR0, "",
     [](uint32_t lane) { return lane < 4 ? 0u : 8u; }},
};
INSTANTIATE_TEST_SUITE_P(Kernels, ControlTest, ::testing::ValuesIn(kControlCases),
                         [](const auto& test) { return std::string(test.param.name); });

// What the index depends on is used by nothing else.
TEST(DecodeTest, AnIndexedBranchNeedsItsIndex) {
  const KernelRun run = run_warp(
      "TABLE: .branchtargets A, B, C; mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1; add.u32 %r3, %r2, "
      "1;"
      "brx.idx %r3, TABLE; A: mov.u32 %r0, 10; bra END; B: mov.u32 %r0, 20; bra END;"
      "C: mov.u32 %r0, 30; END:" +
      kStoreR0);
  ASSERT_EQ(errors_of(run), "");
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(run.buffers[0][lane], lane % 2 == 0 ? 20U : 30U) << "lane " << lane;
}

// Later warps and blocks use the registers of earlier ones.
TEST(DecodeTest, ARegisterThatNothingHasWrittenIsZeroForEveryWarp) {
  const KernelRun run = run_ptx(
      kernel_text("mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mad.lo.u32 %r3, %r1, 64, %r2;"
                  "add.u32 %r4, %r4, 5; setp.lt.u32 %q0, %r2, 100; @!%q0 mov.u64 %l4, 7;"
                  "cvt.u32.u64 %r5, %l4; add.u32 %r0, %r4, %r5; mov.u64 %l4, 9;"
                  "mul.wide.u32 %l1, %r3, 4; add.u64 %l0, %p0, %l1; st.global.u32 [%l0], %r0;",
                  1),
      {4, 1, 1}, {64, 1, 1}, {Words(256, 0)});
  ASSERT_EQ(errors_of(run), "");
  EXPECT_EQ(run.buffers[0], Words(256, 5));
}

TEST(BarrierTest, WarpsOfABlockMeet) {
  // Each thread stores its index in shared memory and reads that
  // of the thread 37 places further on.
  const std::string body =
      "mov.u32 %r1, %tid.x; mov.u32 %r2, s; shl.b32 %r3, %r1, 2; add.u32 %r4, %r2, %r3; "
      "st.shared.u32 [%r4], %r1; bar.sync 0;"
      "add.u32 %r5, %r1, 37; and.b32 %r5, %r5, 127; shl.b32 %r5, %r5, 2; add.u32 %r5, %r2, %r5; "
      "ld.shared.u32 %r0, [%r5];" +
      kStoreR0;
  const KernelRun run = run_ptx(kernel_text(body, 1, "", ".shared .align 4 .b8 s[512];"), {1, 1, 1},
                                {128, 1, 1}, {Words(128)});
  ASSERT_EQ(errors_of(run), "");
  EXPECT_TRUE(run.result.findings.empty());
  for (uint32_t t = 0; t < 128; ++t) EXPECT_EQ(run.buffers[0][t], (t + 37) % 128);
}

TEST(BarrierTest, ReductionOverTheBlock) {
  const std::string body =
      "mov.u32 %r1, %tid.x; setp.lt.u32 %q0, %r1, 70; bar.red.popc.u32 %r0, 0, %q0; "
      "bar.red.and.pred %q1, 0, %q0;"
      "bar.red.or.pred %q2, 0, !%q0; @%q1 add.u32 %r0, %r0, 1000; @%q2 add.u32 %r0, %r0, 5000;" +
      kStoreR0;
  const KernelRun run = run_ptx(kernel_text(body, 1), {1, 1, 1}, {96, 1, 1}, {Words(96)});
  ASSERT_EQ(errors_of(run), "");
  for (uint32_t t = 0; t < 96; ++t) EXPECT_EQ(run.buffers[0][t], 5070u);
}

TEST(BarrierTest, ABarrierThatHalfAWarpNeverReachesIsFound) {
  const std::string body =
      "mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1; setp.eq.u32 %q0, %r2, 0; @%q0 bra SKIP; bar.sync "
      "0; SKIP: mov.u32 %r0, 1;" +
      kStoreR0;
  const KernelRun run = run_warp(body);
  const Finding* f = run.find(FindingKind::kDivergentBarrier);
  ASSERT_NE(f, nullptr);
  EXPECT_FALSE(run.result.completed);
  EXPECT_EQ(f->who.thread.x, 1u);
  ASSERT_TRUE(f->other_who.has_value());
  EXPECT_EQ(f->other_who->thread.x, 0u);
}

TEST(BarrierTest, AnEndlessLoopThatNobodyEntersDoesNotKeepLanesApart) {
  // One lane briefly takes another path, which also has an exit into an endless loop.
  const std::string body =
      "mov.u32 %r1, %tid.x; setp.ne.u32 %q0, %r1, 0; @%q0 bra MEET; mov.u32 %r2, %ntid.x; "
      "setp.eq.u32 %q1, %r2, 0;"
      "@%q1 bra FOREVER; mov.u32 %r3, 5; MEET: activemask.b32 %r0;" +
      kStoreR0 + "FOREVER: bra.uni FOREVER;";
  const KernelRun run = run_ptx(kernel_text(body, 1), {1, 1, 1}, {32, 1, 1}, {Words(32)});
  ASSERT_EQ(errors_of(run), "");
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(run.buffers[0][t], 0xffffffffu);
}

TEST(BudgetTest, AnEndlessLoopEndsWithAMessage) {
  LaunchOptions options;
  options.instruction_budget = 1'000'000;
  const KernelRun run = run_ptx(kernel_text("LOOP: add.u32 %r0, %r0, 1; bra LOOP;", 1), {4, 1, 1},
                                {64, 1, 1}, {Words(1)}, options);
  ASSERT_NE(run.find(FindingKind::kTimeout), nullptr);
  EXPECT_FALSE(run.result.completed);
  EXPECT_GE(run.result.thread_instructions, 1'000'000u);
}

// Endless loops whose slices end at barriers and at everything else a warp can wait for.
const char* const kEndlessLoops[] = {
    "LOOP: add.u32 %r0, %r0, 1; bra LOOP;",
    "LOOP: bar.sync 0; bra LOOP;",
    "LOOP: bar.sync 0; bar.sync 3; bra LOOP;",
    "LOOP: setp.eq.u32 %q1, %r0, 0; bar.red.popc.u32 %r1, 0, %q1; bra LOOP;",
    "LOOP: bar.warp.sync -1; bra LOOP;",
    "LOOP: bar.sync 0; bar.warp.sync -1; membar.gl; bra LOOP;",
};

// The compiler gives some loops no line: the nearest line before the loop is reported or, failing
// that, the nearest one after it.
TEST(BudgetTest, ALoopWithoutALineIsToldWithTheNearest) {
  LaunchOptions options;
  options.instruction_budget = 1'000'000;
  const std::string loop =
      "LOOP: add.u32 %r0, %r0, 1; setp.ne.u32 %q0, %r0, %r2; @%q0 bra LOOP; bra LOOP;";
  struct Loop {
    std::string body;
    int line;
  };
  for (const Loop& c :
       {Loop{"\n.loc 1 5 1\nmov.u32 %r1, 1;\n.loc 1 0 0\n" + loop + "\n.loc 1 9 1\nret;", 5},
        Loop{loop + "\n.loc 1 9 1\nret;", 9},
        Loop{"\n.loc 1 5 1\nmov.u32 %r1, 1;\n.loc 1 6 1\n" + loop, 6}, Loop{loop, 0}}) {
    SCOPED_TRACE(c.body);
    const KernelRun run = run_ptx(
        kernel_text("mov.u32 %r0, 0; mov.u32 %r2, 0;" + c.body, 1) + ".file 1 \"loop.cu\"\n",
        {1, 1, 1}, {32, 1, 1}, {Words(1)}, options);
    ASSERT_EQ(errors_of(run), "");
    ASSERT_NE(run.find(FindingKind::kTimeout), nullptr);
    EXPECT_EQ(run.find(FindingKind::kTimeout)->place.line, c.line);
  }
}

TEST(BudgetTest, EveryEndlessLoopEnds) {
  LaunchOptions options;
  options.instruction_budget = 1'000'000;
  for (const char* loop : kEndlessLoops) {
    for (const uint32_t threads : {32u, 64u, 1024u}) {
      SCOPED_TRACE(std::string(loop) + " " + std::to_string(threads));
      const KernelRun run =
          run_ptx(kernel_text(loop, 1), {4, 1, 1}, {threads, 1, 1}, {Words(1)}, options);
      EXPECT_NE(run.find(FindingKind::kTimeout), nullptr);
      EXPECT_FALSE(run.result.completed);
    }
  }
}

TEST(BudgetTest, AStopIsHeard) {
  StopFlag stop;
  stop.request();
  LaunchOptions options;
  options.stop = &stop;
  for (const char* loop : kEndlessLoops) {
    SCOPED_TRACE(loop);
    const KernelRun run = run_ptx(kernel_text(loop, 1), {4, 1, 1}, {64, 1, 1}, {Words(1)}, options);
    EXPECT_TRUE(run.result.stopped);
    EXPECT_FALSE(run.result.completed);
  }
}

TEST(CountTest, InstructionsTimesLanes) {
  // Every lane runs 7 instructions; the 12 lanes on the other side of the branch run 2 more.
  const std::string body =
      "mov.u32 %r1, %tid.x; setp.ge.u32 %q0, %r1, 12; @%q0 bra END; add.u32 %r0, %r0, 1; add.u32 "
      "%r0, %r0, 1; END: mov.u32 %r2, 1; mov.u32 %r3, 1; ret;";
  const KernelRun run = run_ptx(kernel_text(body, 1), {3, 1, 1}, {32, 1, 1}, {Words(1)});
  ASSERT_EQ(errors_of(run), "");
  // ld.param, mov, setp, bra, mov, mov, ret: 7.
  EXPECT_EQ(run.result.thread_instructions, 3u * (7 * 32 + 2 * 12));
  EXPECT_EQ(run.result.warp_instructions, 3u * 9);
}

TEST(LaunchTest, RefusesWhatTheDriverWouldRefuse) {
  struct Case {
    Dim3 grid, block;
    uint32_t shared;
    size_t buffers;
    const char* says;
  };
  const Case cases[] = {
      {{0, 1, 1}, {32, 1, 1}, 0, 1, "has no blocks"},
      {{1, 1, 1}, {0, 1, 1}, 0, 1, "has no threads"},
      {{1, 1, 1}, {1025, 1, 1}, 0, 1, "1025 threads; at most 1024"},
      {{1, 1, 1}, {1, 1, 65}, 0, 1, "larger than (1024, 1024, 64)"},
      {{1, 65536, 1}, {32, 1, 1}, 0, 1, "larger than"},
      {{1, 1, 1}, {32, 1, 1}, 232449, 1, "232449 bytes of shared memory; at most 232448"},
      {{1, 1, 1}, {32, 1, 1}, 0, 2, "takes 1 arguments, 2 were given"}};
  for (const Case& c : cases) {
    const KernelRun run = run_ptx(kernel_text("ret;", 1), c.grid, c.block,
                                  std::vector<Words>(c.buffers, Words(4)), {}, c.shared);
    EXPECT_NE(errors_of(run).find(c.says), std::string::npos) << c.says << "\n" << errors_of(run);
  }
}

TEST(LaunchTest, RefusesABlockThatTheKernelWasNotCompiledFor) {
  struct Case {
    const char* directive;
    Dim3 block;
    const char* says;  // part of the message; empty: the kernel runs
  };
  const Case cases[] = {
      {".maxntid 64", {64, 1, 1}, ""},
      {".maxntid 64", {65, 1, 1}, "has 65 threads; the kernel's __launch_bounds__ allows 64"},
      {".maxntid 32, 2, 1", {8, 8, 1}, ""},
      {".maxntid 32, 2, 1", {32, 3, 1}, "has 96 threads; the kernel's __launch_bounds__ allows 64"},
      {".reqntid 16, 4", {16, 4, 1}, ""},
      {".reqntid 16, 4", {64, 1, 1}, "compiled for blocks of (16, 4, 1) only"}};
  for (const Case& c : cases) {
    const std::string text =
        std::string(".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n") +
        c.directive + "\n{ ret; }\n";
    const KernelRun run = run_ptx(text, {1, 1, 1}, c.block, {});
    const std::string errors = errors_of(run);
    if (*c.says == 0) {
      EXPECT_EQ(errors, "");
    } else {
      EXPECT_NE(errors.find(c.says), std::string::npos) << errors;
    }
  }
}

TEST(DecodeTest, AMissingKernelNamesThoseThereAre) {
  auto module =
      std::make_shared<ptx::Module>(ptx::parse(kernel_text("ret;", 0), "test.ptx").module);
  const Result<Program> program = Program::decode(module, "scale");
  ASSERT_FALSE(program.ok());
  EXPECT_NE(render(program.errors()).find("no kernel named \"scale\""), std::string::npos);
  EXPECT_NE(render(program.errors()).find("these kernels: k"), std::string::npos);
}

TEST(DecodeTest, AnUnknownInstructionNamesPtxAndCudaLine) {
  const std::string text =
      ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 "
      "%r<4>;\n.loc 1 17 5\n"
      "frobnicate.u32 %r1, %r2;\nret;\n}\n.visible .entry fine()\n{\nret;\n}\n.file 1 "
      "\"student.cu\"\n";
  auto module = std::make_shared<ptx::Module>(ptx::parse(text, "test.ptx").module);
  const Result<Program> program = Program::decode(module, "k");
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.errors()[0].kind.name(), "unsupported");
  EXPECT_EQ(program.errors()[0].place.file, "student.cu");
  EXPECT_EQ(program.errors()[0].place.line, 17);
  EXPECT_NE(program.errors()[0].message.english().find("frobnicate.u32"), std::string::npos);
  EXPECT_NE(program.errors()[0].message.english().find("PTX line 8"), std::string::npos);
  EXPECT_TRUE(Program::decode(module, "fine").ok());
}

}  // namespace
}  // namespace warpshop::emulator::testing
