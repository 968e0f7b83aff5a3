// Atomics of several blocks give the same bits with any number of emulation threads.
#include "state/turnstile.h"

#include <atomic>
#include <bit>
#include <thread>

#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

constexpr uint32_t kBlocks = 24;
constexpr uint32_t kThreads = kBlocks * 32;

// %r2: the block, %r1: the thread of the grid, %l0: the offset of its word. The first block is
// slow, so others would reach their atomics first if they were allowed to.
const std::string kSlowFirst =
    "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r1, %r2, 32, %r3; mul.wide.u32 %l0, "
    "%r1, 4; mov.u32 %r4, 0;"
    "setp.ne.u32 %q0, %r2, 0; @%q0 bra GO;\nL: add.u32 %r4, %r4, 1; setp.lt.u32 %q1, %r4, 20000; "
    "@%q1 bra L;\nGO: ";

KernelRun run_on(int threads, const std::string& body, uint64_t seed = 0) {
  LaunchOptions options;
  options.threads = threads;
  options.order_seed = seed;
  return run_ptx(kernel_text(kSlowFirst + body + "ret;", 2), {kBlocks, 1, 1}, {32, 1, 1},
                 {Words(4), Words(kThreads)}, options);
}

// Adding this to the values of earlier threads is always inexact.
float addend(uint32_t thread) { return 1.0f / static_cast<float>(thread + 3); }
const std::string kAddend = "add.u32 %r5, %r1, 3; cvt.rn.f32.u32 %f0, %r5; rcp.rn.f32 %f0, %f0;";

TEST(Turnstile, SumsOfFloatsAreAddedUpInTheOrderOfBlocks) {
  float sum = 0;
  for (uint32_t t = 0; t < kThreads; ++t) sum += addend(t);
  for (const int threads : {1, 2, 5}) {
    SCOPED_TRACE(threads);
    const KernelRun run = run_on(threads, kAddend + "red.global.add.f32 [%p0], %f0;");
    ASSERT_EQ(errors_of(run), "");
    EXPECT_EQ(run.buffers[0][0], std::bit_cast<uint32_t>(sum));
  }
}

TEST(Turnstile, AListIsAppendedToInTheOrderOfBlocks) {
  for (const int threads : {1, 2, 5}) {
    SCOPED_TRACE(threads);
    const KernelRun run = run_on(threads,
                                 "atom.global.add.u32 %r5, [%p0], 1; mul.wide.u32 %l1, %r5, 4; "
                                 "add.s64 %l1, %p1, %l1; st.global.u32 [%l1], %r1;");
    ASSERT_EQ(errors_of(run), "");
    for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(run.buffers[1][t], t);
  }
}

TEST(Turnstile, WhatDoesNotCommuteIsInTheOrderOfBlocks) {
  struct Mixed {
    const char* name;
    const char* body;
    uint32_t expected;  // of word 0
  };
  // Thread by thread: v = max(v, 7 t mod 64), then v = v + 1.
  uint32_t mixed = 0;
  for (uint32_t block = 0; block < kBlocks; ++block) {
    for (uint32_t t = 32 * block; t < 32 * block + 32; ++t) mixed = std::max(mixed, 7 * t % 64);
    mixed += 32;
  }
  for (const Mixed& c :
       {Mixed{"the last exchange", "atom.global.exch.b32 %r5, [%p0], %r1;", kThreads - 1},
        Mixed{"a maximum and a sum",
              "mul.lo.u32 %r6, %r1, 7; and.b32 %r6, %r6, 63; red.global.max.u32 [%p0], %r6; "
              "red.global.add.u32 [%p0], 1;",
              mixed}}) {
    for (const int threads : {1, 2, 5}) {
      SCOPED_TRACE(std::string(c.name) + ", " + std::to_string(threads));
      const KernelRun run = run_on(threads, c.body);
      ASSERT_EQ(errors_of(run), "");
      EXPECT_EQ(run.buffers[0][0], c.expected);
    }
  }
}

TEST(Turnstile, ACompareAndSwapLoopAddsInTheOrderOfBlocks) {
  float sum = 0;
  for (uint32_t t = 0; t < kThreads; ++t) sum += addend(t);
  const std::string loop =
      kAddend +
      "mov.b32 %r5, 0;\nC: mov.b32 %r6, %r5; mov.b32 %f1, %r6; add.f32 %f1, %f1, %f0; mov.b32 %r7, "
      "%f1;"
      "atom.global.cas.b32 %r5, [%p0], %r6, %r7; setp.ne.u32 %q2, %r5, %r6; @%q2 bra C;";
  const KernelRun one = run_on(1, loop);
  ASSERT_EQ(errors_of(one), "");
  EXPECT_NEAR(std::bit_cast<float>(one.buffers[0][0]), sum, 1e-3);
  for (const int threads : {2, 5}) {
    EXPECT_EQ(run_on(threads, loop).buffers[0][0], one.buffers[0][0]) << threads;
  }
}

// The loaded value decides the number of iterations, whether an
// atomic is executed, and the findings.
TEST(Turnstile, LoadsBesideAtomicsComeInTurn) {
  for (const char* body : {"ld.global.u32 %r5, [%p0];\nC: mov.u32 %r6, %r5; add.u32 %r7, %r6, %r1; "
                           "atom.global.cas.b32 %r5, [%p0], %r6, %r7;"
                           "setp.ne.u32 %q2, %r5, %r6; @%q2 bra C;",
                           "ld.global.u32 %r5, [%p0]; setp.ge.u32 %q2, %r5, %r1; @%q2 bra E; "
                           "red.global.max.u32 [%p0], %r1;\nE: "}) {
    const KernelRun one = run_on(1, body);
    ASSERT_EQ(errors_of(one), "");
    ASSERT_FALSE(one.result.findings.empty());
    for (const int threads : {2, 5}) {
      SCOPED_TRACE(std::string(body) + std::to_string(threads));
      const KernelRun run = run_on(threads, body);
      EXPECT_EQ(run.buffers, one.buffers);
      EXPECT_EQ(run.result.thread_instructions, one.result.thread_instructions);
      ASSERT_EQ(run.result.findings.size(), one.result.findings.size());
      for (size_t n = 0; n < one.result.findings.size(); ++n) {
        const Finding& expected = one.result.findings[n];
        EXPECT_EQ(run.result.findings[n].message, expected.message);
        EXPECT_EQ(run.result.findings[n].severity, expected.severity);
        EXPECT_EQ(run.result.findings[n].count, expected.count);
        EXPECT_EQ(run.result.findings[n].who.block, expected.who.block);
      }
    }
  }
}

TEST(Turnstile, ASeedShowsAnotherOrder) {
  const std::string append =
      "atom.global.add.u32 %r5, [%p0], 1; mul.wide.u32 %l1, %r5, 4; add.s64 %l1, %p1, %l1; "
      "st.global.u32 [%l1], %r1;";
  const KernelRun one = run_on(1, append, 7);
  EXPECT_NE(one.buffers[1], run_on(1, append).buffers[1]);
  for (const int threads : {2, 5})
    EXPECT_EQ(run_on(threads, append, 7).buffers[1], one.buffers[1]) << threads;
}

// Block 0 waits for something that the last block does after its own atomic: block
// 0 is suspended and holds up no other block.
TEST(Turnstile, ABlockThatWaitsForLaterOnesHoldsNobodyUp) {
  for (const int threads : {1, 2, 5}) {
    SCOPED_TRACE(threads);
    const KernelRun run = run_on(
        threads,
        "setp.ne.u32 %q2, %r3, 0; @%q2 bra E; atom.global.add.u32 %r5, [%p0], 1; @%q0 bra E;\n"
        "W: ld.volatile.global.u32 %r6, [%p0]; setp.lt.u32 %q3, %r6, " +
            std::to_string(kBlocks) + "; @%q3 bra W;\nst.global.u32 [%p1], 5;\nE: ");
    ASSERT_EQ(errors_of(run), "");
    ASSERT_TRUE(run.result.completed);
    EXPECT_EQ(run.buffers[1][0], 5u);
  }
}

TEST(Turnstile, LetsBlocksPassInOrder) {
  constexpr int kWorkers = 4;
  constexpr uint64_t kPositions = 400;
  Turnstile turnstile;
  turnstile.begin(kWorkers);
  std::atomic<uint64_t> next{0};
  std::atomic<bool> halt{false};
  std::vector<uint64_t> passed;
  std::vector<std::thread> threads;
  for (int n = 0; n < kWorkers; ++n) {
    threads.emplace_back([&, n] {
      for (;;) {
        turnstile.expect(n, next.load());
        const uint64_t position = next.fetch_add(1);
        if (position >= kPositions) return turnstile.leave(n);
        turnstile.start(n, position);
        turnstile.wait(n, halt);
        passed.push_back(position);  // no other thread may be here
        turnstile.leave(n);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(passed.size(), kPositions);
  for (uint64_t position = 0; position < kPositions; ++position)
    EXPECT_EQ(passed[position], position);
}

}  // namespace
}  // namespace warpshop::emulator::testing
