// Values that a shuffle reads from lanes that do not take part in it. PTX ISA, shfl.sync: "If the
// source lane is inactive or not in membermask, the result is undefined".
#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

struct UndefinedCase {
  const char* name;
  std::string body;  // run by lanes 0 to 7: %r1 is the lane, %r3 is undefined in
                     // lanes 4 to 7. All lanes store %r0
  Severity severity;
};

class UndefinedValueTest : public ::testing::TestWithParam<UndefinedCase> {};

// %r2: lane + 100. Lane l < 8 reads %r2 of lane l + 4.
const std::string kEightLanes =
    "mov.u32 %r1, %laneid; mov.u32 %r0, 0; add.u32 %r2, %r1, 100; setp.eq.u32 %q1, %r1, 0; "
    "setp.lt.u32 %q3, %r1, 4;"
    "setp.ge.u32 %q0, %r1, 8; @%q0 bra J; shfl.sync.down.b32 %r3, %r2, 4, 31, 0xff;";

const std::string kFunction =
    ".func (.param .b32 out) f(.param .b32 in) { .reg .b32 %a<2>; ld.param.u32 %a0, [in]; "
    "st.param.b32 [out], %a0; ret; }";

TEST_P(UndefinedValueTest, IsAWarningOnlyWhereItIsUsed) {
  const KernelRun run = run_warp(kEightLanes + GetParam().body + "J:" + kStoreR0, kFunction,
                                 ".shared .align 4 .b8 words[128];");
  ASSERT_EQ(errors_of(run), "");
  ASSERT_TRUE(run.result.completed);
  ASSERT_NE(run.find(FindingKind::kSyncwarpMask), nullptr);
  const Finding& f = *run.find(FindingKind::kSyncwarpMask);
  EXPECT_EQ(f.severity, GetParam().severity) << f.message;
  EXPECT_EQ(f.count, 4u);
  EXPECT_NE(f.message.english().find(
                "does not take part in the shuffle (it went another way): the value is undefined"),
            std::string::npos)
      << f.message;
  EXPECT_EQ(f.message.english().ends_with("but no result depends on it"),
            f.severity == Severity::kNote)
      << f.message;
  EXPECT_FALSE(f.cause.empty());
}

const UndefinedCase kUndefined[] = {
    {"nobody_reads_it", "", Severity::kNote},
    {"a_sum_is_stored", "add.u32 %r0, %r2, %r3;", Severity::kWarning},
    {"a_sum_of_lanes_that_have_it", "@%q3 add.u32 %r0, %r2, %r3;", Severity::kNote},
    {"overwritten_first", "add.u32 %r4, %r3, %r3; mov.u32 %r4, 5; mov.u32 %r0, %r4;",
     Severity::kNote},
    {"overwritten_in_lanes_that_have_it",
     "mov.u32 %r4, %r3; @%q3 mov.u32 %r4, 5; mov.u32 %r0, %r4;", Severity::kWarning},
    {"overwritten_in_the_others", "mov.u32 %r4, %r3; @!%q3 mov.u32 %r4, 5; mov.u32 %r0, %r4;",
     Severity::kNote},
    {"selected_in_its_lanes", "selp.u32 %r0, 7, %r3, %q3;", Severity::kWarning},
    {"selected_in_other_lanes", "selp.u32 %r0, %r3, 7, %q3;", Severity::kNote},
    {"selects", "setp.gt.u32 %q2, %r3, 105; selp.u32 %r0, 1, 2, %q2;", Severity::kWarning},
    {"decides_a_branch", "setp.gt.u32 %q2, %r3, 105; @%q2 bra J; mov.u32 %r0, 3;",
     Severity::kWarning},
    {"decides_whether_another_is_written", "setp.gt.u32 %q2, %r3, 999; @%q2 mov.u32 %r0, 3;",
     Severity::kWarning},
    {"decides_about_nothing", "setp.gt.u32 %q2, %r3, 999; @%q2 mov.u32 %r4, 3;", Severity::kNote},
    {"decides_a_store", "setp.gt.u32 %q2, %r3, 999; @%q2 st.global.u32 [%p0], %r1;",
     Severity::kWarning},
    {"an_address_to_load_from",
     "and.b32 %r4, %r3, 124; cvt.u64.u32 %l0, %r4; add.s64 %l0, %p0, %l0; ld.global.u32 %r5, "
     "[%l0];",
     Severity::kWarning},
    {"to_shared_memory", "shl.b32 %r4, %r1, 2; st.shared.u32 [%r4], %r3;", Severity::kWarning},
    {"atomic", "mov.u32 %r5, words; red.shared.add.u32 [%r5], %r3;", Severity::kWarning},
    {"voted_on", "setp.gt.u32 %q2, %r3, 999; vote.sync.any.pred %q4, %q2, 0xff;",
     Severity::kWarning},
    {"shuffled_to_nobody", "shfl.sync.down.b32 %r4, %r3, 1, 0x1c03, 0xff; @%q3 mov.u32 %r0, %r2;",
     Severity::kNote},
    {"shuffled_to_a_lane_that_stores",
     "shfl.sync.idx.b32 %r4, %r3, 5, 31, 0xff; @%q1 mov.u32 %r0, %r4;", Severity::kWarning},
    {"shuffled_from_a_lane_that_has_it",
     "shfl.sync.idx.b32 %r4, %r3, 2, 31, 0xff; mov.u32 %r0, %r4;", Severity::kNote},
    {"whether_in_range_is_known",
     "shfl.sync.down.b32 %r4|%q2, %r3, 1, 0x1c03, 0xff; selp.u32 %r0, 1, 2, %q2;", Severity::kNote},
    {"names_a_lane", "and.b32 %r4, %r3, 7; shfl.sync.idx.b32 %r0, %r2, %r4, 31, 0xff;",
     Severity::kWarning},
    {"through_the_carry", "add.cc.u32 %r4, %r3, %r3; addc.u32 %r0, %r1, 0;", Severity::kWarning},
    {"in_a_pair_of_registers",
     "mov.b64 %l0, {%r2, %r3}; mov.b64 {%r4, %r5}, %l0; mov.u32 %r0, %r5;", Severity::kWarning},
    {"by_a_call",
     "{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r3; call (y), f, (x); ld.param.b32 %r4, "
     "[y]; }",
     Severity::kWarning},
};
INSTANTIATE_TEST_SUITE_P(Uses, UndefinedValueTest, ::testing::ValuesIn(kUndefined),
                         [](const auto& test) { return std::string(test.param.name); });

// if (t < 8) for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(0xff, v, d); if (t == 0) out = v
std::string sum_of_eight(const std::string& kept) {
  std::string body =
      "mov.u32 %r1, %laneid; mov.u32 %r0, 0; add.u32 %r2, %r1, 100; setp.ge.u32 %q0, %r1, 8; @%q0 "
      "bra J;";
  for (const char* delta : {"4", "2", "1"}) {
    body +=
        std::string("shfl.sync.down.b32 %r3, %r2, ") + delta + ", 31, 0xff; add.u32 %r2, %r2, %r3;";
  }
  return body + kept + "J:" + kStoreR0;
}

TEST(UndefinedValueTest, TheSumOfEightLanesIsRightInTheFirst) {
  const KernelRun run =
      run_warp(sum_of_eight("setp.ne.u32 %q1, %r1, 0; @%q1 bra J; mov.u32 %r0, %r2;"));
  ASSERT_TRUE(run.result.completed);
  EXPECT_EQ(run.buffers[0][0], 8u * 100 + 28);
  for (const Finding& f : run.result.findings) EXPECT_EQ(f.severity, Severity::kNote) << f.message;
  EXPECT_EQ(run.result.findings.size(), 3u);
}

TEST(UndefinedValueTest, TheSumsOfTheOthersAreNot) {
  const KernelRun run = run_warp(sum_of_eight("mov.u32 %r0, %r2;"));
  ASSERT_FALSE(run.result.findings.empty());
  EXPECT_EQ(run.result.findings.front().severity, Severity::kWarning);
}

TEST(UndefinedValueTest, TheWarningNamesTheLineThatUsesTheValue) {
  const std::string body =
      "mov.u32 %r1, %laneid; mov.u32 %r0, 0; setp.ge.u32 %q0, %r1, 8; @%q0 bra J;\n.loc 1 7 3\n"
      "shfl.sync.down.b32 %r3, %r1, 4, 31, 0xff;\n.loc 1 8 3\nadd.u32 %r0, %r3, 1; J:\n.loc 1 11 "
      "3\n" +
      kStoreR0;
  std::string text = kernel_text(body, 1);
  text += ".file 1 \"a.cu\"\n";
  const KernelRun run = run_ptx(text, {1, 1, 1}, {32, 1, 1}, {Words(32)});
  ASSERT_EQ(errors_of(run), "");
  ASSERT_EQ(run.result.findings.size(), 1u);
  EXPECT_EQ(run.result.findings[0].place.line, 7);
  EXPECT_TRUE(run.result.findings[0].message.english().ends_with(
      "the value is undefined, and line 11 uses it"))
      << run.result.findings[0].message;
}

// Two blocks on two threads; only the second uses the value,
// and it is reported whichever runs first.
TEST(UndefinedValueTest, OneWarpThatUsesItIsEnough) {
  const std::string body =
      kEightLanes +
      "mov.u32 %r6, %ctaid.x; setp.eq.u32 %q5, %r6, 5; @%q5 mov.u32 %r0, %r3; J:"
      "mov.u32 %r6, %ctaid.x; mad.lo.u32 %r31, %r6, 32, %r1; mul.wide.u32 %l15, %r31, 4; add.s64 "
      "%l15, %p0, %l15;"
      "st.global.u32 [%l15], %r0; ret;";
  LaunchOptions options;
  options.threads = 2;
  const KernelRun run = run_ptx(kernel_text(body, 1), {8, 1, 1}, {32, 1, 1}, {Words(256)}, options);
  ASSERT_EQ(run.result.findings.size(), 1u);
  EXPECT_EQ(run.result.findings[0].severity, Severity::kWarning);
  EXPECT_EQ(run.result.findings[0].who.block.x, 5u);
  EXPECT_EQ(run.result.findings[0].count, 32u);
}

// Lane l writes word 1 of its local memory if l < 8, and reads it (line 10) before it is known
// whether it may. %q0: it has written; %r3: the value. The value is used from line 11 on.
struct LocalCase {
  const char* name;
  std::string body;
  bool found;
};

class UndefinedLocalTest : public ::testing::TestWithParam<LocalCase> {};

TEST_P(UndefinedLocalTest, IsFoundWhereItIsUsed) {
  const std::string start =
      "mov.u32 %r1, %laneid; mov.u32 %r0, 0; mov.u64 %l1, d; setp.lt.u32 %q0, %r1, 8; @%q0 "
      "st.local.u32 [%l1+4], %r1;"
      "\n.loc 1 10 1\nld.local.u32 %r3, [%l1+4];\n.loc 1 11 1\n";
  const KernelRun run = run_warp(start + GetParam().body + "\nJ:" + kStoreR0 + "\n", kFunction,
                                 ".local .align 4 .b8 d[16];");
  ASSERT_EQ(errors_of(run), "");
  ASSERT_TRUE(run.result.completed);
  const Finding* f = run.find(FindingKind::kUninitialised);
  ASSERT_EQ(f != nullptr, GetParam().found) << f->message;
  if (f == nullptr) return;
  EXPECT_EQ(f->severity, Severity::kError);
  EXPECT_EQ(f->space, "local");
  EXPECT_EQ(f->count, 24u);
  EXPECT_EQ(f->place.line, 10);
  EXPECT_EQ(f->who.thread.x, 8u);
  EXPECT_NE(f->message.english().find("line 11 uses it"), std::string::npos) << f->message;
}

const LocalCase kLocalCases[] = {
    {"nobody_uses_it", "", false},
    {"not_selected", "selp.u32 %r0, %r3, 7, %q0;", false},
    {"selected", "selp.u32 %r0, 7, %r3, %q0;", true},
    {"moved_and_not_selected", "mov.u32 %r4, %r3; selp.u32 %r4, %r4, 7, %q0; mov.u32 %r0, %r4;",
     false},
    {"computed_with_and_not_selected", "add.u32 %r4, %r3, 1; selp.u32 %r0, %r4, 7, %q0;", false},
    {"used_by_those_who_have_written", "@%q0 mov.u32 %r0, %r3;", false},
    {"stored", "st.global.u32 [%p0], %r3;", true},
    {"copied_in_local_memory", "st.local.u32 [%l1+8], %r3;", true},
    {"decides_a_branch", "setp.eq.u32 %q1, %r3, 77; @%q1 bra J;", true},
    {"an_address",
     "and.b32 %r4, %r3, 124; cvt.u64.u32 %l2, %r4; add.s64 %l2, %p0, %l2; ld.global.u32 %r5, "
     "[%l2];",
     true},
    {"handed_to_a_function",
     "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r3; call (b), f, (a); ld.param.b32 %r0, "
     "[b]; }",
     true},
    {"shuffled_to_others", "shfl.sync.idx.b32 %r4, %r3, 9, 31, -1; mov.u32 %r0, %r4;", true},
};
INSTANTIATE_TEST_SUITE_P(Kernels, UndefinedLocalTest, ::testing::ValuesIn(kLocalCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace warpshop::emulator::testing
