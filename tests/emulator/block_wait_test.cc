// Blocks that wait for each other in loops: flags, locks, grid barriers, loops that count or sleep.
#include <string>

#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

// Buffer 0: [0] flag or lock, [1] protected value, [2] arrivals. %r1: block, %r2: thread.
const std::string kBlockStart =
    ".loc 1 5 0\n mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; setp.eq.u32 %q7, %r2, 0; mov.u32 "
    "%r20, 0;";

struct BlockWaitCase {
  const char* name;
  std::string body;
  uint32_t blocks;
  uint32_t threads;
  uint32_t protected_value;
};

// Code that waits until the word at [%p0+OFFSET] is VALUE, with the kind of loop named by `way`.
std::string wait(const std::string& way, int offset, const std::string& value) {
  const std::string at = "[%p0+" + std::to_string(offset) + "]";
  const std::string again =
      "setp.ne.u32 %q0, %r3, " + value + "; @%q0 bra W" + std::to_string(offset) + ";";
  const std::string label = "W" + std::to_string(offset) + ": ";
  if (way == "volatile") return label + "ld.volatile.global.u32 %r3, " + at + ";" + again;
  if (way == "acquire") return label + "ld.acquire.gpu.global.u32 %r3, " + at + ";" + again;
  if (way == "atomic") return label + "atom.global.add.u32 %r3, " + at + ", 0;" + again;
  if (way == "fence") return label + "membar.gl; ld.global.u32 %r3, " + at + ";" + again;
  if (way == "counting")
    return label + "add.u32 %r20, %r20, 1; ld.volatile.global.u32 %r3, " + at + ";" + again;
  // Double the sleep time after each try.
  return "mov.u32 %r21, 8; " + label +
         "nanosleep.u32 %r21; shl.b32 %r22, %r21, 1; min.u32 %r21, %r22, 256; "
         "ld.volatile.global.u32 %r3, " +
         at + ";" + again;
}

// The last block runs while the others wait, and its threads share words, but no bytes.
TEST(BlockWait, HalvesOfAWordDoNotRaceBesideAWaitingBlock) {
  const std::string own_half =
      "mad.lo.u32 %r6, %r1, 64, %r2; mul.wide.u32 %l2, %r6, 2; add.s64 %l2, %p1, %l2; cvt.u16.u32 "
      "%h0, %r6; st.global.u16 [%l2], %h0; ret;";
  const KernelRun run = run_ptx(
      kernel_text(kBlockStart + "setp.eq.u32 %q1, %r1, 3; @%q1 bra SET;" + wait("atomic", 0, "1") +
                      "bra DONE; SET: @%q7 atom.global.exch.b32 %r4, [%p0], 1; DONE:" + own_half,
                  2),
      {4, 1, 1}, {64, 1, 1}, {Words(1), Words(128)});
  ASSERT_EQ(errors_of(run), "");
  for (const Finding& f : run.result.findings) ADD_FAILURE() << f.message;
  ASSERT_TRUE(run.result.completed);
  for (uint32_t n = 0; n < 128; ++n) EXPECT_EQ(run.buffers[1][n], 2 * n | (2 * n + 1) << 16);
}

TEST(BlockWait, AFlagOfALaterBlockEndsTheWait) {
  for (const char* way : {"volatile", "acquire", "atomic", "fence", "counting", "sleeping"}) {
    for (const int threads : {1, 2}) {
      for (const uint64_t seed : {0, 3}) {
        LaunchOptions options;
        options.threads = threads;
        options.order_seed = seed;
        // Every block except the last waits for its successor, so the blocks end in reverse order.
        const KernelRun run =
            run_ptx(kernel_text(kBlockStart +
                                    "mov.u32 %r5, %nctaid.x; sub.u32 %r5, %r5, 1; mul.wide.u32 "
                                    "%l1, %r1, 4; add.s64 %p0, %p0, %l1;"
                                    "setp.eq.u32 %q1, %r1, %r5; @%q1 bra SET;" +
                                    wait(way, 4, "1") +
                                    "SET: membar.gl; @%q7 st.volatile.global.u32 [%p0], 1; ret;",
                                1),
                    {16, 1, 1}, {64, 1, 1}, {Words(17)}, options);
        ASSERT_EQ(errors_of(run), "") << way;
        for (const Finding& f : run.result.findings) ADD_FAILURE() << way << ": " << f.message;
        ASSERT_TRUE(run.result.completed) << way;
        for (uint32_t b = 0; b < 16; ++b) EXPECT_EQ(run.buffers[0][b], 1u);
      }
    }
  }
}

TEST(BlockWait, ABarrierOfTheGridWorks) {
  // Each of 64 blocks of 3 warps adds one; thread 0 waits for
  // all of them, then the block continues.
  const std::string body =
      kBlockStart + "bar.sync 0; @!%q7 bra J; membar.gl; atom.global.add.u32 %r4, [%p0+8], 1;" +
      wait("volatile", 8, "64") +
      "membar.gl; J: bar.sync 0; ld.volatile.global.u32 %r6, [%p0+8]; mul.wide.u32 %l1, %r1, 4; "
      "add.s64 %l2, %p1, %l1;"
      "@%q7 st.global.u32 [%l2], %r6; ret;";
  for (const int threads : {1, 2}) {
    LaunchOptions options;
    options.threads = threads;
    const KernelRun run =
        run_ptx(kernel_text(body, 2), {64, 1, 1}, {96, 1, 1}, {Words(4), Words(64)}, options);
    ASSERT_EQ(errors_of(run), "");
    for (const Finding& f : run.result.findings) ADD_FAILURE() << f.message;
    EXPECT_EQ(run.buffers.at(1), Words(64, 64));
  }
}

// The 70 lanes of each of 5 blocks take one lock, pausing longer after each try.
TEST(BlockWait, ALockWithBackOffEnds) {
  const std::string body = kBlockStart +
                           "mov.u32 %r21, 8; T: atom.global.cas.b32 %r3, [%p0], 0, 1; setp.eq.u32 "
                           "%q0, %r3, 0; @%q0 bra IN; nanosleep.u32 %r21;"
                           "shl.b32 %r22, %r21, 1; min.u32 %r21, %r22, 256; bra T;"
                           "IN: membar.gl; ld.volatile.global.u32 %r4, [%p0+4]; add.u32 %r4, %r4, "
                           "1; st.volatile.global.u32 [%p0+4], %r4; membar.gl;"
                           "atom.global.exch.b32 %r5, [%p0], 0; ret;";
  const KernelRun run = run_ptx(kernel_text(body, 1), {5, 1, 1}, {70, 1, 1}, {Words(2)});
  ASSERT_EQ(errors_of(run), "");
  for (const Finding& f : run.result.findings) ADD_FAILURE() << f.message;
  ASSERT_TRUE(run.result.completed);
  EXPECT_EQ(run.buffers[0][1], 350u);
}

TEST(BlockWait, WaitingForWhatNobodyDoesIsADeadlockWithBothPlaces) {
  // Block 0 waits for block 1, and block 1 for block 0, before either sets its flag.
  const KernelRun run =
      run_ptx(kernel_text(kBlockStart + "setp.eq.u32 %q1, %r1, 0; @%q1 bra FIRST;\n.loc 1 20 0\n" +
                              wait("counting", 0, "1") +
                              "st.volatile.global.u32 [%p0+4], 1; ret; FIRST:\n.loc 1 30 0\n" +
                              wait("counting", 4, "1") + "st.volatile.global.u32 [%p0], 1; ret;",
                          1) +
                  ".file 1 \"k.cu\"\n",
              {2, 1, 1}, {1, 1, 1}, {Words(2)});
  ASSERT_EQ(errors_of(run), "");
  EXPECT_FALSE(run.result.completed);
  const Finding* f = run.find(FindingKind::kDeadlock);
  ASSERT_NE(f, nullptr);
  ASSERT_TRUE(f->other_place.has_value());
  EXPECT_EQ(f->place.line + f->other_place->line, 50);
  EXPECT_NE(f->who.block, f->other_who->block);
}

TEST(BlockWait, ABlockThatHasNoPlaceYetCannotBeWaitedFor) {
  LaunchOptions options;
  options.limits.resident_blocks = 2;
  options.threads = 1;
  const std::string body = kBlockStart + "setp.eq.u32 %q1, %r1, 2; @%q1 bra SET;\n.loc 1 20 0\n" +
                           wait("volatile", 0, "1") +
                           "ret; SET: st.volatile.global.u32 [%p0], 1; ret;";
  const KernelRun few = run_ptx(kernel_text(body, 1), {3, 1, 1}, {32, 1, 1}, {Words(1)}, options);
  ASSERT_EQ(errors_of(few), "");
  const Finding* f = few.find(FindingKind::kDeadlock);
  ASSERT_NE(f, nullptr);
  EXPECT_NE(f->message.english().find("1 blocks have not begun"), std::string::npos) << f->message;
  EXPECT_EQ(f->place.line, 20);
  options.limits.resident_blocks = 3;
  EXPECT_TRUE(
      run_ptx(kernel_text(body, 1), {3, 1, 1}, {32, 1, 1}, {Words(1)}, options).result.completed);
}

TEST(BlockWait, ALoopThatGivesUpIsNoDeadlock) {
  const std::string body =
      kBlockStart +
      "L: add.u32 %r20, %r20, 1; ld.volatile.global.u32 %r3, [%p0]; setp.eq.u32 %q0, %r3, 1; @%q0 "
      "bra OUT;"
      "setp.lt.u32 %q1, %r20, 1000000; @%q1 bra L; OUT: st.volatile.global.u32 [%p0+4], %r20; ret;";
  const KernelRun run = run_ptx(kernel_text(body, 1), {1, 1, 1}, {1, 1, 1}, {Words(2)});
  ASSERT_EQ(errors_of(run), "");
  EXPECT_TRUE(run.result.completed);
  EXPECT_EQ(run.buffers[0][1], 1000000u);
}

// A long list of places that all are taken: nothing changes, but the loop ends. 4 million would be
// a deadlock of a loop that tests one place.
TEST(BlockWait, ALoopThatWalksThroughMemoryIsNoDeadlock) {
  const std::string body =
      kBlockStart +
      "mov.u64 %l1, %p0; L: ld.global.u32 %r4, [%l1]; mul.wide.u32 %l2, %r4, 4; add.s64 %l3, %p1, "
      "%l2; atom.global.cas.b32 %r3, [%l3], 7, 1; setp.eq.u32 %q0, %r3, 7; @%q0 bra FOUND;"
      "add.u32 %r20, %r20, 1; and.b32 %r5, %r20, 1023; mul.wide.u32 %l2, %r5, 4; add.s64 %l1, %p0, "
      "%l2; setp.lt.u32 %q1, %r20, 3000000; @%q1 bra L; st.global.u32 [%p1+32], %r20; ret;"
      "FOUND: st.global.u32 [%p1+36], 1; ret;";
  const KernelRun run =
      run_ptx(kernel_text(body, 2), {1, 1, 1}, {1, 1, 1}, {Words(1024), Words(16)});
  ASSERT_EQ(errors_of(run), "");
  EXPECT_TRUE(run.result.completed);
  EXPECT_EQ(run.buffers[1][8], 3000000u);
}

// The waiting lanes of a warp count their tries, so their registers keep changing.
TEST(BlockWait, LanesThatCountTheirTriesLetTheOthersRun) {
  const std::string body = kBlockStart + "@%q7 bra SET; " + wait("counting", 0, "1") +
                           "bra J; SET: st.volatile.global.u32 [%p0], 1; J: " +
                           "st.volatile.global.u32 [%p0+4], 5; ret;";
  const KernelRun run = run_ptx(kernel_text(body, 1), {1, 1, 1}, {32, 1, 1}, {Words(2)});
  ASSERT_EQ(errors_of(run), "");
  EXPECT_TRUE(run.result.completed);
  EXPECT_EQ(run.buffers[0][1], 5u);
}

}  // namespace
}  // namespace warpshop::emulator::testing
