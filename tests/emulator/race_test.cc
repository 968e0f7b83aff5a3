// Races on shared memory: what counts as a race and what does not.
#include <gmock/gmock.h>

#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

// %r1: the thread, %r3: the address of its own word of s.
const std::string kOwn =
    "mov.u32 %r1, %tid.x; mov.u32 %r2, s; shl.b32 %r4, %r1, 2; add.u32 %r3, %r2, %r4;";
// %r6: the address of the word of thread %r5.
const std::string kOther = "shl.b32 %r7, %r5, 2; add.u32 %r6, %r2, %r7;";
const std::string kUse = kStoreR0;

struct RaceCase {
  const char* name;
  std::string body;
  bool race;
  const char* access = "";  // the finding's access
  const char* other_access = "";
  int threads = 64;
  bool independent_threads = true;
  uint32_t blocks = 1;
  Severity severity = Severity::kError;
};

class RaceTest : public ::testing::TestWithParam<RaceCase> {};

TEST_P(RaceTest, IsFoundOrNot) {
  const RaceCase& c = GetParam();
  LaunchOptions options;
  options.limits.independent_threads = c.independent_threads;
  const KernelRun run =
      run_ptx(kernel_text(c.body, 1, "", ".shared .align 4 .b8 s[1024];"), {c.blocks, 1, 1},
              {static_cast<uint32_t>(c.threads), 1, 1}, {Words(256)}, options);
  ASSERT_EQ(errors_of(run), "");
  const Finding* f = run.find(FindingKind::kRace);
  EXPECT_EQ(f != nullptr, c.race);
  if (f == nullptr || !c.race) return;
  EXPECT_EQ(f->space, "shared");
  EXPECT_EQ(f->access, c.access);
  EXPECT_EQ(f->other_access, c.other_access);
  ASSERT_TRUE(f->other_who.has_value());
  EXPECT_NE(f->who.thread.x, f->other_who->thread.x);
  EXPECT_EQ(f->severity, c.severity);
  EXPECT_FALSE(f->cause.empty());
}

TEST(UnwatchedRace, IsNotFound) {
  const std::string body = kOwn + "st.shared.u32 [%r2], %r1; ld.shared.u32 %r0, [%r3];" + kUse;
  for (const bool watched : {true, false}) {
    LaunchOptions options;
    options.watch_shared = watched;
    const KernelRun run = run_ptx(kernel_text(body, 1, "", ".shared .align 4 .b8 s[1024];"),
                                  {1, 1, 1}, {64, 1, 1}, {Words(256)}, options);
    ASSERT_EQ(errors_of(run), "");
    EXPECT_EQ(run.find(FindingKind::kRace) != nullptr, watched);
  }
}

const RaceCase kRaceCases[] = {
    {"neighbour_read_without_barrier",
     kOwn + "st.shared.u32 [%r3], %r1; xor.b32 %r5, %r1, 32;" + kOther +
         "ld.shared.u32 %r0, [%r6];" + kUse,
     true, "read", "write"},
    {"neighbour_read_after_barrier",
     kOwn + "st.shared.u32 [%r3], %r1; bar.sync 0; xor.b32 %r5, %r1, 32;" + kOther +
         "ld.shared.u32 %r0, [%r6];" + kUse,
     false},
    {"own_word_needs_no_barrier",
     kOwn + "st.shared.u32 [%r3], %r1; ld.shared.u32 %r0, [%r3]; st.shared.u32 [%r3], %r0;" + kUse,
     false},
    {"refilled_before_all_have_read",
     kOwn + "st.shared.u32 [%r3], %r1; bar.sync 0; xor.b32 %r5, %r1, 32;" + kOther +
         "ld.shared.u32 %r0, [%r6]; st.shared.u32 [%r3], %r0;" + kUse,
     true, "read", "write"},
    {"many_values_to_one_word", kOwn + "st.shared.u32 [%r2], %r1;" + kUse, true, "write", "write"},
    {"one_value_to_one_word", kOwn + "mov.u32 %r0, 7; st.shared.u32 [%r2], %r0;" + kUse, false},
    {"a_different_value_by_another_warp",
     kOwn + "shr.u32 %r0, %r1, 5; st.shared.u32 [%r2], %r0;" + kUse, true, "write", "write"},
    {"a_different_value_of_a_late_lane_among_many_equal_ones",
     kOwn +
         "and.b32 %r5, %r1, 31; shl.b32 %r6, %r5, 4; add.u32 %r3, %r2, %r6; setp.eq.u32 %q0, %r1, "
         "62; selp.u32 %r0, 99, 7, %q0; st.shared.v4.u32 [%r3], {%r0, %r0, %r0, %r0};" +
         kUse,
     true, "write", "write"},
    {"atomics_among_themselves",
     kOwn + "st.shared.u32 [%r3], %r1; bar.sync 0; red.shared.add.u32 [%r2], 1;" + kUse, false},
    {"atomic_against_a_plain_read",
     kOwn +
         "st.shared.u32 [%r3], %r1; bar.sync 0; red.shared.add.u32 [%r2], 1; ld.shared.u32 %r0, "
         "[%r2];" +
         kUse,
     true, "read", "atomic", 64, true, 1, Severity::kWarning},
    {"atomic_against_a_volatile_read",
     kOwn +
         "st.shared.u32 [%r3], %r1; bar.sync 0; red.shared.add.u32 [%r2], 1; "
         "ld.volatile.shared.u32 %r0, [%r2];" +
         kUse,
     false},
    {"start_of_a_compare_and_swap_loop",
     kOwn +
         "st.shared.u32 [%r3], %r1; bar.sync 0; ld.shared.u32 %r0, [%r2];\nL: mov.u32 %r5, %r0; "
         "max.u32 %r6, %r5, %r1;"
         "atom.shared.cas.b32 %r0, [%r2], %r5, %r6; setp.ne.u32 %q0, %r0, %r5; @%q0 bra L;" +
         kUse,
     true, "read", "atomic", 64, true, 1, Severity::kNote},
    {"start_of_a_compare_and_swap_loop_at_a_place_that_is_stored_to",
     kOwn +
         "st.shared.u32 [%r3], %r1; bar.sync 0; setp.eq.u32 %q1, %r1, 0; @%q1 st.shared.u32 [%r2], "
         "9; ld.shared.u32 %r0, [%r2];\n"
         "L: mov.u32 %r5, %r0; max.u32 %r6, %r5, %r1;"
         "atom.shared.cas.b32 %r0, [%r2], %r5, %r6; setp.ne.u32 %q0, %r0, %r5; @%q0 bra L;" +
         kUse,
     true, "atomic", "write"},
    {"test_before_a_minimum_of_another_word",
     kOwn +
         "st.shared.u32 [%r3], %r1; bar.sync 0; ld.shared.u32 %r0, [%r2+4]; setp.lt.u32 %q0, %r1, "
         "%r0;"
         "@%q0 red.shared.min.u32 [%r2], %r1; @!%q0 red.shared.min.u32 [%r2+4], 0;" +
         kUse,
     true, "read", "atomic", 64, true, 1, Severity::kNote},
    {"an_addition_of_what_was_loaded",
     kOwn +
         "st.shared.u32 [%r3], %r1; bar.sync 0; ld.shared.u32 %r0, [%r2]; atom.shared.exch.b32 "
         "%r5, [%r2], %r0;" +
         kUse,
     true, "read", "atomic", 64, true, 1, Severity::kWarning},
    {"a_compare_and_swap_of_what_was_loaded_without_a_loop",
     kOwn +
         "st.shared.u32 [%r3], %r1; bar.sync 0; ld.shared.u32 %r0, [%r2]; add.u32 %r5, %r0, 1; "
         "atom.shared.cas.b32 %r6, [%r2], %r0, %r5;" +
         kUse,
     true, "read", "atomic", 64, true, 1, Severity::kWarning},
    {"relaxed_stores_of_many_values_to_one_word",
     kOwn + "st.relaxed.cta.shared.u32 [%r2], %r1;" + kUse, false},
    {"relaxed_loads_and_stores",
     kOwn +
         "st.shared.u32 [%r3], %r1; bar.sync 0; ld.relaxed.cta.shared.u32 %r0, [%r2]; "
         "st.relaxed.cta.shared.u32 [%r2], %r1;" +
         kUse,
     false},
    {"volatile_stores_of_many_values_to_one_word",
     kOwn + "st.volatile.shared.u32 [%r2], %r1;" + kUse, true, "write", "write"},
    {"a_relaxed_store_beside_a_plain_load",
     kOwn +
         "st.shared.u32 [%r3], %r1; bar.sync 0; ld.shared.u32 %r0, [%r2]; "
         "st.relaxed.cta.shared.u32 [%r2], %r1;" +
         kUse,
     true, "read", "atomic", 64, true, 1, Severity::kWarning},
    {"read_of_what_was_stored_before_the_atomics",
     kOwn +
         "setp.eq.u32 %q0, %r1, 0; @%q0 st.shared.u32 [%r2], 0; bar.warp.sync -1; setp.lt.u32 %q1, "
         "%r1, 32; @%q1 red.shared.add.u32 [%r2], 1;"
         "@!%q1 ld.shared.u32 %r0, [%r2];" +
         kUse,
     true, "read", "write"},
    {"lanes_of_a_warp_without_syncwarp",
     kOwn + "st.shared.u32 [%r3], %r1; xor.b32 %r5, %r1, 1;" + kOther +
         "ld.shared.u32 %r0, [%r6];" + kUse,
     true, "read", "write", 32, true, 1, Severity::kWarning},
    {"lanes_of_a_warp_with_syncwarp",
     kOwn + "st.shared.u32 [%r3], %r1; bar.warp.sync -1; xor.b32 %r5, %r1, 1;" + kOther +
         "ld.shared.u32 %r0, [%r6];" + kUse,
     false, "", "", 32},
    {"lanes_in_step_before_7_0",
     kOwn + "st.shared.u32 [%r3], %r1; xor.b32 %r5, %r1, 1;" + kOther +
         "ld.shared.u32 %r0, [%r6];" + kUse,
     false, "", "", 32, false},
    {"write_after_other_lanes_read",
     kOwn +
         "st.shared.u32 [%r3], %r1; bar.sync 0; ld.shared.u32 %r0, [%r2]; setp.eq.u32 %q0, %r1, 0; "
         "@%q0 st.shared.u32 [%r2], %r0;" +
         kUse,
     true, "read", "write", 32, true, 1, Severity::kWarning},
    {"stores_of_one_line_in_different_turns_before_7_0",
     kOwn + "mov.u32 %r8, 0;\nL: add.u32 %r5, %r1, %r8; and.b32 %r5, %r5, 31;" + kOther +
         "st.shared.u32 [%r6], %r1; add.u32 %r8, %r8, 1; setp.lt.u32 %q0, %r8, 4; @%q0 bra L;" +
         kUse,
     false, "", "", 32, false},
    {"stores_of_one_line_in_different_turns",
     kOwn + "mov.u32 %r8, 0;\nL: add.u32 %r5, %r1, %r8; and.b32 %r5, %r5, 31;" + kOther +
         "st.shared.u32 [%r6], %r1; add.u32 %r8, %r8, 1; setp.lt.u32 %q0, %r8, 4; @%q0 bra L;" +
         kUse,
     true, "write", "write", 32},
    {"two_lanes_of_one_store_before_7_0",
     kOwn + "shr.u32 %r5, %r1, 1;" + kOther + "st.shared.u32 [%r6], %r1;" + kUse, true, "write",
     "write", 32, false},
    {"two_lanes_of_one_store_in_a_later_turn_before_7_0",
     kOwn + "mov.u32 %r8, 0;\nL: shr.u32 %r5, %r1, %r8;" + kOther +
         "st.shared.u32 [%r6], %r1; add.u32 %r8, %r8, 1; setp.lt.u32 %q0, %r8, 2; @%q0 bra L;" +
         kUse,
     true, "write", "write", 32, false},
    {"write_of_the_first_of_many_readers",
     kOwn +
         "st.shared.u32 [%r3], %r1; bar.sync 0; ld.shared.u32 %r0, [%r2]; setp.eq.u32 %q0, %r1, "
         "32; @%q0 st.shared.u32 [%r2], %r0;" +
         "@%q0 st.shared.u32 [%r2], %r1;" + kUse,
     true, "read", "write"},
    {"write_of_the_last_reader",
     kOwn +
         "st.shared.u32 [%r3], %r1; bar.sync 0; setp.eq.u32 %q0, %r1, 3; @!%q0 ld.shared.u32 %r0, "
         "[%r2]; @%q0 ld.shared.u32 %r0, [%r2];" +
         "@%q0 st.shared.u32 [%r2], %r1;" + kUse,
     true, "read", "write", 32, true, 1, Severity::kWarning},
    {"bytes_of_one_word",
     kOwn +
         "add.u32 %r3, %r2, %r1; cvt.u16.u32 %h0, %r1; st.shared.u8 [%r3], %h0; bar.sync 0; "
         "ld.shared.u8 %r0, [%r3];" +
         kUse,
     false},
    {"two_threads_on_one_byte",
     kOwn +
         "shr.u32 %r5, %r1, 1; add.u32 %r3, %r2, %r5; cvt.u16.u32 %h0, %r1; st.shared.u8 [%r3], "
         "%h0;" +
         kUse,
     true, "write", "write"},
    {"blocks_do_not_share", kOwn + "mov.u32 %r0, %ctaid.x; st.shared.u32 [%r2], %r0; ret;", false,
     "", "", 64, true, 2},
};
INSTANTIATE_TEST_SUITE_P(Kernels, RaceTest, ::testing::ValuesIn(kRaceCases),
                         [](const auto& test) { return std::string(test.param.name); });

struct BlockCase {
  const char* name;
  std::string body;  // %r2: the block, %l1: the word of its neighbour, %l0: its own
  bool race;
  Severity severity = Severity::kError;
};

class BlockRaceTest : public ::testing::TestWithParam<BlockCase> {};

TEST_P(BlockRaceTest, IsFoundOrNot) {
  const std::string start =
      "mov.u32 %r2, %ctaid.x; mul.wide.u32 %l2, %r2, 4; add.s64 %l0, %p0, %l2; xor.b32 %r3, %r2, "
      "1; mul.wide.u32 %l3, %r3, 4;"
      "add.s64 %l1, %p0, %l3;";
  const KernelRun run = run_ptx(kernel_text(start + GetParam().body + "ret;", 2), {8, 1, 1},
                                {1, 1, 1}, {Words(8), Words(8)});
  ASSERT_EQ(errors_of(run), "");
  const Finding* f = run.find(FindingKind::kRace);
  ASSERT_EQ(f != nullptr, GetParam().race);
  if (f == nullptr) return;
  EXPECT_EQ(f->space, "global");
  EXPECT_EQ(f->allocation, "buffer 0");
  EXPECT_EQ(f->severity, GetParam().severity);
  EXPECT_FALSE(f->cause.empty());
  if (f->severity != Severity::kError) {
    EXPECT_EQ(f->cause.english().find("launch"), std::string::npos) << f->cause;
  }
}

const BlockCase kBlockCases[] = {
    {"own_words", "ld.global.u32 %r0, [%l0]; add.u32 %r0, %r0, 1; st.global.u32 [%l0], %r0;",
     false},
    {"reads_the_neighbours_result",
     "st.global.u32 [%l0], %r2; ld.global.u32 %r0, [%l1]; st.global.u32 [%p1], %r4;", true},
    {"all_add_to_one_word",
     "ld.global.u32 %r0, [%p0]; add.u32 %r0, %r0, 1; st.global.u32 [%p0], %r0;", true},
    {"all_add_atomically", "red.global.add.u32 [%p0], 1;", false},
    {"an_atomic_and_a_plain_store", "red.global.add.u32 [%p0], 1; st.global.u32 [%p0], %r2;", true},
    {"start_of_a_compare_and_swap_loop",
     "ld.global.u32 %r0, [%p0];\nL: mov.u32 %r5, %r0; max.u32 %r6, %r5, %r2; atom.global.cas.b32 "
     "%r0, [%p0], %r5, %r6;"
     "setp.ne.u32 %q0, %r0, %r5; @%q0 bra L;",
     true, Severity::kNote},
    {"test_before_a_maximum",
     "ld.global.u32 %r0, [%p0]; setp.le.u32 %q0, %r2, %r0; @%q0 bra E; red.global.max.u32 [%p0], "
     "%r2;\nE:",
     true, Severity::kNote},
    {"probe_of_a_table",
     "ld.global.u32 %r0, [%p0+4]; setp.eq.u32 %q0, %r0, 77; @%q0 bra E; setp.ne.u32 %q1, %r0, 0; "
     "@%q1 bra E; mov.u64 %l5, %p0; add.s64 %l6, %l5, 4;"
     "atom.global.cas.b32 %r5, [%l6], 0, %r2;\nE:",
     true, Severity::kNote},
    {"probe_of_a_table_whose_index_is_worked_out_twice",
     "and.b32 %r10, %r2, 1; shl.b32 %r11, %r2, 2; and.b32 %r11, %r11, 4; cvt.u64.u32 %l5, %r11; "
     "add.s64 %l6, %p0, %l5;"
     "ld.global.u32 %r0, [%l6]; setp.ne.u32 %q0, %r0, 0; @%q0 bra E; mul.wide.u32 %l7, %r10, 4; "
     "add.s64 %l8, %p0, %l7;"
     "atom.global.cas.b32 %r5, [%l8], 0, %r2;\nE:",
     true, Severity::kNote},
    {"a_test_of_the_next_word",
     "red.global.add.u32 [%p0+4], 1; ld.global.u32 %r0, [%p0+4]; setp.eq.u32 %q0, %r0, 77; @%q0 "
     "bra E; atom.global.cas.b32 %r5, [%p0], 0, %r2;\nE:",
     true, Severity::kWarning},
    {"a_count_read_beside_its_atomics",
     "red.global.add.u32 [%p0], 1; ld.global.u32 %r0, [%p0]; st.global.u32 [%p1], 5;", true,
     Severity::kWarning},
    {"a_sum_that_others_may_change_meanwhile",
     "ld.global.f32 %f0, [%p0]; add.f32 %f0, %f0, 0f3F800000; mov.b32 %r0, %f0; "
     "atom.global.exch.b32 %r5, [%p0], %r0;",
     true, Severity::kWarning},
    {"a_compare_and_swap_that_is_not_tried_again",
     "ld.global.u32 %r0, [%p0]; add.u32 %r5, %r0, 1; atom.global.cas.b32 %r6, [%p0], %r0, %r5;",
     true, Severity::kWarning},
    {"a_compare_and_swap_whose_old_value_is_only_kept",
     "ld.global.u32 %r0, [%p0]; add.u32 %r5, %r0, 1; atom.global.cas.b32 %r6, [%p0], %r0, %r5; "
     "add.s64 %l4, %p1, %l2; st.global.u32 [%l4], %r6;",
     true, Severity::kWarning},
    {"a_maximum_of_what_was_computed_from_the_old_one",
     "ld.global.u32 %r0, [%p0]; add.u32 %r5, %r0, 1; red.global.max.u32 [%p0], %r5;", true,
     Severity::kWarning},
    {"such_a_maximum_after_a_test",
     "ld.global.u32 %r0, [%p0]; setp.lt.u32 %q0, %r0, 100; add.u32 %r5, %r0, 1; @%q0 "
     "red.global.max.u32 [%p0], %r5;",
     true, Severity::kWarning},
    {"relaxed_stores_of_different_values", "st.relaxed.gpu.global.u32 [%p0], %r2;", false},
    {"relaxed_loads_and_stores",
     "ld.relaxed.gpu.global.u32 %r0, [%p0]; st.relaxed.gpu.global.u32 [%p0], %r2;", false},
    {"a_relaxed_load_beside_atomics",
     "ld.relaxed.gpu.global.u32 %r0, [%p0]; red.global.add.u32 [%p0], 1;", false},
    {"a_plain_load_beside_relaxed_stores",
     "ld.global.u32 %r0, [%p0]; st.relaxed.gpu.global.u32 [%p0], %r2;", true, Severity::kWarning},
    {"a_plain_store_beside_relaxed_loads",
     "ld.relaxed.gpu.global.u32 %r0, [%p0]; st.global.u32 [%p0], %r2;", true},
    {"a_plain_store_beside_the_loop",
     "ld.global.u32 %r0, [%p0];\nL: mov.u32 %r5, %r0; max.u32 %r6, %r5, %r2; atom.global.cas.b32 "
     "%r0, [%p0], %r5, %r6;"
     "setp.ne.u32 %q0, %r0, %r5; @%q0 bra L; setp.eq.u32 %q1, %r2, 3; @%q1 st.global.u32 [%p0], "
     "100;",
     true},
    {"all_write_one_value", "mov.u32 %r0, 7; st.global.u32 [%p0], %r0; st.global.u32 [%p0], %r0;",
     false},
    {"each_writes_its_number", "st.global.u32 [%p0], %r2;", true},
    {"a_fence_alone_orders_no_loads",
     "st.global.u32 [%l0], %r2; membar.gl; ld.global.u32 %r0, [%l1]; st.global.u32 [%p1], %r4;",
     true},
    {"a_fence_alone_orders_no_stores",
     "setp.eq.u32 %q0, %r2, 0; @%q0 st.global.u32 [%p0+28], 100; membar.gl; st.global.u32 [%l0], "
     "%r2;",
     true},
    {"neither_does_a_volatile_store_elsewhere",
     "st.volatile.global.u32 [%p1], 1; st.global.u32 [%p0], %r2;", true},
    {"a_volatile_flag_without_a_fence",
     "setp.eq.u32 %q0, %r2, 0; @!%q0 bra W; st.global.u32 [%p0], 100; st.volatile.global.u32 "
     "[%p1], "
     "1; bra E; W: ld.volatile.global.u32 %r0, [%p1]; setp.eq.u32 %q1, %r0, 0; @%q1 bra W; "
     "ld.global.u32 %r0, [%p0]; st.global.u32 [%l0], %r0;\nE:",
     true},
    {"a_volatile_flag_with_fences",
     "setp.eq.u32 %q0, %r2, 0; @!%q0 bra W; st.global.u32 [%p0], 100; membar.gl; "
     "st.volatile.global.u32 [%p1], 1; bra E; W: ld.volatile.global.u32 %r0, [%p1]; setp.eq.u32 "
     "%q1, %r0, 0; @%q1 bra W; membar.gl; ld.global.u32 %r0, [%p0]; st.global.u32 [%l0], "
     "%r0;\nE:",
     false},
    {"a_volatile_flag_with_fences_of_the_block",
     "setp.eq.u32 %q0, %r2, 0; @!%q0 bra W; st.global.u32 [%p0], 100; membar.cta; "
     "st.volatile.global.u32 [%p1], 1; bra E; W: ld.volatile.global.u32 %r0, [%p1]; setp.eq.u32 "
     "%q1, %r0, 0; @%q1 bra W; membar.cta; ld.global.u32 %r0, [%p0]; st.global.u32 [%l0], "
     "%r0;\nE:",
     true},
    {"a_release_for_the_block_only",
     "setp.eq.u32 %q0, %r2, 0; @!%q0 bra W; st.global.u32 [%p0], 100; st.release.cta.global.u32 "
     "[%p1], 1; bra E; W: ld.acquire.cta.global.u32 %r0, [%p1]; setp.eq.u32 %q1, %r0, 0; @%q1 bra "
     "W; ld.global.u32 %r0, [%p0]; st.global.u32 [%l0], %r0;\nE:",
     true},
    {"volatile_loads_and_stores",
     "ld.volatile.global.u32 %r0, [%p0]; st.volatile.global.u32 [%p0], %r2;", false},
    {"the_last_block_stores_over_another_ones_result",
     "st.global.u32 [%l0], %r2; membar.gl; atom.global.add.u32 %r0, [%p1], 1; setp.ne.u32 %q0, "
     "%r0, 7; @%q0 bra E; membar.gl; st.global.u32 [%p0], 100;\nE:",
     false},
    {"stores_under_a_lock",
     "T: atom.global.cas.b32 %r5, [%p1], 0, 1; setp.ne.u32 %q0, %r5, 0; @%q0 bra T; membar.gl; "
     "st.global.u32 [%p0], %r2; membar.gl; atom.global.exch.b32 %r5, [%p1], 0;",
     false},
    {"stores_in_turn",
     "T: ld.acquire.gpu.global.u32 %r5, [%p1]; setp.ne.u32 %q0, %r5, %r2; @%q0 bra T; "
     "st.global.u32 [%p0], %r2; add.u32 %r5, %r2, 1; st.release.gpu.global.u32 [%p1], %r5;",
     false},
    {"stores_after_a_plain_load_and_a_fence",
     "T: membar.gl; ld.global.u32 %r5, [%p1]; setp.ne.u32 %q0, %r5, %r2; @%q0 bra T; membar.gl; "
     "st.global.u32 [%p0], %r2; membar.gl; add.u32 %r5, %r2, 1; st.global.u32 [%p1], %r5;",
     false},
    {"reading_what_nobody_writes",
     "ld.global.u32 %r0, [%p0]; mov.u32 %r0, 5; add.s64 %l4, %p1, %l2; st.global.u32 [%l4], %r0;",
     false},
};
INSTANTIATE_TEST_SUITE_P(Kernels, BlockRaceTest, ::testing::ValuesIn(kBlockCases),
                         [](const auto& test) { return std::string(test.param.name); });

// Blocks of one warp store down columns, 8 words in each of 32 rows; two blocks share shadow lines.
TEST(RaceTest, ColumnsOfTwoBlocksMeetInTheirWordsOnly) {
  struct Columns {
    const char* name;
    int step;  // columns from one block to the next
    bool race;
  };
  for (const Columns& c : {Columns{"side by side", 8, false},
                           Columns{"one column in common", 7, true}, Columns{"apart", 16, false}}) {
    for (const int threads : {1, 2}) {
      SCOPED_TRACE(std::string(c.name) + ", " + std::to_string(threads));
      std::string body =
          "mov.u32 %r0, %ctaid.x; mov.u32 %r1, %tid.x; mul.lo.u32 %r2, %r0, " +
          std::to_string(4 * c.step) +
          "; mad.lo.u32 %r2, %r1, 256, %r2; cvt.u64.u32 %l0, %r2; add.s64 %l1, %p0, %l0;\n";
      for (int column = 0; column < 8; ++column)
        body += "st.global.u32 [%l1+" + std::to_string(4 * column) + "], %r0;\n";
      LaunchOptions options;
      options.threads = threads;
      const KernelRun run = run_ptx(kernel_text(body + "ret;", 1), {2, 1, 1}, {32, 1, 1},
                                    {Words(32 * 64, 9)}, options);
      ASSERT_EQ(errors_of(run), "");
      const auto step = static_cast<size_t>(c.step);
      for (size_t row = 0; row < 32; ++row) {
        EXPECT_EQ(run.buffers[0][row * 64], 0u);
        EXPECT_EQ(run.buffers[0][row * 64 + step + 7], 1u);
        EXPECT_EQ(run.buffers[0][row * 64 + step + 8], 9u);
      }
      // Two emulation threads may touch a line at the same moment
      // and miss a race, but never invent one.
      if (threads == 1 || !c.race) {
        EXPECT_EQ(run.find(FindingKind::kRace) != nullptr, c.race);
      }
    }
  }
}

// Two emulation threads: one block records its store while another compares with memory.
TEST(RaceTest, EqualValuesOfManyBlocksAreNoRaceAtAnyTime) {
  // Every thread stores i + 7 to word i for i = tid, tid + 256, …
  const std::string store =
      "mov.u32 %r1, %tid.x; mul.wide.u32 %l0, %r1, 4; add.s64 %l1, %p0, %l0; LOOP:\n"
      "add.u32 %r2, %r1, 7; st.global.u32 [%l1], %r2; add.s64 %l1, %l1, 1024;"
      "add.u32 %r1, %r1, 256; setp.lt.u32 %q0, %r1, 16384; @%q0 bra LOOP;";
  LaunchOptions options;
  options.threads = 2;
  for (int n = 0; n < 60; ++n) {
    const KernelRun run =
        run_ptx(kernel_text(store + "ret;", 1), {16, 1, 1}, {256, 1, 1}, {Words(16384)}, options);
    ASSERT_EQ(errors_of(run), "");
    ASSERT_EQ(run.find(FindingKind::kRace), nullptr) << "launch " << n;
  }
}

// A flag without fences orders nothing in global memory: the advice is the fence, not only another
// launch or a barrier. With fences there is nothing to say.
TEST(RaceTest, AFlagWithoutFencesIsToldWhatIsMissing) {
  // The first thread (of the first block, or the first warp) stores and sets the flag; the other
  // one waits for it and loads.
  const auto body = [](const std::string& who, const std::string& fence) {
    return who + " setp.ne.u32 %q0, %r1, 0; @%q0 bra WAIT; st.global.u32 [%p0+8], 7;" + fence +
           "red.global.add.u32 [%p1], 1; ret; WAIT: setp.ne.u32 %q1, %r1, 32; @%q1 bra END;"
           "POLL: atom.global.add.u32 %r2, [%p1], 0; setp.eq.u32 %q2, %r2, 0; @%q2 bra POLL;" +
           fence + "ld.global.u32 %r3, [%p0+8]; st.global.u32 [%p0+16], %r3; END: ret;";
  };
  struct Case {
    const char* who;
    Dim3 grid, block;
    const char* else_do;
  };
  const Case kCases[] = {
      {"mov.u32 %r1, %ctaid.x; mul.lo.u32 %r1, %r1, 32;", {2, 1, 1}, {1, 1, 1}, "two launches"},
      {"mov.u32 %r1, %tid.x;", {1, 1, 1}, {64, 1, 1}, "__syncthreads()"}};
  for (const Case& c : kCases) {
    const KernelRun run =
        run_ptx(kernel_text(body(c.who, ""), 2), c.grid, c.block, {Words(8), Words(8)});
    ASSERT_EQ(errors_of(run), "");
    const Finding* race = run.find(FindingKind::kRace);
    ASSERT_NE(race, nullptr);
    EXPECT_EQ(race->severity, Severity::kError);
    EXPECT_NE(race->cause.english().find("__threadfence()"), std::string::npos) << race->cause;
    EXPECT_NE(race->cause.english().find(c.else_do), std::string::npos) << race->cause;
    const KernelRun fenced =
        run_ptx(kernel_text(body(c.who, "membar.gl;"), 2), c.grid, c.block, {Words(8), Words(8)});
    ASSERT_EQ(errors_of(fenced), "");
    EXPECT_TRUE(fenced.result.findings.empty());
    EXPECT_EQ(fenced.buffers[0][4], 7u);
  }
}

// The last block reads what others have stored without a fence. Only a warning, since a volatile
// load beside a plain store may also be a flag that needs no order.
TEST(RaceTest, VolatileLoadsOfWhatOthersStoredNeedAFence) {
  const auto body = [](const std::string& fence) {
    return "mov.u32 %r2, %ctaid.x; mul.wide.u32 %l2, %r2, 4; add.s64 %l0, %p0, %l2; st.global.u32 "
           "[%l0], %r2;" +
           fence +
           "atom.global.add.u32 %r0, [%p1], 1; setp.ne.u32 %q0, %r0, 7; @%q0 bra E; "
           "ld.volatile.global.u32 %r0, [%p0]; st.volatile.global.u32 [%p1+4], %r0; E: ret;";
  };
  const KernelRun run =
      run_ptx(kernel_text(body(""), 2), {8, 1, 1}, {1, 1, 1}, {Words(8), Words(8)});
  ASSERT_EQ(errors_of(run), "");
  const Finding* race = run.find(FindingKind::kRace);
  ASSERT_NE(race, nullptr);
  EXPECT_EQ(race->severity, Severity::kWarning);
  EXPECT_NE(race->cause.english().find("__threadfence()"), std::string::npos) << race->cause;
  const KernelRun fenced =
      run_ptx(kernel_text(body("membar.gl;"), 2), {8, 1, 1}, {1, 1, 1}, {Words(8), Words(8)});
  EXPECT_EQ(fenced.find(FindingKind::kRace), nullptr);
}

// Where single bytes are tracked, 32 bytes fill a shadow line.
// More equal values than a finding needs do not hide the one that differs.
TEST(RaceTest, OneDifferentValueAmongManyEqualOnesIsFound) {
  for (const int lane : {0, 7, 8, 20, 31}) {
    const KernelRun run =
        run_ptx(kernel_text("mov.u32 %r1, %tid.x; mul.wide.u32 %l0, %r1, 4; add.s64 %l1, %p0, %l0;"
                            "mov.u32 %r2, %ctaid.x; shl.b32 %r3, %r2, 8; add.u32 %r3, %r3, %r1;"
                            "setp.eq.u32 %q0, %r3, " +
                                std::to_string(256 + lane) +
                                "; selp.u32 %r4, 99, %r1, %q0; st.global.u32 [%l1], %r4; ret;",
                            1),
                {3, 1, 1}, {32, 1, 1}, {Words(32)});
    ASSERT_EQ(errors_of(run), "");
    const Finding* f = run.find(FindingKind::kRace);
    ASSERT_NE(f, nullptr) << "lane " << lane;
    EXPECT_EQ(f->address % 128, 4u * static_cast<uint32_t>(lane));
  }
}

TEST(RaceTest, TheWidestWritesOfTwoBlocksMeet) {
  for (const bool one_place : {false, true}) {
    const std::string body =
        std::string(
            "mov.u32 %r1, %ctaid.x; mul.lo.u32 %r2, %r1, 32; cvt.u64.u32 %l0, %r1; cvt.u64.u32 "
            "%l1, %r2;") +
        (one_place ? "mov.u64 %l1, 0;" : "") +
        "add.s64 %l1, %p0, %l1; mov.u32 %r0, %tid.x; setp.ne.u32 %q0, %r0, 0;" +
        "@%q0 bra E; st.global.v4.b64 [%l1], {%l0, %l0, %l0, %l0}; E: mov.b16 %h0, 1; st.global.b8 "
        "[%p0+128], %h0; ret;";
    const KernelRun run = run_ptx(kernel_text(body, 1), {2, 1, 1}, {32, 1, 1}, {Words(64)});
    ASSERT_EQ(errors_of(run), "");
    EXPECT_EQ(run.find(FindingKind::kRace) != nullptr, one_place);
  }
}

// Most pairs of a stencil lie in one warp, but the last one of each warp does not: it needs the
// block's barrier, which is missing.
TEST(RaceTest, TheWorstPairIsTold) {
  for (const uint64_t seed : {0, 1, 2, 3}) {
    LaunchOptions options;
    options.order_seed = seed;
    const std::string body =
        kOwn + "st.shared.u32 [%r3], %r1; add.u32 %r5, %r1, 1; and.b32 %r5, %r5, 127;" + kOther +
        "ld.shared.u32 %r0, [%r6];" + kUse;
    const KernelRun run = run_ptx(kernel_text(body, 1, "", ".shared .align 4 .b8 s[1024];"),
                                  {1, 1, 1}, {128, 1, 1}, {Words(256)}, options);
    const Finding* f = run.find(FindingKind::kRace);
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->severity, Severity::kError);
    EXPECT_NE(f->who.thread.x / 32, f->other_who->thread.x / 32);
    EXPECT_NE(f->cause.english().find("__syncthreads()"), std::string::npos) << f->cause;
  }
}

// ++count[b] wants an atomic; a sum with a neighbour's word, in one line too, wants a barrier.
TEST(RaceTest, AnUpdateOfOnePlaceIsToldFromANeighboursWord) {
  const std::string neighbours = "xor.b32 %r5, %r1, 32;" + kOther;
  const std::string sum =
      "ld.shared.u32 %r0, [%r6]; add.u32 %r0, %r0, 1; st.shared.u32 [%r3], %r0;" + kUse;
  const std::string update =
      "ld.shared.u32 %r0, [%r2]; add.u32 %r0, %r0, 1; st.shared.u32 [%r2], %r0;" + kUse;
  const std::string global_update =
      "\n.loc 1 10 1\nld.global.u32 %r0, [%p0]; add.u32 %r0, %r0, 1; st.global.u32 [%p0], %r0;";
  const auto cause_of = [](const std::string& body, uint32_t blocks) {
    const KernelRun run =
        run_ptx(kernel_text(body, 1, "", ".shared .align 4 .b8 s[1024];") + ".file 1 \"bins.cu\"\n",
                {blocks, 1, 1}, {64, 1, 1}, {Words(256)});
    const Finding* f = run.find(FindingKind::kRace);
    return f == nullptr ? std::string() : f->cause.english();
  };
  const std::string filled = kOwn + "st.shared.u32 [%r3], %r1; bar.sync 0;";
  EXPECT_THAT(cause_of(filled + neighbours + sum, 1), ::testing::HasSubstr("__syncthreads()"));
  EXPECT_THAT(cause_of(filled + update, 1), ::testing::HasSubstr("atomicAdd"));
  EXPECT_THAT(cause_of(global_update, 1), ::testing::HasSubstr("atomicAdd"));
  EXPECT_THAT(
      cause_of("mov.u32 %r1, %tid.x; setp.ne.u32 %q0, %r1, 0; @%q0 ret;" + global_update, 8),
      ::testing::HasSubstr("atomicAdd"));
}

TEST(RaceTest, SaysBothLines) {
  const std::string body =
      "\n.loc 1 10 1\n" + kOwn +
      "\n.loc 1 11 3\nst.shared.u32 [%r3], %r1;\n.loc 1 12 3\nxor.b32 %r5, %r1, 32;" + kOther +
      "ld.shared.u32 %r0, [%r6];" + kUse;
  const KernelRun run =
      run_ptx(kernel_text(body, 1, "", ".shared .align 4 .b8 s[1024];") + ".file 1 \"tile.cu\"\n",
              {1, 1, 1}, {64, 1, 1}, {Words(256)});
  const Finding* f = run.find(FindingKind::kRace);
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->place.line, 12);
  EXPECT_EQ(f->other_place->line, 11);
  EXPECT_EQ(f->place.file, "tile.cu");
  EXPECT_NE(f->message.english().find("line 11"), std::string::npos);
}

// Thread 1 reads on line 11; thread 0 reads on line 12 and writes on line
// 13: it races with the other thread's line.
TEST(RaceTest, SaysTheLineOfTheOtherReader) {
  for (const char* other : {"1", "33"}) {
    SCOPED_TRACE(other);
    const std::string body =
        "\n.loc 1 10 1\n" + kOwn +
        "st.shared.u32 [%r3], %r1; bar.sync 0; setp.eq.u32 %q0, %r1, 0; setp.eq.u32 %q1, %r1, " +
        std::string(other) +
        ";\n.loc 1 11 3\n@%q1 ld.shared.u32 %r0, [%r2];\n.loc 1 12 3\n@%q0 ld.shared.u32 %r0, "
        "[%r2];"
        "\n.loc 1 13 3\n@%q0 st.shared.u32 [%r2], 7;" +
        kUse;
    LaunchOptions options;
    for (const uint64_t seed : {0, 1, 2, 3, 4, 5, 6, 7}) {
      options.order_seed = seed;
      const KernelRun run = run_ptx(
          kernel_text(body, 1, "", ".shared .align 4 .b8 s[1024];") + ".file 1 \"tile.cu\"\n",
          {1, 1, 1}, {64, 1, 1}, {Words(256)}, options);
      ASSERT_EQ(errors_of(run), "");
      const Finding* f = run.find(FindingKind::kRace);
      ASSERT_NE(f, nullptr);
      EXPECT_EQ(f->place.line, 11);
      EXPECT_EQ(f->other_place->line, 13);
      EXPECT_EQ(std::to_string(f->who.thread.x), other);
      EXPECT_EQ(f->other_who->thread.x, 0u);
    }
  }
}

}  // namespace
}  // namespace warpshop::emulator::testing
