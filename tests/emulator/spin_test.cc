// Lanes of one warp that wait for each other in loops.
#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

// Buffer: [0..31] each lane's result; [32] the lock or flag;
// [33] protected value; [34] another lock.
constexpr const char* kSpinStart =
    ".loc 1 5 0\n cvta.to.global.u64 %l0, %p0; mov.u32 %r1, %laneid; mov.u32 %r0, 0;";
constexpr const char* kEnd =
    ".loc 1 40 0\n mul.wide.u32 %l1, %r1, 4; add.u64 %l2, %l0, %l1; st.global.u32 [%l2], %r0; ret;";
constexpr const char* kAddOne =
    "ld.volatile.global.u32 %r3, [%l0+132]; add.u32 %r3, %r3, 1; st.volatile.global.u32 [%l0+132], "
    "%r3; mov.u32 %r0, %r3;";

std::string lock(const char* label, int offset) {
  const std::string at = "[%l0+" + std::to_string(offset) + "]";
  return std::string("\n.loc 1 10 0\n ") + label + ": atom.global.cas.b32 %r2, " + at +
         ", 0, 1;\n setp.ne.u32 %q0, %r2, 0; @%q0 bra " + label + ";\n.loc 1 20 0\n";
}
std::string unlock(int offset) {
  return "atom.global.exch.b32 %r2, [%l0+" + std::to_string(offset) + "], 0;\n";
}

struct SpinCase {
  const char* name;
  std::string body;
  uint32_t protected_value;
};

const SpinCase kSpinCases[] = {
    {"a_lock_that_all_lanes_take", lock("A", 128) + kAddOne + unlock(128), 32},
    {"a_lock_inside_a_lock", lock("A", 128) + lock("B", 136) + kAddOne + unlock(136) + unlock(128),
     32},
    {"a_lock_in_one_branch_only",
     "and.b32 %r4, %r1, 1; setp.eq.u32 %q1, %r4, 0; @%q1 bra J;" + lock("A", 128) + kAddOne +
         unlock(128) + "J:",
     16},
    {"a_lock_taken_three_times_and_a_barrier",
     "mov.u32 %r5, 0; TIMES:" + lock("A", 128) + kAddOne + unlock(128) +
         "add.u32 %r5, %r5, 1; setp.lt.u32 %q1, %r5, 3; @%q1 bra TIMES; bar.sync 0;",
     96},
    {"a_flag_that_lane_31_sets",
     "setp.eq.u32 %q1, %r1, 31; @%q1 bra SET; WAIT: ld.volatile.global.u32 %r2, [%l0+128]; "
     "setp.eq.u32 %q0, %r2, 0;"
     "@%q0 bra WAIT; bra J; SET: mov.u32 %r3, 7; st.volatile.global.u32 [%l0+132], %r3; "
     "st.volatile.global.u32 [%l0+128], %r3; J:",
     7},
    {"a_flag_that_lane_0_sets_in_the_other_side",
     "setp.ne.u32 %q1, %r1, 0; @%q1 bra WAIT; mov.u32 %r3, 7; st.volatile.global.u32 [%l0+132], "
     "%r3;"
     "st.volatile.global.u32 [%l0+128], %r3; bra J; WAIT: ld.volatile.global.u32 %r2, [%l0+128]; "
     "setp.eq.u32 %q0, %r2, 0; @%q0 bra WAIT; J:",
     7},
};

KernelRun run_spin(const std::string& body, bool independent) {
  LaunchOptions options;
  options.limits.independent_threads = independent;
  options.instruction_budget = 50'000'000;
  Words words(64);
  return run_ptx(kernel_text(kSpinStart + body + kEnd, 1), {1, 1, 1}, {32, 1, 1}, {words}, options);
}

class SpinTest : public ::testing::TestWithParam<SpinCase> {};

TEST_P(SpinTest, EndsWithIndependentThreads) {
  const KernelRun run = run_spin(GetParam().body, true);
  ASSERT_EQ(errors_of(run), "");
  for (const Finding& f : run.result.findings)
    ADD_FAILURE() << name_of(f.kind) << ": " << f.message;
  ASSERT_TRUE(run.result.completed);
  EXPECT_EQ(run.buffers[0][33], GetParam().protected_value);
}
INSTANTIATE_TEST_SUITE_P(Kernels, SpinTest, ::testing::ValuesIn(kSpinCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(SpinDeadlockTest, BothPlacesAreToldOnOlderChips) {
  const KernelRun run = run_spin(kSpinCases[0].body, false);
  ASSERT_EQ(errors_of(run), "");
  EXPECT_FALSE(run.result.completed);
  const Finding* f = run.find(FindingKind::kDeadlock);
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->place.line, 10);
  ASSERT_TRUE(f->other_place.has_value());
  EXPECT_EQ(f->other_place->line, 20);
  EXPECT_EQ(f->count, 31u);
  EXPECT_EQ(run.find(FindingKind::kTimeout), nullptr);
}

TEST(SpinDeadlockTest, ALoopThatGetsOnIsATimeout) {
  const KernelRun run = run_spin(
      "setp.eq.u32 %q1, %r1, 0; @%q1 bra J; L: add.u32 %r0, %r0, 1; setp.ne.u32 %q0, %r1, 0; @%q0 "
      "bra L; J:",
      false);
  ASSERT_EQ(errors_of(run), "");
  EXPECT_NE(run.find(FindingKind::kTimeout), nullptr);
  EXPECT_EQ(run.find(FindingKind::kDeadlock), nullptr);
}

// Lane n loops 1,000 × n times: 31,000 basic blocks, hence many slices.
// The lanes still reconverge after the loop.
TEST(SpinCounterTest, ALongLoopThatGetsOnKeepsItsCounters) {
  const KernelRun run = run_spin(
      "mul.lo.u32 %r4, %r1, 1000; L: add.u32 %r0, %r0, 1; setp.lt.u32 %q0, %r0, %r4; @%q0 bra L; "
      "activemask.b32 %r0;",
      true);
  ASSERT_EQ(errors_of(run), "");
  ASSERT_TRUE(run.result.completed);
  for (uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(run.buffers[0][lane], 0xffffffffu);
}

}  // namespace
}  // namespace warpshop::emulator::testing
