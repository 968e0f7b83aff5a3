// Named barriers with a thread count, arrivals that do not wait, and reductions over the arriving
// threads. PTX ISA §9.7.13.1 "bar, barrier".
#include <string>

#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

// %r1: the thread, %r2: its warp; %q0 … %q3: whether it is in warp 0 … 3.
const std::string kWho =
    "mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; setp.eq.u32 %q0, %r2, 0; setp.eq.u32 %q1, %r2, 1; "
    "setp.eq.u32 %q2, %r2, 2;"
    "setp.eq.u32 %q3, %r2, 3; mov.u32 %r0, 0; mov.u32 %r20, 5;";
const std::string kSharedArray = ".shared .align 4 .b8 s[1024];";

KernelRun run_block(const std::string& body, uint32_t threads, const LaunchOptions& options = {}) {
  return run_ptx(kernel_text(kWho + body + kStoreR0, 1, "", kSharedArray), {1, 1, 1},
                 {threads, 1, 1}, {Words(threads, 99)}, options);
}

void expect_clean(const KernelRun& run) {
  EXPECT_EQ(errors_of(run), "");
  for (const Finding& f : run.result.findings)
    ADD_FAILURE() << name_of(f.kind) << ": " << f.message;
}

// A producer (warp 0) fills s and arrives; the consumer (warp 1) waits
// for both. Covers every spelling of PTX 8.
TEST(NamedBarrier, AProducerArrivesAndAConsumerWaits) {
  struct Spelling {
    const char* arrive;
    const char* sync;
  };
  const Spelling spellings[] = {
      {"bar.arrive 1, 64;", "bar.sync 1, 64;"},
      {"bar.cta.arrive 1, 64;", "bar.cta.sync 1, 64;"},
      {"barrier.arrive 1, 64;", "barrier.sync 1, 64;"},
      {"barrier.arrive.aligned 1, 64;", "barrier.sync.aligned 1, 64;"},
      {"barrier.cta.arrive 1, 64;", "barrier.cta.sync 1, 64;"},
      {"barrier.cta.arrive.aligned 1, 64;", "barrier.cta.sync.aligned 1, 64;"},
      {"mov.u32 %r8, 1; mov.u32 %r9, 64; bar.arrive %r8, %r9;",
       "mov.u32 %r8, 1; mov.u32 %r9, 64; bar.sync %r8, %r9;"},
  };
  for (const Spelling& s : spellings) {
    for (const uint64_t seed : {0, 1, 2, 5}) {
      LaunchOptions options;
      options.order_seed = seed;
      const KernelRun run = run_block(
          "mov.u32 %r3, s; and.b32 %r4, %r1, 31; shl.b32 %r4, %r4, 2; add.u32 %r3, %r3, %r4;"
          "@%q1 bra TAKE; mad.lo.u32 %r5, %r1, 3, 7; st.shared.u32 [%r3], %r5; " +
              std::string(s.arrive) + " bra END; TAKE: " + s.sync +
              " ld.shared.u32 %r0, [%r3]; END:",
          64, options);
      SCOPED_TRACE(s.sync);
      expect_clean(run);
      for (uint32_t lane = 0; lane < 32; ++lane)
        EXPECT_EQ(run.buffers.at(0)[32 + lane], 3 * lane + 7);
    }
  }
}

// Two pairs of warps each use a barrier of their own, any number of times.
TEST(NamedBarrier, PartsOfABlockMeetByThemselves) {
  const KernelRun run = run_block(
      "and.b32 %r4, %r1, 63; shr.u32 %r5, %r1, 6; add.u32 %r6, %r5, 1; mov.u32 %r10, s; shl.b32 "
      "%r11, %r1, 2; add.u32 %r11, %r10, %r11;"
      "xor.b32 %r12, %r1, 32; shl.b32 %r12, %r12, 2; add.u32 %r12, %r10, %r12; add.u32 %r14, %r5, "
      "1; st.shared.u32 [%r11], %r1;"
      "LOOP: bar.sync %r6, 64; ld.shared.u32 %r13, [%r12]; bar.sync %r6, 64; add.u32 %r13, %r13, "
      "1; st.shared.u32 [%r11], %r13;"
      "sub.u32 %r14, %r14, 1; setp.ne.u32 %q4, %r14, 0; @%q4 bra LOOP; mov.u32 %r0, %r13;",
      128);
  expect_clean(run);
  for (uint32_t t = 0; t < 128; ++t)
    EXPECT_EQ(run.buffers.at(0)[t], t < 64 ? (t ^ 32) + 1 : t + 2) << t;
}

// Four warps and a count of 64: the first two warps to arrive continue, then the other two.
TEST(NamedBarrier, MoreWarpsThanTheCountPassInGroups) {
  const KernelRun run = run_block("bar.red.popc.u32 %r0, 3, 64, %q0;", 128);
  expect_clean(run);
  const Words& out = run.buffers.at(0);
  for (uint32_t t = 0; t < 128; ++t) EXPECT_EQ(out[t], t < 64 ? 32u : 0u) << t;
}

TEST(NamedBarrier, ReductionsOverAPartOfTheBlock) {
  // Warps 1 and 2 use a barrier whose number is in a register; the
  // predicate is true for the odd threads of warp 1.
  const std::string meet =
      "and.b32 %r5, %r1, 1; setp.eq.and.u32 %q4, %r5, 1, %q1; or.pred %q5, %q1, %q2; @!%q5 bra "
      "END; mov.u32 %r6, 9; mov.u32 %r7, 64;";
  struct Row {
    const char* instruction;
    uint32_t expected;
  };
  const Row rows[] = {
      {"bar.red.popc.u32 %r0, %r6, %r7, %q4;", 16},
      {"bar.red.popc.u32 %r0, %r6, 64, !%q4;", 48},
      {"barrier.cta.red.popc.aligned.u32 %r0, 9, 64, %q4;", 16},
      {"barrier.red.popc.u32 %r0, 9, 64, %q4;", 16},
      {"bar.red.or.pred %q6, %r6, %r7, %q4; selp.u32 %r0, 1, 2, %q6;", 1},
      {"barrier.cta.red.and.pred %q6, 9, %r7, %q4; selp.u32 %r0, 1, 2, %q6;", 2},
      {"barrier.red.and.aligned.pred %q6, 9, 64, %q5; selp.u32 %r0, 1, 2, %q6;", 1},
  };
  for (const Row& row : rows) {
    const KernelRun run = run_block(meet + row.instruction + " END:", 128);
    SCOPED_TRACE(row.instruction);
    expect_clean(run);
    for (uint32_t t = 0; t < 128; ++t)
      EXPECT_EQ(run.buffers.at(0)[t], t / 32 == 1 || t / 32 == 2 ? row.expected : 0u) << t;
  }
}

// barrier.sync without .aligned: lanes may arrive on different
// paths; the warp arrives once all of them have.
TEST(NamedBarrier, LanesComeOneByOne) {
  for (const char* what : {"barrier.sync 2, 64;", "barrier.cta.sync 2, 64;"}) {
    const KernelRun run = run_block(
        "mov.u32 %r3, s; @!%q0 bra OTHER; and.b32 %r5, %r1, 1; setp.eq.u32 %q4, %r5, 1; @%q4 bra "
        "ODD; " +
            std::string(what) + " bra END; ODD: " + what +
            " bra END; OTHER: mov.u32 %r6, 5; and.b32 %r7, %r1, 31; setp.eq.u32 %q5, %r7, 0;"
            "@%q5 st.shared.u32 [%r3], %r6; " +
            what + " bra OUT; END: ld.shared.u32 %r0, [%r3]; OUT:",
        64);
    EXPECT_EQ(errors_of(run), "");
    EXPECT_TRUE(run.result.completed);
    for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(run.buffers.at(0)[t], 5u) << t;
  }
}

// A warp whose lanes arrive on different paths counts as one arrival.
TEST(NamedBarrier, AWarpArrivesOnceHoweverItsLanesCome) {
  const KernelRun run = run_block(
      "and.b32 %r5, %r1, 1; setp.eq.u32 %q4, %r5, 1; @!%q0 bra WAIT; @%q4 bra ODD; barrier.arrive "
      "4, 96; bra END; ODD: barrier.arrive 4, 96;"
      "bra END; WAIT: bar.red.popc.u32 %r0, 4, 96, %q1; END:",
      96);
  expect_clean(run);
  for (uint32_t t = 32; t < 96; ++t) EXPECT_EQ(run.buffers.at(0)[t], 32u) << t;
}

struct WrongCase {
  const char* name;
  std::string body;
  const char* message;  // part of the message
  int line;
  int other_line = 0;
};

TEST(NamedBarrier, WrongUsesAreFindings) {
  const WrongCase cases[] = {
      {"a number that no block has", "mov.u32 %r5, 16;\n.loc 1 12 0\nbar.sync %r5;",
       "there is no barrier 16", 12},
      {"a count that is no multiple of 32", "mov.u32 %r5, 40;\n.loc 1 13 0\nbar.sync 1, %r5;",
       "40 threads: the count must be a multiple of 32", 13},
      {"an arrival for nobody", "mov.u32 %r5, 0;\n.loc 1 14 0\nbar.arrive 1, %r5;",
       "and not 0 for an arrival", 14},
      {"lanes with different numbers", "and.b32 %r5, %r1, 1;\n.loc 1 15 0\nbar.sync %r5;",
       "different numbers or counts", 15},
      {"different counts", "selp.u32 %r5, 64, 128, %q0;\n.loc 1 16 0\nbar.sync 1, %r5;",
       "threads have arrived at it for", 16},
      {"too few come", "@!%q0 bra END;\n.loc 1 17 0\nbar.sync 1, 64;\nEND:",
       "at barrier 1 for 64 threads, of which 32 have arrived; the other warps have left", 17},
      {"they wait at different barriers",
       "@%q0 bra OTHER;\n.loc 1 18 0\nbar.sync 1, 128; bra END; OTHER:\n.loc 1 19 0\nbar.sync 2, "
       "64;\nEND:",
       "wait at line", 18, 19},
  };
  for (const WrongCase& c : cases) {
    const KernelRun run =
        run_ptx(kernel_text(kWho + c.body + "\n.loc 1 30 0\n" + kStoreR0, 1, "", kSharedArray) +
                    ".file 1 \"k.cu\"\n",
                {1, 1, 1}, {128, 1, 1}, {Words(128)});
    ASSERT_EQ(errors_of(run), "") << c.name;
    EXPECT_FALSE(run.result.completed) << c.name;
    const Finding* f = run.find(FindingKind::kDivergentBarrier);
    ASSERT_NE(f, nullptr) << c.name;
    EXPECT_NE(f->message.english().find(c.message), std::string::npos)
        << c.name << ": " << f->message;
    if (c.other_line == 0) {
      EXPECT_EQ(f->place.line, c.line) << c.name;
    } else {
      ASSERT_TRUE(f->other_place.has_value()) << c.name;
      EXPECT_EQ(f->place.line + f->other_place->line, c.line + c.other_line) << c.name;
    }
    EXPECT_FALSE(f->cause.empty());
  }
}

TEST(NamedBarrier, WhatPtxasRefusesIsRefused) {
  for (const char* body : {"bar.sync 16;", "bar.sync 1, 33;", "bar.sync 1, 2048;", "bar.arrive 1;",
                           "bar.sync 1, 64, 64;"}) {
    const KernelRun run = run_warp(std::string(body) + " ret;");
    EXPECT_NE(errors_of(run).find("the emulator cannot run"), std::string::npos)
        << body << errors_of(run);
  }
}

struct OrderCase {
  const char* name;
  std::string body;
  bool race;
  int threads = 128;
};

// Only warps that wait at the same barrier are ordered. %r3 = s;
// %r4: the address of the thread's word.
TEST(NamedBarrier, OnlyThoseWhoMeetAreOrdered) {
  const std::string own = "mov.u32 %r3, s; shl.b32 %r4, %r1, 2; add.u32 %r4, %r3, %r4;";
  // Reads the word of thread %r5.
  const std::string read = "shl.b32 %r6, %r5, 2; add.u32 %r6, %r3, %r6; ld.shared.u32 %r0, [%r6];";
  const OrderCase cases[] = {
      {"a barrier of the pair",
       own +
           "st.shared.u32 [%r4], %r1; shr.u32 %r7, %r1, 6; add.u32 %r7, %r7, 1; bar.sync %r7, 64; "
           "xor.b32 %r5, %r1, 32;" +
           read,
       false},
      {"a barrier of the wrong pair",
       own +
           "st.shared.u32 [%r4], %r1; shr.u32 %r7, %r1, 6; add.u32 %r7, %r7, 1; bar.sync %r7, 64; "
           "xor.b32 %r5, %r1, 64;" +
           read,
       true},
      {"two barriers hand on",
       own + "@%q0 st.shared.u32 [%r3], %r20; @%q2 bra LATE; @%q3 bra END; bar.sync 1, 64; @%q0 "
             "bra END; bar.sync 2, 64; bra END;"
             "LATE: bar.sync 2, 64; ld.shared.u32 %r0, [%r3]; END:",
       false},
      {"the second barrier is of others",
       own + "@%q0 st.shared.u32 [%r3], %r20; @%q0 bra ONE; @%q1 bra ONE; bar.sync 2, 64; @%q3 bra "
             "END; ld.shared.u32 %r0, [%r3]; bra END; ONE: bar.sync 1, 64; END:",
       true},
      {"what an arriving warp does after its arrival",
       own +
           "@!%q0 bra WAIT; bar.arrive 1, 128; st.shared.u32 [%r4], %r1; bra END; WAIT: bar.sync "
           "1, 128; and.b32 %r5, %r1, 31;" +
           read + "END:",
       true},
      {"what an arriving warp did before it",
       own +
           "@!%q0 bra WAIT; st.shared.u32 [%r4], %r1; bar.arrive 1, 128; bra END; WAIT: bar.sync "
           "1, 128; and.b32 %r5, %r1, 31;" +
           read + "END:",
       false},
      {"an arrival orders nothing for the warp that arrives",
       own + "@!%q0 bra WAIT; bar.arrive 1, 128; ld.shared.u32 %r0, [%r3+128]; bra END; WAIT: "
             "st.shared.u32 [%r4], %r1; bar.sync 1, 128; END:",
       true},
      {"a barrier of the whole block with a count",
       own + "st.shared.u32 [%r4], %r1; bar.sync 5, 128; xor.b32 %r5, %r1, 64;" + read, false},
      {"readers of a pair, a writer of another",
       own + "st.shared.u32 [%r4], %r1; bar.sync 0; ld.shared.u32 %r0, [%r3]; shr.u32 %r7, %r1, 6;"
             "add.u32 %r7, %r7, 1; bar.sync %r7, 64; setp.eq.u32 %q4, %r1, 0; @%q4 st.shared.u32 "
             "[%r3], %r1;",
       true},
      {"readers and the writer of a pair",
       own + "st.shared.u32 [%r4], %r1; bar.sync 0; setp.lt.u32 %q5, %r1, 64; @%q5 ld.shared.u32 "
             "%r0, [%r3];"
             "shr.u32 %r7, %r1, 6; add.u32 %r7, %r7, 1; bar.sync %r7, 64; setp.eq.u32 %q4, %r1, 0; "
             "mov.u32 %r8, 77;"
             "@%q4 st.shared.u32 [%r3], %r8;",
       false},
  };
  for (const OrderCase& c : cases) {
    for (const uint64_t seed : {0, 1, 2, 3, 4, 5}) {
      LaunchOptions options;
      options.order_seed = seed;
      const KernelRun run = run_block(c.body, static_cast<uint32_t>(c.threads), options);
      ASSERT_EQ(errors_of(run), "") << c.name;
      EXPECT_EQ(run.find(FindingKind::kRace) != nullptr, c.race) << c.name << ", seed " << seed;
      for (const Finding& f : run.result.findings) {
        if (f.kind != FindingKind::kRace && f.kind != FindingKind::kUninitialised)
          ADD_FAILURE() << c.name << ": " << f.message;
      }
    }
  }
}

// __syncwarp with a mask orders the lanes in the mask, and no others.
TEST(PartialSyncwarp, OrdersTheLanesThatItNames) {
  const std::string own =
      "mov.u32 %r3, s; shl.b32 %r4, %r1, 2; add.u32 %r4, %r3, %r4; setp.lt.u32 %q4, %r1, 16;";
  const std::string read = "shl.b32 %r6, %r5, 2; add.u32 %r6, %r3, %r6; ld.shared.u32 %r0, [%r6];";
  const OrderCase cases[] = {
      {"halves, each by itself",
       own +
           "selp.b32 %r8, 0xffff, 0xffff0000, %q4; st.shared.u32 [%r4], %r1; bar.warp.sync %r8; "
           "xor.b32 %r5, %r1, 1;" +
           read,
       false, 32},
      {"from one half to the other",
       own +
           "selp.b32 %r8, 0xffff, 0xffff0000, %q4; st.shared.u32 [%r4], %r1; bar.warp.sync %r8; "
           "xor.b32 %r5, %r1, 16;" +
           read,
       true, 32},
      {"halves, then pairs over the middle",
       own +
           "selp.b32 %r8, 0xffff, 0xffff0000, %q4; st.shared.u32 [%r4], %r1; bar.warp.sync %r8; "
           "mov.u32 %r9, 0x10001; and.b32 %r10, %r1, 15;"
           "shl.b32 %r9, %r9, %r10; bar.warp.sync %r9; xor.b32 %r5, %r1, 17;" +
           read,
       false, 32},
      {"only one half has waited",
       own + "st.shared.u32 [%r4], %r1; @!%q4 bra NO; bar.warp.sync 0xffff; xor.b32 %r5, %r1, 1;" +
           read + "NO:",
       false, 32},
      {"the half that did not wait reads",
       own +
           "st.shared.u32 [%r4], %r1; @!%q4 bra NO; bar.warp.sync 0xffff; bra END; NO: xor.b32 "
           "%r5, %r1, 1;" +
           read + "END:",
       true, 32},
      {"a full one after a half",
       own +
           "st.shared.u32 [%r4], %r1; @%q4 bra HALF; bra J; HALF: bar.warp.sync 0xffff; J: "
           "bar.warp.sync -1; xor.b32 %r5, %r1, 16;" +
           read,
       false, 32},
      {"two lanes read, one of them has waited for the writer",
       own + "st.shared.u32 [%r4], %r1; bar.warp.sync -1; setp.lt.u32 %q5, %r1, 3; @%q5 "
             "ld.shared.u32 %r0, [%r3]; setp.lt.u32 %q6, %r1, 2;"
             "@!%q6 bra END; bar.warp.sync 3; setp.eq.u32 %q7, %r1, 0; mov.u32 %r9, 9; @%q7 "
             "st.shared.u32 [%r3], %r9; END:",
       true, 32},
      {"both readers have waited for the writer",
       own + "st.shared.u32 [%r4], %r1; bar.warp.sync -1; setp.lt.u32 %q6, %r1, 2; @!%q6 bra END; "
             "ld.shared.u32 %r0, [%r3];"
             "bar.warp.sync 3; setp.eq.u32 %q7, %r1, 0; mov.u32 %r9, 9; @%q7 st.shared.u32 [%r3], "
             "%r9; END:",
       false, 32},
  };
  for (const OrderCase& c : cases) {
    const KernelRun run = run_block(c.body, static_cast<uint32_t>(c.threads));
    ASSERT_EQ(errors_of(run), "") << c.name;
    const Finding* f = run.find(FindingKind::kRace);
    EXPECT_EQ(f != nullptr, c.race) << c.name;
    if (f != nullptr) {
      EXPECT_EQ(f->severity, Severity::kWarning) << c.name;
    }
  }
}

// Two warps (64 threads) that wait for each other through a word of memory, like the tiles of
// cooperative groups: each warp ORs its bit in, and the last one clears all bits. They exchange
// data in s. %q0 … %q3: the warp.
std::string tile_of_two_warps(const std::string& word, const std::string& release,
                              const std::string& acquire) {
  return word +
         "mov.u32 %r10, s; shl.b32 %r11, %r1, 2; add.u32 %r11, %r10, %r11; xor.b32 %r12, %r1, 32; "
         "shl.b32 %r12, %r12, 2;"
         "add.u32 %r12, %r10, %r12; mad.lo.u32 %r13, %r1, 3, 7; st.shared.u32 [%r11], %r13; "
         "and.b32 %r14, %r1, 31; mov.u32 %r15, 1;"
         "shl.b32 %r15, %r15, %r2; setp.ne.u32 %q4, %r14, 0; bar.warp.sync 0xffffffff; @%q4 bra "
         "MET;" +
         release +
         " %r16, [%l0], %r15; or.b32 %r16, %r16, %r15; setp.eq.u32 %q5, %r16, 3; @!%q5 bra WAIT;"
         "red.and.relaxed.cta.b32 [%l0], 0; bra MET; WAIT: " +
         acquire +
         " %r17, [%l0]; and.b32 %r17, %r17, %r15; setp.ne.u32 %q5, %r17, 0; @%q5 bra WAIT; MET: "
         "bar.warp.sync 0xffffffff;"
         "ld.shared.u32 %r0, [%r12];";
}

const std::string kReservedWord =
    "{.reg .u32 start; .reg .u64 wide; mov.u32 start, %reserved_smem_offset_1; cvt.u64.u32 wide, "
    "start; cvta.shared.u64 %l0, wide;}";

TEST(NamedBarrier, WarpsMeetByAWordInTheReservedSharedMemory) {
  for (const uint64_t seed : {0, 1, 2, 5}) {
    LaunchOptions options;
    options.order_seed = seed;
    const KernelRun run =
        run_block(tile_of_two_warps(kReservedWord, "atom.or.acq_rel.cta.b32", "ld.acquire.cta.u32"),
                  64, options);
    expect_clean(run);
    for (uint32_t t = 0; t < 64; ++t) EXPECT_EQ(run.buffers.at(0)[t], 3 * (t ^ 32) + 7) << t;
  }
}

// Without a release or an acquire, nothing is ordered.
TEST(NamedBarrier, AWordWithoutReleaseOrAcquireOrdersNothing) {
  for (const auto& [release, acquire] :
       {std::pair{"atom.or.relaxed.cta.b32", "ld.acquire.cta.u32"},
        std::pair{"atom.or.acq_rel.cta.b32", "ld.relaxed.cta.u32"}}) {
    const KernelRun run = run_block(tile_of_two_warps(kReservedWord, release, acquire), 64);
    EXPECT_EQ(errors_of(run), "");
    EXPECT_NE(run.find(FindingKind::kRace), nullptr) << release << acquire;
  }
}

// Reserved shared memory is separate from the block's own, so writes to it touch no array. The
// values of the special registers are an H200's, except for the start.
TEST(NamedBarrier, TheReservedSharedMemoryIsNobodysArray) {
  const std::string fill =
      "mov.u32 %r3, s; shl.b32 %r4, %r1, 2; add.u32 %r3, %r3, %r4; st.shared.u32 [%r3], %r1;";
  const KernelRun run = run_block(
      fill +
          "mov.u32 %r5, %reserved_smem_offset_begin; add.u32 %r5, %r5, %r4; ld.shared.u32 %r6, "
          "[%r5];"
          "st.shared.u32 [%r5], 99; ld.shared.u32 %r0, [%r3]; mov.u32 %r7, "
          "%reserved_smem_offset_end;"
          "mov.u32 %r8, %reserved_smem_offset_begin; sub.u32 %r7, %r7, %r8; add.u32 %r0, %r0, %r7;"
          "mov.u32 %r8, %reserved_smem_offset_cap; add.u32 %r0, %r0, %r8; add.u32 %r0, %r0, %r6;",
      64);
  expect_clean(run);
  for (uint32_t t = 0; t < 64; ++t) EXPECT_EQ(run.buffers.at(0)[t], t + 288 + 1024) << t;
  const KernelRun beyond =
      run_block("mov.u32 %r5, %reserved_smem_offset_end; st.shared.u32 [%r5], 99;", 32);
  EXPECT_NE(beyond.find(FindingKind::kOutOfBounds), nullptr);
  const KernelRun after = run_block(
      "mov.u32 %r3, s; st.shared.u32 [%r3+1024], 99; mov.u32 %r5, %reserved_smem_offset_begin;",
      32);
  EXPECT_NE(after.find(FindingKind::kOutOfBounds), nullptr);
}

}  // namespace
}  // namespace warpshop::emulator::testing
