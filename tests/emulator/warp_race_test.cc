// Races in global memory between the warps of one block: what counts as a race and what does not.
#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

// %r1: the thread, %l0: the address of its word of buffer 0, %l1: that of thread (%r1 + 32) mod 64.
const std::string kWarpStart =
    "mov.u32 %r1, %tid.x; mul.wide.u32 %l2, %r1, 4; add.s64 %l0, %p0, %l2; xor.b32 %r3, %r1, 32; "
    "mul.wide.u32 %l3, %r3, 4;"
    "add.s64 %l1, %p0, %l3;";

struct WarpRaceCase {
  const char* name;
  std::string body;
  bool race;
  const char* access = "";  // the finding's access
  const char* other_access = "";
  Severity severity = Severity::kError;
};

class WarpRaceTest : public ::testing::TestWithParam<WarpRaceCase> {};

TEST_P(WarpRaceTest, IsFoundOrNot) {
  const WarpRaceCase& c = GetParam();
  const KernelRun run = run_ptx(kernel_text(kWarpStart + c.body + "ret;", 2), {1, 1, 1}, {64, 1, 1},
                                {Words(64), Words(64)});
  ASSERT_EQ(errors_of(run), "");
  const Finding* f = run.find(FindingKind::kRace);
  ASSERT_EQ(f != nullptr, c.race);
  if (f == nullptr) return;
  EXPECT_EQ(f->space, "global");
  EXPECT_EQ(f->allocation, "buffer 0");
  EXPECT_EQ(f->access, c.access);
  EXPECT_EQ(f->other_access, c.other_access);
  EXPECT_EQ(f->severity, c.severity);
  // No barrier helps where an atomic checks the loaded value again.
  if (c.severity != Severity::kError) {
    EXPECT_EQ(f->cause.english().find("__syncthreads") == std::string::npos,
              c.severity == Severity::kNote)
        << f->cause;
  }
  ASSERT_TRUE(f->other_who.has_value());
  EXPECT_FALSE(f->cause.empty());
}

const WarpRaceCase kWarpRaceCases[] = {
    {"a_different_value_of_a_late_lane_among_many_equal_ones",
     "and.b32 %r5, %r1, 31; mul.wide.u32 %l4, %r5, 4; add.s64 %l5, %p0, %l4; setp.eq.u32 %q0, "
     "%r1, 52; selp.u32 %r6, 99, %r5, %q0; st.global.u32 [%l5], %r6;",
     true, "write", "write"},
    {"each_its_own_word",
     "ld.global.u32 %r0, [%l0]; add.u32 %r0, %r0, 1; st.global.u32 [%l0], %r0;", false},
    {"the_other_warps_result",
     "st.global.u32 [%l0], %r1; ld.global.u32 %r0, [%l1]; add.s64 %l4, %p1, %l2; st.global.u32 "
     "[%l4], %r0;",
     true, "read", "write"},
    {"the_other_warps_result_after_a_barrier",
     "st.global.u32 [%l0], %r1; bar.sync 0; ld.global.u32 %r0, [%l1]; add.s64 %l4, %p1, %l2; "
     "st.global.u32 [%l4], %r0;",
     false},
    {"sum_in_place_without_barrier",
     "ld.global.u32 %r0, [%l0]; ld.global.u32 %r2, [%l1]; add.u32 %r0, %r0, %r2; st.global.u32 "
     "[%l0], %r0;",
     true, "read", "write"},
    {"both_read_before_a_barrier",
     "ld.global.u32 %r0, [%l0]; ld.global.u32 %r2, [%l1]; add.u32 %r0, %r0, %r2; bar.sync 0; "
     "st.global.u32 [%l0], %r0;",
     false},
    {"one_warp_writes_what_both_have_read",
     "ld.global.u32 %r0, [%p0]; add.u32 %r0, %r0, 1; setp.lt.u32 %q0, %r1, 32; @%q0 st.global.u32 "
     "[%l0], %r0;",
     true, "read", "write"},
    {"each_writes_its_number_to_one_word", "st.global.u32 [%p0], %r1;", true, "write", "write"},
    {"warps_write_different_values", "shr.u32 %r0, %r1, 5; st.global.u32 [%p0], %r0;", true,
     "write", "write"},
    {"lanes_of_one_store_write_different_values",
     "setp.lt.u32 %q0, %r1, 32; and.b32 %r0, %r1, 1; @%q0 st.global.u32 [%p0], %r0;", true, "write",
     "write"},
    {"a_warp_writes_one_word_again_and_again",
     "setp.lt.u32 %q0, %r1, 1; @%q0 st.global.u32 [%p0], %r1; @%q0 st.global.u32 [%p0], %r3;",
     false},
    {"all_write_one_value", "mov.u32 %r0, 7; st.global.u32 [%p0], %r0;", false},
    {"relaxed_stores_of_different_values",
     "shr.u32 %r0, %r1, 5; st.relaxed.cta.global.u32 [%p0], %r0;", false},
    {"all_add_atomically", "red.global.add.u32 [%p0], 1;", false},
    {"an_atomic_and_a_plain_read",
     "red.global.add.u32 [%p0], 1; ld.global.u32 %r0, [%p0]; add.s64 %l4, %p1, %l2; st.global.u32 "
     "[%l4], %r0;",
     true, "read", "atomic", Severity::kWarning},
    {"start_of_a_compare_and_swap_loop",
     "ld.global.u32 %r0, [%p0];\nL: mov.u32 %r5, %r0; max.u32 %r6, %r5, %r1; atom.global.cas.b32 "
     "%r0, [%p0], %r5, %r6;"
     "setp.ne.u32 %q0, %r0, %r5; @%q0 bra L;",
     true, "read", "atomic", Severity::kNote},
    {"test_before_a_maximum",
     "add.s64 %l5, %p0, 8; ld.global.u32 %r0, [%l5]; setp.le.u32 %q0, %r1, %r0; @!%q0 "
     "red.global.max.u32 [%p0+8], %r1;",
     true, "read", "atomic", Severity::kNote},
    {"a_maximum_of_another_place_than_the_test",
     "ld.global.u32 %r0, [%p0]; setp.le.u32 %q0, %r1, %r0; @!%q0 red.global.max.u32 [%p0+8], %r1; "
     "red.global.add.u32 [%p0], 1;",
     true, "read", "atomic", Severity::kWarning},
    {"bytes_of_one_word_by_two_warps",
     "shr.u32 %r2, %r1, 5; cvt.u64.u32 %l4, %r2; add.s64 %l4, %p0, %l4; cvt.u16.u32 %h0, %r2; "
     "st.global.u8 [%l4], %h0;",
     false},
    {"ordered_by_a_fence_and_a_flag",
     "st.global.u32 [%l0], %r1; membar.cta; ld.global.u32 %r0, [%l1]; st.global.u32 [%l0], %r0;",
     false},
};
INSTANTIATE_TEST_SUITE_P(Kernels, WarpRaceTest, ::testing::ValuesIn(kWarpRaceCases),
                         [](const auto& test) { return std::string(test.param.name); });

// The block touches far more lines than the table can hold initially;
// the race on the last word is still found.
TEST(WarpRaceTest, IsFoundBehindManyLines) {
  constexpr uint32_t kWords = 1u << 18;
  const std::string loop =
      kWarpStart +
      "mov.u32 %r5, %r1;\nLOOP: mul.wide.u32 %l5, %r5, 4; add.s64 %l6, %p0, %l5; ld.global.u32 "
      "%r0, [%l6]; add.u32 %r0, %r0, 1;"
      "st.global.u32 [%l6], %r0; add.u32 %r5, %r5, 64; setp.lt.u32 %q0, %r5, " +
      std::to_string(kWords) +
      "; @%q0 bra LOOP;\nsetp.eq.u32 %q1, %r1, 0; @%q1 ld.global.u32 %r7, [%p0 + " +
      std::to_string(4 * (kWords - 1)) + "]; @%q1 st.global.u32 [%p1], %r7; ret;";
  const KernelRun run =
      run_ptx(kernel_text(loop, 2), {1, 1, 1}, {64, 1, 1}, {Words(kWords), Words(1)});
  ASSERT_EQ(errors_of(run), "");
  const Finding* f = run.find(FindingKind::kRace);
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->other_who->thread.x == 63 || f->who.thread.x == 63, true);
}

}  // namespace
}  // namespace warpshop::emulator::testing
