// mbarrier objects, phase by phase. PTX ISA "mbarrier".
#include <gtest/gtest.h>

#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

// One thread creates the object and tests it; %r0 collects the
// answers as decimal digits, 1 for complete.
std::string ask(const std::string& test) {
  return test + " selp.u32 %r1, 1, 0, %q0; mad.lo.u32 %r0, %r0, 10, %r1;";
}

TEST(Mbarrier, PhasesAsTheManualSays) {
  const std::string even = ask("mbarrier.test_wait.parity.shared.b64 %q0, [m], 0;");
  const std::string odd = ask("mbarrier.try_wait.parity.shared::cta.b64 %q0, [m], 1;");
  const std::string state0 = ask("mbarrier.test_wait.shared.b64 %q0, [m], %l0;");
  const std::string arrive = "mbarrier.arrive.shared.b64 _, [m];";
  const std::pair<const char*, std::pair<std::string, uint32_t>> kMbarrierCases[] = {
      {"a new object: the even phase runs, the odd one before it is over",
       {"mbarrier.init.shared.b64 [m], 2;" + even + odd, 1}},
      {"the second of two arrivals ends the phase",
       {"mbarrier.init.shared.b64 [m], 2;" + arrive + even + arrive + even + odd, 10}},
      {"two phases",
       {"mbarrier.init.shared.b64 [m], 1;" + arrive + even + odd + arrive + even + odd, 1001}},
      {"the state of an arrival tells its own phase",
       {"mbarrier.init.shared.b64 [m], 2; mbarrier.arrive.shared.b64 %l0, [m];" + state0 + arrive +
            state0,
        1}},
      {"arrivals with a count",
       {"mbarrier.init.shared.b64 [m], 5; mbarrier.arrive.release.cta.shared::cta.b64 %l0, [m], "
        "4;" +
            state0 + arrive + state0,
        1}},
      {"noComplete is an arrival",
       {"mbarrier.init.shared.b64 [m], 3; mbarrier.arrive.noComplete.shared.b64 %l0, [m], 2;" +
            state0 + arrive + state0,
        1}},
      {"one that drops out is not waited for again",
       {"mbarrier.init.shared.b64 [m], 2; mbarrier.arrive_drop.shared.b64 %l0, [m];" + arrive +
            even + arrive + odd,
        11}},
      {"pending arrivals before the arrival",
       {"mbarrier.init.shared.b64 [m], 9; mbarrier.arrive.shared.b64 %l0, [m], 3; "
        "mbarrier.arrive.shared.b64 %l1, [m];"
        "mbarrier.pending_count.b64 %r1, %l0; mbarrier.pending_count.b64 %r2, %l1; mad.lo.u32 %r0, "
        "%r1, 10, %r2;",
        96}},
      {"a phase waits for the bytes it was told of",
       {"mbarrier.init.shared.b64 [m], 1; mbarrier.arrive.expect_tx.shared.b64 %l0, [m], 64;" +
            even + "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [m], 60;" + even +
            "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [m], 4;" + even,
        1}},
      {"bytes before the arrival",
       {"mbarrier.init.shared.b64 [m], 1; mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [m], 8;" +
            arrive + even + "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [m], 8;" + even,
        1}},
      {"bytes may be counted before they are announced",
       {"mbarrier.init.shared.b64 [m], 1; mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [m], 8;"
        "mbarrier.arrive.expect_tx.shared.b64 _, [m], 8;" +
            even,
        1}},
      {"generic addresses",
       {"mov.u64 %l2, m; cvta.shared.u64 %l2, %l2; mbarrier.init.b64 [%l2], 1; mbarrier.arrive.b64 "
        "%l0, [%l2];"
        "mbarrier.test_wait.b64 %q0, [%l2], %l0; selp.u32 %r0, 7, 0, %q0; mbarrier.inval.b64 "
        "[%l2];",
        7}},
  };
  for (const auto& [name, c] : kMbarrierCases) {
    SCOPED_TRACE(name);
    const KernelRun run =
        run_ptx(kernel_text("mov.u32 %r0, 0;" + c.first + kStoreR0, 1, ".shared .align 8 .b64 m;"),
                {1, 1, 1}, {1, 1, 1}, {Words(1)});
    ASSERT_EQ(errors_of(run), "");
    EXPECT_TRUE(run.result.findings.empty()) << run.result.findings[0].message;
    EXPECT_EQ(run.buffers[0][0], c.second);
  }
}

// Warp 1 produces a value and arrives; warp 0 polls until then and reads it. The object orders
// them, so there is no race.
TEST(Mbarrier, ConsumerWaitsForProducer) {
  const std::string body =
      "mov.u32 %r1, %tid.x; setp.eq.u32 %q0, %r1, 0; @%q0 mbarrier.init.shared.b64 [m], 32; "
      "bar.sync 0;"
      "and.b32 %r2, %r1, 31; shl.b32 %r3, %r2, 2; mov.u32 %r4, s; add.u32 %r4, %r4, %r3;"
      "setp.lt.u32 %q1, %r1, 32; @%q1 bra $wait;"
      "add.u32 %r0, %r1, 1000; st.shared.u32 [%r4], %r0; mbarrier.arrive.shared.b64 _, [m]; bra "
      "$end;"
      "$wait: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %q2, [m], 0, 1000; @!%q2 bra "
      "$wait;"
      "ld.shared.u32 %r0, [%r4]; $end: " +
      kStoreR0;
  const KernelRun run =
      run_ptx(kernel_text(body, 1, ".shared .align 8 .b64 m; .shared .b32 s[32];"), {2, 1, 1},
              {64, 1, 1}, {Words(64)});
  ASSERT_EQ(errors_of(run), "");
  EXPECT_TRUE(run.result.findings.empty()) << run.result.findings[0].message;
  for (uint32_t t = 0; t < 64; ++t) EXPECT_EQ(run.buffers[0][t], 1032 + t % 32);
}

TEST(Mbarrier, AnObjectThatNobodyMadeIsFound) {
  const KernelRun run =
      run_ptx(kernel_text("mbarrier.arrive.shared.b64 _, [m]; ret;", 1, ".shared .align 8 .b64 m;"),
              {1, 1, 1}, {1, 1, 1}, {Words(1)});
  ASSERT_EQ(errors_of(run), "");
  EXPECT_NE(run.find(FindingKind::kUninitialised), nullptr);
}

// A waiting warp polls now and then, not thousands of times, so the counters reflect the work.
TEST(Mbarrier, WaitingIsCheap) {
  // Warp 0 runs a loop of 4 instructions 1,000 times, then arrives; the other three warps wait.
  const std::string start =
      "mov.u32 %r1, %tid.x; setp.ne.u32 %q0, %r1, 0; @%q0 bra READY; mbarrier.init.shared.b64 [m], "
      "32; READY: bar.sync 0;"
      "setp.ge.u32 %q1, %r1, 32; @%q1 bra WAIT; mov.u32 %r2, 0; WORK: add.u32 %r2, %r2, 1; "
      "setp.lt.u32 %q2, %r2, 1000;"
      "@%q2 bra WORK; mbarrier.arrive.shared.b64 %l0, [m]; ";
  const KernelRun run = run_ptx(
      kernel_text(
          start + "WAIT: mbarrier.try_wait.parity.shared.b64 %q3, [m], 0; @!%q3 bra WAIT; ret;", 0,
          "", ".shared .align 8 .b64 m;"),
      {1, 1, 1}, {128, 1, 1}, {});
  EXPECT_EQ(errors_of(run), "");
  EXPECT_TRUE(run.result.completed);
  EXPECT_TRUE(run.result.findings.empty());
  EXPECT_LT(run.result.warp_instructions, 3000u + 200u);
}

// Only the block's own threads could end its wait, so it is reported long before the budget is
// spent, whatever other blocks do.
TEST(Mbarrier, AWaitThatOnlyTheBlockItselfCouldEndIsADeadlock) {
  const std::string body =
      "mov.u32 %r1, %tid.x; setp.eq.u32 %q0, %r1, 0; @%q0 mbarrier.init.shared.b64 [m], 65; "
      "bar.sync 0; mbarrier.arrive.shared.b64 _, [m]; WAIT: mbarrier.try_wait.parity.shared.b64 "
      "%q1, [m], 0; @!%q1 bra WAIT; ret;";
  for (const uint32_t blocks : {1u, 200u}) {
    LaunchOptions options;
    options.instruction_budget = 2'000'000'000;
    const KernelRun run = run_ptx(kernel_text(body, 0, "", ".shared .align 8 .b64 m;"),
                                  {blocks, 1, 1}, {64, 1, 1}, {}, options);
    ASSERT_EQ(errors_of(run), "");
    const Finding* f = run.find(FindingKind::kDeadlock);
    ASSERT_NE(f, nullptr) << blocks;
    EXPECT_NE(f->message.english().find("waits forever at an mbarrier object: its phase lacks 1 "
                                        "arrivals"),
              std::string::npos)
        << f->message.english();
  }
}

}  // namespace
}  // namespace warpshop::emulator::testing
