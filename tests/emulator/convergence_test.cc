// Lanes that converge at instructions with a member mask, coming from different places in the code.
#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

constexpr const char* kLane = "mov.u32 %r1, %laneid; mov.u32 %r0, 0; setp.lt.u32 %q0, %r1, 16;";

struct ConvergenceCase {
  const char* name;
  std::string body;  // leaves a result in %r0
  uint32_t (*expected)(uint32_t lane);
  std::string before = {};
};

class ConvergenceTest : public ::testing::TestWithParam<ConvergenceCase> {};

TEST_P(ConvergenceTest, EveryLaneGetsTheManualsResult) {
  const KernelRun run = run_warp(kLane + GetParam().body + kStoreR0, GetParam().before);
  ASSERT_EQ(errors_of(run), "");
  ASSERT_TRUE(run.result.completed);
  EXPECT_TRUE(run.result.findings.empty()) << run.result.findings[0].message;
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(run.buffers[0][lane], GetParam().expected(lane)) << "lane " << lane;
}

const ConvergenceCase kConvergenceCases[] = {
    {"shuffles_in_both_branches_are_one",
     "@%q0 bra LOW; add.u32 %r3, %r1, 500; shfl.sync.bfly.b32 %r0, %r3, 16, 31, -1; bra J;"
     "LOW: add.u32 %r2, %r1, 100; shfl.sync.bfly.b32 %r0, %r2, 16, 31, -1; J:",
     [](uint32_t lane) { return lane < 16 ? lane + 16 + 500 : lane - 16 + 100; }},
    {"a_vote_in_both_branches",
     "setp.eq.u32 %q1, %r1, 3; setp.eq.u32 %q2, %r1, 20; @%q0 bra LOW; vote.sync.ballot.b32 %r0, "
     "%q2, -1; bra J;"
     "LOW: vote.sync.ballot.b32 %r0, !%q1, -1; J:",
     [](uint32_t) { return 0x0010fff7u; }},
    {"a_vote_that_gives_a_predicate",
     "setp.lt.u32 %q1, %r1, 31; @%q0 bra LOW; vote.sync.all.pred %q3, %q1, -1; bra J; LOW: "
     "vote.sync.all.pred %q3, %q1, -1;"
     "J: selp.u32 %r0, 7, 9, %q3;",
     [](uint32_t) { return 9u; }},
    {"a_reduction_in_both_branches",
     "@%q0 bra LOW; redux.sync.add.u32 %r0, %r1, -1; bra J; LOW: mov.u32 %r4, 1; "
     "redux.sync.add.u32 %r0, %r4, -1; J:",
     [](uint32_t) { return 16u + (16 + 31) * 8; }},
    {"matches_of_64_bits",
     "cvt.u64.u32 %l0, 5; @%q0 bra LOW; cvt.u64.u32 %l0, %r1; match.any.sync.b64 %r0, %l0, -1; bra "
     "J;"
     "LOW: match.any.sync.b64 %r0, %l0, -1; J:",
     [](uint32_t lane) { return lane < 16 ? 0xffffu : 1u << lane; }},
    {"each_half_with_its_own_mask",
     "mov.u32 %r5, 0xffff0000; selp.u32 %r5, 0x0000ffff, %r5, %q0; redux.sync.max.u32 %r0, %r1, "
     "%r5;",
     [](uint32_t lane) { return lane < 16 ? 15u : 31u; }},
    {"three_ways_of_which_two_meet",
     "setp.lt.u32 %q1, %r1, 8; setp.ge.u32 %q2, %r1, 24; mov.u32 %r5, 0xff0000ff; @%q1 bra A; @%q2 "
     "bra B; mov.u32 %r0, 1; bra J;"
     "A: redux.sync.add.u32 %r0, %r1, %r5; bra J; B: redux.sync.add.u32 %r0, %r1, %r5; J:",
     [](uint32_t lane) { return lane < 8 || lane >= 24 ? 28u + 220u : 1u; }},
    // The lanes past the branch run on without the others, which wait for
    // them: any bar.warp.sync matches any other.
    {"a_syncwarp_inside_and_one_after_a_branch",
     "@!%q0 bra J; bar.warp.sync -1; add.u32 %r0, %r0, 5; bar.warp.sync 0x0000ffff; J: add.u32 "
     "%r0, %r0, 1; @%q0 bra E; bar.warp.sync -1; E:",
     [](uint32_t lane) { return lane < 16 ? 6u : 1u; }},
    {"guarded_shuffles_in_both_branches",
     "and.b32 %r6, %r1, 15; setp.lt.u32 %q1, %r6, 8; add.u32 %r3, %r1, 100; mov.u32 %r0, 7; @%q0 "
     "bra LOW;"
     "@%q1 shfl.sync.bfly.b32 %r0, %r3, 16, 31, 0x00ff00ff; bra J;"
     "LOW: @%q1 shfl.sync.bfly.b32 %r0, %r3, 16, 31, 0x00ff00ff; J:",
     [](uint32_t lane) { return lane % 16 < 8 ? (lane ^ 16) + 100 : 7u; }},
    {"inside_a_function_and_outside",
     "@%q0 bra LOW; { .param .b32 x; .param .b32 y; st.param.b32 [x], %r1; call (y), f, (x); "
     "ld.param.b32 %r0, [y]; } bra J;"
     "LOW: shfl.sync.bfly.b32 %r0, %r1, 16, 31, -1; J:",
     [](uint32_t lane) { return lane < 16 ? 2 * (lane + 16) : lane - 16 + 1000; },
     ".func (.param .b32 out) f(.param .b32 in) { .reg .b32 %a<4>; ld.param.u32 %a0, [in]; shl.b32 "
     "%a0, %a0, 1;"
     "shfl.sync.bfly.b32 %a1, %a0, 16, 31, -1; add.u32 %a1, %a1, 1000; st.param.b32 [out], %a1; "
     "ret; }"},
    {"two_functions_at_one_time",
     "@%q0 bra LOW; { .param .b32 x; .param .b32 y; st.param.b32 [x], %r1; call (y), f, (x); "
     "ld.param.b32 %r0, [y]; } bra J;"
     "LOW: { .param .b32 x; .param .b32 y; st.param.b32 [x], %r1; call (y), g, (x); ld.param.b32 "
     "%r0, [y]; } J:",
     [](uint32_t lane) { return lane < 16 ? lane + 16 + 7 : lane - 16 + 1000 + lane; },
     ".func (.param .b32 out) f(.param .b32 in) { .reg .b32 %a<4>; ld.param.u32 %a0, [in];"
     "shfl.sync.bfly.b32 %a1, %a0, 16, 31, -1; add.u32 %a1, %a1, 1000; add.u32 %a1, %a1, %a0; "
     "st.param.b32 [out], %a1; ret; }\n"
     ".func (.param .b32 out) g(.param .b32 in) { .reg .b64 %w<4>; .reg .b32 %a<4>; ld.param.u32 "
     "%a3, [in]; mov.u64 %w0, 7;"
     "shfl.sync.bfly.b32 %a1, %a3, 16, 31, -1; cvt.u32.u64 %a2, %w0; add.u32 %a1, %a1, %a2; "
     "st.param.b32 [out], %a1; ret; }"},
    {"lanes_that_have_left_are_not_waited_for",
     "setp.ge.u32 %q1, %r1, 20; @%q1 bra OUT; redux.sync.add.u32 %r0, %r1, -1; bra GO; OUT: ret; "
     "GO:",
     [](uint32_t lane) { return lane < 20 ? 190u : 0u; }},
};
INSTANTIATE_TEST_SUITE_P(Kernels, ConvergenceTest, ::testing::ValuesIn(kConvergenceCases),
                         [](const auto& test) { return std::string(test.param.name); });

struct BadMaskCase {
  const char* name;
  std::string body;
  const char* says;
  bool completed = true;
  Severity severity = Severity::kError;
  bool independent = true;
};

class BadMaskTest : public ::testing::TestWithParam<BadMaskCase> {};

TEST_P(BadMaskTest, IsSaid) {
  const BadMaskCase& c = GetParam();
  LaunchOptions options;
  options.limits.independent_threads = c.independent;
  const KernelRun run = run_ptx(kernel_text(kLane + c.body + kStoreR0, 1), {1, 1, 1}, {32, 1, 1},
                                {Words(32)}, options);
  ASSERT_EQ(errors_of(run), "");
  const Finding* f = run.find(FindingKind::kSyncwarpMask);
  ASSERT_NE(f, nullptr);
  EXPECT_NE(f->message.english().find(c.says), std::string::npos) << f->message;
  EXPECT_EQ(f->severity, c.severity);
  EXPECT_EQ(run.result.completed, c.completed);
  EXPECT_FALSE(f->cause.empty());
}

const BadMaskCase kBadMasks[] = {
    {"outside_of_its_mask", "bar.warp.sync 0x0000ffff;",
     "lane 16 executes __syncwarp but is not in its mask 0x0000ffff"},
    {"masks_that_disagree",
     "mov.u32 %r5, 0x0000ffff; selp.u32 %r5, %r5, -1, %q0; redux.sync.add.u32 %r0, %r1, %r5;",
     "gives a reduction the mask 0xffffffff, lane 0, which that mask names, gives 0x0000ffff"},
    {"named_lanes_go_by", "@!%q0 bra J; redux.sync.add.u32 %r0, %r1, -1; J: add.u32 %r0, %r0, 1;",
     "names lanes 16 to 31, which went another way and never came"},
    {"every_other_named_lane_goes_by",
     "and.b32 %r5, %r1, 1; setp.ne.u32 %q1, %r5, 0; @!%q1 bra J; redux.sync.add.u32 %r0, %r1, -1; "
     "J: add.u32 %r0, %r0, 1;",
     "names 16 of lanes 0 to 30, which went another way and never came"},
    {"different_instructions_wait_for_each_other",
     "@%q0 bra LOW; redux.sync.add.u32 %r0, %r1, -1; bra J; LOW: shfl.sync.bfly.b32 %r0, %r1, 1, "
     "31, -1; J:",
     "deadlock: ", false},
    {"lanes_at_a_barrier_are_waited_for",
     "@!%q0 bra J; redux.sync.add.u32 %r0, %r1, -1; J: bar.sync 0;",
     "deadlock: lanes 0 to 15 wait at a reduction for lanes 16 to 31, which the mask 0xffffffff "
     "names",
     false},
    {"a_register_of_a_lane_elsewhere",
     "@!%q0 bra J; shfl.sync.bfly.b32 %r0, %r1, 16, 31, 0x0000ffff; J:",
     "lane 0 reads a register of lane 16, which does not take part in the shuffle (it went another "
     "way)",
     true, Severity::kWarning},
    {"a_register_of_a_lane_that_left",
     "@%q0 bra GO; ret; GO: shfl.sync.down.b32 %r0, %r1, 16, 31, -1;", "(it has left the kernel)",
     true, Severity::kWarning},
    {"not_together_on_old_chips",
     "@%q0 bra LOW; bar.warp.sync -1; bra J; LOW: bar.warp.sync -1; J:",
     "went another way; before compute capability 7.0", true, Severity::kError, false},
};
INSTANTIATE_TEST_SUITE_P(Kernels, BadMaskTest, ::testing::ValuesIn(kBadMasks),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace warpshop::emulator::testing
