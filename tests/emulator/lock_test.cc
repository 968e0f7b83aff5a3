// Locks and flags in shared memory. With fences they order a block's threads, without fences they
// do so on every GPU but in no manual, and used wrongly they order nothing. PTX ISA §8.8 "Release
// and acquire patterns".
#include <optional>
#include <string>

#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

// Words of s: 0 a lock or flag, 1 the data, 2 another lock; from 32 on: one per thread.
// %r1: the thread, %r2: s, %r3: the lane, %r4: the warp, %r10: the address of the thread's word.
// %q0: is not lane 0, %q2: is in warp 0.
// Each block has 128 words of the buffer: which thread stores something else depends on the order.
const std::string kStart =
    "mov.u32 %r30, %ctaid.x; mul.wide.u32 %l15, %r30, 512; add.s64 %p0, %p0, %l15;"
    "mov.u32 %r1, %tid.x; mov.u32 %r2, s; and.b32 %r3, %r1, 31; shr.u32 %r4, %r1, 5; mov.u32 %r0, "
    "0; shl.b32 %r10, %r1, 2; add.u32 %r10, %r2, %r10; setp.ne.u32 %q0, %r3, 0; setp.eq.u32 %q2, "
    "%r4, 0; st.shared.u32 [%r10+128], 0; setp.eq.u32 %q1, %r1, 0; @%q1 st.shared.u32 [%r2], 0; "
    "@%q1 st.shared.u32 [%r2+4], 0; @%q1 st.shared.u32 [%r2+8], 0; bar.sync 0;";
const std::string kFence = "membar.cta;";
const std::string kTake =
    "T: atom.shared.cas.b32 %r5, [%r2], 0, 1; setp.ne.u32 %q1, %r5, 0; @%q1 bra T;";
const std::string kTakeByExchange =
    "T: atom.shared.exch.b32 %r5, [%r2], 1; setp.ne.u32 %q1, %r5, 0; @%q1 bra T;";
const std::string kChange =
    "ld.shared.u32 %r6, [%r2+4]; mad.lo.u32 %r6, %r6, 3, 1; st.shared.u32 [%r2+4], %r6;";
const std::string kGive = "atom.shared.exch.b32 %r7, [%r2], 0;";
const std::string kGiveByStore = "st.volatile.shared.u32 [%r2], 0;";
const std::string kOneLane = "@%q0 bra END;";
const std::string kEnd = "END: bar.sync 0;";
// The address of warp 0's word of this lane in %r12.
const std::string kProducersWord = "shl.b32 %r12, %r3, 2; add.u32 %r12, %r2, %r12;";
const std::string kProduce = "mul.lo.u32 %r6, %r1, 5; st.shared.u32 [%r10+128], %r6;";

struct LockCase {
  const char* name;
  std::string body;
  std::optional<Severity> race;  // none: no finding at all
};

class LockTest : public ::testing::TestWithParam<LockCase> {};

TEST_P(LockTest, OrdersWhatItGuards) {
  const LockCase& c = GetParam();
  for (const uint64_t seed : {0, 1, 2, 5}) {
    LaunchOptions options;
    options.order_seed = seed;
    const KernelRun run =
        run_ptx(kernel_text(kStart + c.body + kStoreR0, 1, "", ".shared .align 4 .b8 s[1024];"),
                {2, 1, 1}, {128, 1, 1}, {Words(256, 99)}, options);
    ASSERT_EQ(errors_of(run), "");
    EXPECT_TRUE(run.result.completed);
    std::optional<Severity> worst;
    for (const Finding& f : run.result.findings) {
      EXPECT_EQ(f.kind, FindingKind::kRace) << f.message;
      EXPECT_TRUE(c.race.has_value()) << f.message;
      worst = worst ? std::min(*worst, f.severity) : f.severity;
      if (f.severity == Severity::kNote) {
        EXPECT_NE(f.message.english().find("without fences"), std::string::npos) << f.message;
      }
    }
    EXPECT_EQ(worst, c.race) << "seed " << seed;
  }
}

const LockCase kLockCases[] = {
    {"fences_and_an_exchange", kOneLane + kTake + kFence + kChange + kFence + kGive + kEnd,
     std::nullopt},
    {"fences_and_a_volatile_store",
     kOneLane + kTake + kFence + kChange + kFence + kGiveByStore + kEnd, std::nullopt},
    {"taken_by_an_exchange", kOneLane + kTakeByExchange + kFence + kChange + kFence + kGive + kEnd,
     std::nullopt},
    {"fences_of_the_device",
     kOneLane + kTake + "fence.sc.gpu;" + kChange + "fence.acq_rel.gpu;" + kGive + kEnd,
     std::nullopt},
    {"every_lane_takes_it_in_turn",
     "T: atom.shared.cas.b32 %r5, [%r2], 0, 1; setp.ne.u32 %q1, %r5, 0; @%q1 bra T;" + kFence +
         kChange + kFence + kGive + kEnd,
     std::nullopt},
    {"lane_0_takes_it_for_its_warp",
     "@%q0 bra IN;" + kTake + kFence + "IN: bar.warp.sync -1;" + kProducersWord +
         "ld.shared.u32 %r6, [%r12+128]; add.u32 %r6, %r6, %r1; st.shared.u32 [%r12+128], %r6; "
         "bar.warp.sync -1;" +
         kOneLane + kFence + kGive + kEnd,
     std::nullopt},
    {"tickets",
     kOneLane +
         "atom.shared.add.u32 %r5, [%r2+8], 1; T: ld.volatile.shared.u32 %r7, [%r2]; setp.ne.u32 "
         "%q1, %r7, %r5; @%q1 bra T;" +
         kFence + kChange + kFence + "add.u32 %r5, %r5, 1; st.volatile.shared.u32 [%r2], %r5;" +
         kEnd,
     std::nullopt},
    {"a_flag_that_is_polled",
     "@%q2 bra SET; T: ld.volatile.shared.u32 %r5, [%r2]; setp.eq.u32 %q1, %r5, 0; @%q1 bra T;" +
         kFence + kProducersWord + "ld.shared.u32 %r0, [%r12+128]; bra END; SET:" + kProduce +
         "bar.warp.sync -1; @%q0 bra END;" + kFence + "st.volatile.shared.u32 [%r2], 1;" + kEnd,
     std::nullopt},
    {"a_count_of_arrivals",
     "@%q2 bra SET; T: atom.shared.add.u32 %r5, [%r2], 0; setp.ne.u32 %q1, %r5, 32; @%q1 bra T;" +
         kFence + kProducersWord + "ld.shared.u32 %r0, [%r12+128]; bra END; SET:" + kProduce +
         kFence + "red.shared.add.u32 [%r2], 1;" + kEnd,
     std::nullopt},
    {"the_last_to_arrive_reads_all",
     kProduce + kFence +
         "atom.shared.add.u32 %r5, [%r2], 1; setp.ne.u32 %q1, %r5, 127; @%q1 bra END;" + kFence +
         "xor.b32 %r6, %r1, 77; shl.b32 %r6, %r6, 2; add.u32 %r6, %r6, %r2; ld.shared.u32 %r0, "
         "[%r6+128];" +
         kEnd,
     std::nullopt},
    {"a_compare_and_swap_publishes",
     "@%q2 bra SET; T: ld.volatile.shared.u32 %r5, [%r2]; setp.eq.u32 %q1, %r5, 0; @%q1 bra T;" +
         kFence + "ld.shared.u32 %r0, [%r2+128]; bra END; SET: @%q0 bra END;" + kProduce + kFence +
         "atom.shared.cas.b32 %r5, [%r2], 0, 1;" + kEnd,
     std::nullopt},
    {"a_wide_lock_and_a_generic_address",
     kOneLane +
         "cvt.u64.u32 %l0, %r2; cvta.shared.u64 %l0, %l0; T: atom.cas.b32 %r5, [%l0], 0, 1; "
         "setp.ne.u32 %q1, %r5, 0; @%q1 bra T;" +
         kFence + kChange + kFence + "atom.exch.b32 %r7, [%l0], 0;" + kEnd,
     std::nullopt},
    {"acquire_and_release_of_the_device",
     kOneLane +
         "cvt.u64.u32 %l0, %r2; cvta.shared.u64 %l0, %l0; T: atom.acquire.gpu.cas.b32 %r5, [%l0], "
         "0, 1; setp.ne.u32 %q1, %r5, 0; @%q1 bra T;" +
         kChange + "st.release.gpu.u32 [%l0], 0;" + kEnd,
     std::nullopt},

    {"no_fences", kOneLane + kTake + kChange + kGive + kEnd, Severity::kNote},
    {"no_fences_in_any_lane", kTake + kChange + kGive + kEnd, Severity::kNote},
    {"only_a_fence_before_the_release", kOneLane + kTake + kChange + kFence + kGive + kEnd,
     Severity::kNote},
    {"only_a_fence_after_it_is_taken", kOneLane + kTake + kFence + kChange + kGive + kEnd,
     Severity::kNote},
    {"no_fences_and_a_volatile_store", kOneLane + kTake + kChange + kGiveByStore + kEnd,
     Severity::kNote},
    {"a_flag_without_fences",
     "@%q2 bra SET; T: ld.volatile.shared.u32 %r5, [%r2]; setp.eq.u32 %q1, %r5, 0; @%q1 bra T;" +
         kProducersWord + "ld.shared.u32 %r0, [%r12+128]; bra END; SET:" + kProduce +
         "bar.warp.sync -1; @%q0 bra END; st.volatile.shared.u32 [%r2], 1;" + kEnd,
     Severity::kNote},

    {"another_lock_for_the_same_data",
     kOneLane +
         "and.b32 %r11, %r4, 1; shl.b32 %r11, %r11, 3; add.u32 %r11, %r11, %r2;"
         "T: atom.shared.cas.b32 %r5, [%r11], 0, 1; setp.ne.u32 %q1, %r5, 0; @%q1 bra T;" +
         kFence + kChange + kFence + "atom.shared.exch.b32 %r7, [%r11], 0;" + kEnd,
     Severity::kError},
    {"one_warp_goes_without",
     kOneLane + "setp.eq.u32 %q3, %r4, 2; @%q3 bra IN;" + kTake + "IN:" + kFence + kChange +
         kFence + "@!%q3 st.volatile.shared.u32 [%r2], 0;" + kEnd,
     Severity::kError},
    {"released_before_the_store",
     kOneLane + kTake + kFence + "ld.shared.u32 %r6, [%r2+4]; add.u32 %r6, %r6, 1;" + kFence +
         kGive + "st.shared.u32 [%r2+4], %r6;" + kEnd,
     Severity::kError},
    {"lanes_that_do_not_wait_for_lane_0",
     "@%q0 bra IN;" + kTake + kFence + "IN:" + kProducersWord +
         "ld.shared.u32 %r6, [%r12+128]; add.u32 %r6, %r6, %r1; st.shared.u32 [%r12+128], %r6;" +
         kOneLane + kFence + kGive + kEnd,
     Severity::kError},
    {"read_before_the_others_are_done",
     "@%q0 bra READ;" + kTake + kFence + kChange + kFence + kGive + "READ: ld.shared.u32 %r0, " +
         "[%r2+4];",
     Severity::kError},
    {"tried_once_and_taken_for_granted",
     kOneLane + "atom.shared.cas.b32 %r0, [%r2], 0, 1;" + kFence + kChange + kFence + kEnd,
     Severity::kError},
    {"a_counter_is_no_lock",
     "st.shared.u32 [%r10+128], %r1; atom.shared.add.u32 %r5, [%r2], 1; xor.b32 %r6, %r1, 32; "
     "shl.b32 %r6, %r6, 2; add.u32 %r6, %r6, %r2; ld.shared.u32 %r0, [%r6+128];",
     Severity::kError},
    {"what_follows_the_flag",
     "@%q2 bra SET; T: ld.volatile.shared.u32 %r5, [%r2]; setp.eq.u32 %q1, %r5, 0; @%q1 bra T;" +
         kFence + kProducersWord + "ld.shared.u32 %r0, [%r12+128]; bra END; SET: @%q0 bra AFTER;" +
         kFence + "st.volatile.shared.u32 [%r2], 1; AFTER:" + kProduce + kEnd,
     Severity::kError},
    {"a_volatile_array_is_no_flag",
     "st.volatile.shared.u32 [%r10+128], %r1; xor.b32 %r6, %r1, 32; shl.b32 %r6, %r6, 2; add.u32 "
     "%r6, %r6, %r2; ld.volatile.shared.u32 %r0, [%r6+128];",
     Severity::kError},
};
INSTANTIATE_TEST_SUITE_P(Kernels, LockTest, ::testing::ValuesIn(kLockCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace warpshop::emulator::testing
