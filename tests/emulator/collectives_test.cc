// Shuffles, votes, matches and reductions over a warp; printf and assert.
#include <bit>

#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

struct CollectivesCase {
  const char* name;
  std::string body;  // reads the lane from %r1, leaves its result in %r0
  uint32_t (*expected)(uint32_t lane);
};

class CollectiveTest : public ::testing::TestWithParam<CollectivesCase> {};

TEST_P(CollectiveTest, EveryLaneGetsWhatTheManualSays) {
  const KernelRun run = run_warp("mov.u32 %r1, %laneid; mov.u32 %r0, 0; add.u32 %r2, %r1, 100;" +
                                 GetParam().body + kStoreR0);
  ASSERT_EQ(errors_of(run), "");
  EXPECT_TRUE(run.result.findings.empty());
  for (uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(run.buffers[0][lane], GetParam().expected(lane)) << "lane " << lane;
}

const CollectivesCase kCollectivesCases[] = {
    {"shfl_up", "shfl.sync.up.b32 %r0, %r2, 3, 0, -1;",
     [](uint32_t l) { return 100 + (l >= 3 ? l - 3 : l); }},
    {"shfl_down", "shfl.sync.down.b32 %r0, %r2, 5, 31, -1;",
     [](uint32_t l) { return 100 + (l + 5 < 32 ? l + 5 : l); }},
    {"shfl_bfly", "shfl.sync.bfly.b32 %r0, %r2, 16, 31, -1;",
     [](uint32_t l) { return 100 + (l ^ 16u); }},
    {"shfl_idx", "shfl.sync.idx.b32 %r0, %r2, 9, 31, -1;", [](uint32_t) { return 109u; }},
    // Segments of 8 lanes: segment mask 0x18 in bits 8..12.
    {"shfl_idx_segments", "shfl.sync.idx.b32 %r0, %r2, 2, 6175, -1;",
     [](uint32_t l) { return 100 + (l & ~7u) + 2; }},
    {"shfl_predicate", "shfl.sync.down.b32 %r3|%q0, %r2, 30, 31, -1; selp.u32 %r0, 1, 0, %q0;",
     [](uint32_t l) { return l < 2 ? 1u : 0u; }},
    {"ballot", "setp.gt.u32 %q0, %r1, 27; vote.sync.ballot.b32 %r0, %q0, -1;",
     [](uint32_t) { return 0xf0000000u; }},
    {"vote_any_all_uni",
     "setp.eq.u32 %q0, %r1, 4; vote.sync.any.pred %q1, %q0, -1; vote.sync.all.pred %q2, %q0, -1; "
     "vote.sync.uni.pred %q3, %q0, -1;"
     "vote.sync.all.pred %q4, !%q5, -1; selp.u32 %r0, 1, 0, %q1; @%q2 add.u32 %r0, %r0, 2; @%q3 "
     "add.u32 %r0, %r0, 4;",
     [](uint32_t) { return 1u; }},
    {"activemask_in_a_branch", "setp.lt.u32 %q0, %r1, 6; @!%q0 bra E; activemask.b32 %r0; E:",
     [](uint32_t l) { return l < 6 ? 0x3fu : 0u; }},
    {"match_any", "and.b32 %r3, %r1, 3; match.any.sync.b32 %r0, %r3, -1;",
     [](uint32_t l) { return 0x11111111u << (l & 3); }},
    {"match_all", "mov.u32 %r3, 7; match.all.sync.b32 %r0|%q0, %r3, -1; @!%q0 mov.u32 %r0, 1;",
     [](uint32_t) { return 0xffffffffu; }},
    {"redux_add", "redux.sync.add.u32 %r0, %r1, -1;", [](uint32_t) { return 496u; }},
    {"redux_min_signed", "sub.s32 %r3, 5, %r1; redux.sync.min.s32 %r0, %r3, -1;",
     [](uint32_t) { return static_cast<uint32_t>(-26); }},
    {"elect", "elect.sync _|%q0, -1; selp.u32 %r0, 1, 0, %q0;",
     [](uint32_t l) { return l == 0 ? 1u : 0u; }},
    {"lanemasks", "mov.u32 %r3, %lanemask_lt; mov.u32 %r4, %lanemask_ge; xor.b32 %r0, %r3, %r4;",
     [](uint32_t) { return 0xffffffffu; }},
};
INSTANTIATE_TEST_SUITE_P(Forms, CollectiveTest, ::testing::ValuesIn(kCollectivesCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(CollectiveTest, ALaneOutsideTheMaskIsFound) {
  const KernelRun run = run_warp("bar.warp.sync 65535; ret;");
  const Finding* f = run.find(FindingKind::kSyncwarpMask);
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->who.thread.x, 16u);
  EXPECT_EQ(f->count, 16u);
}

TEST(PrintTest, ConversionsAsOnTheDevice) {
  // Lanes 0 and 1 run printf("%d %5.2f %s|%x %c %lld %%\n", lane, 1.5, "ab", 255, 'z', -1).
  const std::string before =
      ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);"
      ".global .align 1 .b8 fmt[27] = "
      "{37,100,32,37,53,46,50,102,32,37,115,124,37,120,32,37,99,32,37,108,108,100,32,37,37,10,0};"
      ".global .align 1 .b8 text[3] = {97, 98, 0};";
  const std::string body =
      "mov.u32 %r1, %laneid; setp.gt.u32 %q0, %r1, 1; @%q0 bra END; mov.u64 %l1, d; st.local.u32 "
      "[%l1], %r1;"
      "mov.u64 %l2, 4609434218613702656; st.local.u64 [%l1+8], %l2; mov.u64 %l3, text; "
      "st.local.u64 [%l1+16], %l3;"
      "st.local.u32 [%l1+24], 255; st.local.u32 [%l1+28], 122; mov.u64 %l4, -1; st.local.u64 "
      "[%l1+32], %l4;"
      "cvta.local.u64 %l5, %l1; mov.u64 %l6, fmt; { .param .b64 x; .param .b64 y; .param .b32 z; "
      "st.param.b64 [x], %l6;"
      "st.param.b64 [y], %l5; call.uni (z), vprintf, (x, y); ld.param.b32 %r2, [z]; } END: ret;";
  const KernelRun run = run_ptx(kernel_text(body, 1, before, ".local .align 8 .b8 d[40];"),
                                {1, 1, 1}, {32, 1, 1}, {Words(1)});
  ASSERT_EQ(errors_of(run), "");
  EXPECT_TRUE(run.result.findings.empty());
  EXPECT_EQ(run.result.printed, "0  1.50 ab|ff z -1 %\n1  1.50 ab|ff z -1 %\n");
}

}  // namespace
}  // namespace warpshop::emulator::testing
