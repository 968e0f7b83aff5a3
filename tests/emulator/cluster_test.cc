// Thread block clusters: shapes and ranks, the cluster's barrier, shared memory of other blocks,
// what is wrong with them, and what is refused.
#include <string>

#include "emulator/replay.h"
#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

const std::string kTile = ".shared .align 16 .b8 s[1024]; .shared .align 8 .b64 m;";
const std::string kMeet = "barrier.cluster.arrive; barrier.cluster.wait;";
// %r1: the thread, %r2: the block's rank, %r3: the cluster's blocks, %r4: the address of s, %r5: of
// this thread's word there, %l0: of its word in the buffer.
const std::string kStart =
    "mov.u32 %r1, %tid.x; mov.u32 %r2, %cluster_ctarank; mov.u32 %r3, %cluster_nctarank; mov.u32 "
    "%r4, s; shl.b32 %r5, %r1, 2; add.u32 %r5, %r5, %r4; mov.u32 %r6, %ctaid.x; mov.u32 %r7, "
    "%ntid.x; mad.lo.u32 %r8, %r6, %r7, %r1; mul.wide.u32 %l0, %r8, 4; add.s64 %l0, %p0, %l0; "
    "mov.u32 %r0, 0;";
const std::string kEnd = "st.global.u32 [%l0], %r0; ret;";
// Each thread leaves 100 × rank + thread in its word of s.
const std::string kFill = "mad.lo.u32 %r9, %r2, 100, %r1; st.shared.u32 [%r5], %r9;";
// %r10: the next block's rank; %r11: this thread's word there.
const std::string kNext =
    "add.u32 %r10, %r2, 1; rem.u32 %r10, %r10, %r3; mapa.shared::cluster.u32 %r11, %r5, %r10;";

std::string in_clusters(std::string text, const std::string& directives) {
  const size_t body = text.find(")\n{\n");
  return text.replace(body, 2, ")\n" + directives + "\n");
}

struct ClusterCase {
  std::string body;
  std::string directives = ".explicitcluster\n.reqnctapercluster 4, 1, 1";
  uint32_t blocks = 8;
  uint32_t threads = 64;
};

KernelRun run_clusters(const ClusterCase& c, const LaunchOptions& options = {}) {
  return run_ptx(in_clusters(kernel_text(kStart + c.body + kEnd, 1, "", kTile), c.directives),
                 {c.blocks, 1, 1}, {c.threads, 1, 1}, {Words(c.blocks * c.threads, 0)}, options);
}

void expect_clean(const KernelRun& run) {
  EXPECT_EQ(errors_of(run), "");
  for (const Finding& f : run.result.findings)
    ADD_FAILURE() << name_of(f.kind) << ": " << f.message;
}

TEST(Cluster, SharedMemoryOfTheNextBlock) {
  const std::pair<const char*, std::string> kReads[] = {
      {"ld.shared::cluster", kNext + "ld.shared::cluster.u32 %r0, [%r11];"},
      {"a generic address",
       "add.u32 %r10, %r2, 1; rem.u32 %r10, %r10, %r3; cvt.u64.u32 %l1, %r5; cvta.shared.u64 %l1, "
       "%l1; mapa.u64 %l2, %l1, %r10; ld.u32 %r0, [%l2];"},
      {"an atomic", kNext + "atom.shared::cluster.add.u32 %r0, [%r11], 0;"},
      {"a generic atomic",
       "add.u32 %r10, %r2, 1; rem.u32 %r10, %r10, %r3; cvt.u64.u32 %l1, %r5; cvta.shared.u64 %l1, "
       "%l1; mapa.u64 %l2, %l1, %r10; atom.or.b32 %r0, [%l2], 0;"}};
  for (const auto& [name, read] : kReads) {
    for (const uint64_t seed : {0, 5, 9}) {
      SCOPED_TRACE(name);
      LaunchOptions options;
      options.order_seed = seed;
      const KernelRun run = run_clusters({kFill + kMeet + read + kMeet}, options);
      expect_clean(run);
      for (uint32_t b = 0; b < 8; ++b) {
        for (uint32_t t = 0; t < 64; ++t)
          EXPECT_EQ(run.buffers[0][b * 64 + t], 100 * ((b % 4 + 1) % 4) + t) << b << " " << t;
      }
    }
  }
}

// Threads and clusters of any number, with the same result.
TEST(Cluster, StoresAndAtomicsReachOtherBlocks) {
  LaunchOptions many;
  many.threads = 4;
  for (const LaunchOptions& options : {LaunchOptions{}, many}) {
    const KernelRun stored =
        run_clusters({kNext + "mad.lo.u32 %r9, %r2, 100, %r1; st.shared::cluster.u32 [%r11], %r9;" +
                          kMeet + "ld.shared.u32 %r0, [%r5];",
                      ".explicitcluster\n.reqnctapercluster 2, 1, 1", 64},
                     options);
    expect_clean(stored);
    for (uint32_t b = 0; b < 64; ++b)
      EXPECT_EQ(stored.buffers[0][b * 64 + 7], 100 * ((b + 1) % 2) + 7);
    // All blocks count in block 0's word.
    const KernelRun counted = run_clusters(
        {"setp.ne.u32 %q0, %r1, 0; @%q0 bra READY; st.shared.u32 [s], 0; READY: " + kMeet +
             "mapa.shared::cluster.u32 %r11, %r4, 0; red.shared::cluster.add.u32 [%r11], 1;" +
             kMeet + "ld.shared::cluster.u32 %r0, [%r11];" + kMeet,
         ".explicitcluster\n.reqnctapercluster 4, 1, 1", 64},
        options);
    expect_clean(counted);
    for (const uint32_t word : counted.buffers[0]) EXPECT_EQ(word, 256u);
  }
}

TEST(Cluster, ItsShapeIsInSpecialRegisters) {
  const std::string kAsk =
      "mov.u32 %r0, 0; mov.u32 %r9, %clusterid.x; mad.lo.u32 %r0, %r0, 10, %r9; mov.u32 %r9, "
      "%clusterid.y; mad.lo.u32 %r0, %r0, 10, %r9; mov.u32 %r9, %nclusterid.x; mad.lo.u32 %r0, "
      "%r0, 10, %r9; mov.u32 %r9, %nclusterid.y; mad.lo.u32 %r0, %r0, 10, %r9; mov.u32 %r9, "
      "%cluster_ctaid.x; mad.lo.u32 %r0, %r0, 10, %r9; mov.u32 %r9, %cluster_ctaid.y; mad.lo.u32 "
      "%r0, %r0, 10, %r9; mov.u32 %r9, %cluster_nctaid.x; mad.lo.u32 %r0, %r0, 10, %r9; mov.u32 "
      "%r9, %cluster_nctaid.y; mad.lo.u32 %r0, %r0, 10, %r9; mov.u32 %r9, %cluster_ctarank; "
      "mad.lo.u32 %r0, %r0, 10, %r9; mov.pred %q1, %is_explicit_cluster; selp.u32 %r9, 1, 0, %q1; "
      "mad.lo.u32 %r0, %r0, 10, %r9; mov.u32 %r6, %ctaid.x; mov.u32 %r7, %ctaid.y; mov.u32 %r8, "
      "%nctaid.x; mad.lo.u32 %r6, %r7, %r8, %r6; mul.wide.u32 %l0, %r6, 4; add.s64 %l0, %p0, %l0;";
  const KernelRun run = run_ptx(
      in_clusters(kernel_text(kAsk + kEnd, 1), ".explicitcluster\n.reqnctapercluster 2, 3, 1"),
      {4, 6, 1}, {1, 1, 1}, {Words(24, 0)});
  expect_clean(run);
  // clusterid x y, nclusterid x y, cluster_ctaid x y, cluster_nctaid x y, rank, explicit
  EXPECT_EQ(run.buffers[0][0], 22002301u);
  EXPECT_EQ(run.buffers[0][4 * 5 + 3], 1122122351u - 0u);
  const KernelRun without =
      run_ptx(kernel_text(kAsk + kEnd, 1), {2, 2, 1}, {1, 1, 1}, {Words(4, 0)});
  expect_clean(without);
  EXPECT_EQ(without.buffers[0][3], 1122001100u);
}

TEST(Cluster, AddressesKnowTheirRank) {
  const KernelRun run = run_clusters(
      {kNext +
       "getctarank.shared::cluster.u32 %r12, %r11; getctarank.shared::cluster.u32 %r13, %r5; "
       "cvt.u64.u32 %l1, %r11; cvta.shared::cluster.u64 %l1, %l1; getctarank.u64 %r14, %l1; "
       "isspacep.shared::cluster %q0, %l1; isspacep.shared::cta %q1, %l1; mapa.u64 %l2, %l1, %r2; "
       "isspacep.shared::cta %q2, %l2; selp.u32 %r15, 1, 0, %q0; selp.u32 %r16, 1, 0, %q1; "
       "selp.u32 "
       "%r17, 1, 0, %q2; mad.lo.u32 %r0, %r12, 10, %r13; mad.lo.u32 %r0, %r0, 10, %r14; mad.lo.u32 "
       "%r0, %r0, 10, %r15; mad.lo.u32 %r0, %r0, 10, %r16; mad.lo.u32 %r0, %r0, 10, %r17;"});
  expect_clean(run);
  EXPECT_EQ(run.buffers[0][0], 101101u);
  EXPECT_EQ(run.buffers[0][64 * 3], 30101u);
}

// A producer block tells a consumer block by an arrival at the consumer's mbarrier object.
TEST(Cluster, ArrivalsAtAnotherBlocksObjectOrderTheTwo) {
  const KernelRun run = run_clusters(
      {"setp.ne.u32 %q0, %r1, 0; @%q0 bra READY; mbarrier.init.shared::cta.b64 [m], %r7; "
       "fence.mbarrier_init.release.cluster; READY: " +
       kMeet + kNext +
       "mad.lo.u32 %r9, %r2, 100, %r1; st.shared::cluster.u32 [%r11], %r9; mov.u32 %r12, m; "
       "mapa.shared::cluster.u32 %r12, %r12, %r10; "
       "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r12]; WAIT: "
       "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %q2, [m], 0; @!%q2 bra WAIT; "
       "ld.shared.u32 %r0, [%r5];"});
  expect_clean(run);
  for (uint32_t b = 0; b < 8; ++b)
    EXPECT_EQ(run.buffers[0][b * 64 + 9], 100 * ((b % 4 + 3) % 4) + 9) << b;
}

TEST(Cluster, ABlockWithoutAClusterIsOneOfItsOwn) {
  const KernelRun run =
      run_clusters({kFill + kMeet + kNext + "ld.shared::cluster.u32 %r0, [%r11];" + kMeet, "", 3});
  expect_clean(run);
  EXPECT_EQ(run.buffers[0][64 * 2 + 5], 5u);
}

// Exited threads are not waited for; lanes may come one by one.
TEST(Cluster, ItsBarrierWaitsForThreadsThatHaveNotExited) {
  const KernelRun gone =
      run_clusters({"setp.eq.u32 %q0, %r2, 1; @%q0 bra DONE; " + kMeet + "mov.u32 %r0, 1; DONE: "});
  expect_clean(gone);
  EXPECT_EQ(gone.buffers[0][0], 1u);
  EXPECT_EQ(gone.buffers[0][64], 0u);
  const KernelRun split = run_clusters(
      {"setp.lt.u32 %q0, %r1, 7; @%q0 bra SOME; barrier.cluster.arrive; bra BOTH; SOME: "
       "barrier.cluster.arrive; BOTH: barrier.cluster.wait; mov.u32 %r0, 1;"});
  expect_clean(split);
  EXPECT_EQ(split.buffers[0][64 * 7 + 63], 1u);
}

struct WrongCase {
  const char* name;
  ClusterCase c;
  FindingKind kind;
  const char* says;
};

TEST(Cluster, MistakesAreFound) {
  const WrongCase kCases[] = {
      {"no barrier before the read",
       {kFill + kNext + "ld.shared::cluster.u32 %r0, [%r11];" + kMeet},
       FindingKind::kRace,
       "no barrier of the cluster is between them"},
      {"__syncthreads() is not enough",
       {kFill + "bar.sync 0;" + kNext + "ld.shared::cluster.u32 %r0, [%r11];" + kMeet},
       FindingKind::kRace,
       "no barrier of the cluster is between them"},
      {"no barrier before it is overwritten",
       {kFill + kMeet + kNext + "ld.shared::cluster.u32 %r0, [%r11]; st.shared.u32 [%r5], 7;" +
        kMeet},
       FindingKind::kRace,
       "no barrier of the cluster is between them"},
      {"two blocks write one place",
       {"mapa.shared::cluster.u32 %r11, %r5, 0; st.shared::cluster.u32 [%r11], %r2;" + kMeet},
       FindingKind::kRace,
       "meets a write"},
      {"two warps write to another block",
       {"mapa.shared::cluster.u32 %r11, %r4, 1; setp.ne.u32 %q0, %r2, 0; @%q0 bra NOT; "
        "st.shared::cluster.u32 [%r11], %r1; NOT: " +
        kMeet},
       FindingKind::kRace,
       "meets a write"},
      {"no barrier before the end",
       {kFill + kMeet + kNext + "ld.shared::cluster.u32 %r0, [%r11];"},
       FindingKind::kRace,
       "may have ended by then"},
      {"a block that has ended",
       {kFill + "setp.eq.u32 %q0, %r2, 0; @%q0 bra DONE; " + kMeet +
        "mapa.shared::cluster.u32 %r11, %r5, 0; ld.shared::cluster.u32 %r0, [%r11]; DONE: "},
       FindingKind::kOutOfBounds,
       "of block (0, 0, 0), which has ended"},
      {"a rank that there is not",
       {"mapa.shared::cluster.u32 %r11, %r5, 4; ld.shared::cluster.u32 %r0, [%r11];"},
       FindingKind::kOutOfBounds,
       "rank 4 of a cluster of 4 blocks: the ranks are 0 to 3"},
      {"past the end of the array",
       {kNext + kMeet + "ld.shared::cluster.u32 %r0, [%r11+1020];" + kMeet},
       FindingKind::kOutOfBounds,
       "past its end (1,024 bytes)"},
      {"never written",
       {kNext + kMeet + "ld.shared::cluster.u32 %r0, [%r11];" + kMeet},
       FindingKind::kUninitialised,
       "that nothing has written"},
      {"an arrival without a wait",
       {"barrier.cluster.arrive; barrier.cluster.arrive; barrier.cluster.wait;"},
       FindingKind::kDivergentBarrier,
       "again without having waited"},
      {"a wait without an arrival",
       {"barrier.cluster.wait;"},
       FindingKind::kDivergentBarrier,
       "without having arrived"},
      {"a warp at another barrier",
       {"setp.lt.u32 %q0, %r1, 32; @%q0 bra HERE; " + kMeet + "HERE: bar.sync 0;"},
       FindingKind::kDeadlock,
       "waits forever at this barrier of its cluster: 4 of the 8 warps"},
      {"a block in a loop",
       {"setp.ne.u32 %q0, %r2, 2; @%q0 bra MEET; setp.ne.u32 %q3, %r1, 0; @%q3 bra LOOP; "
        "mbarrier.init.shared::cta.b64 [m], 1; LOOP: bar.sync 0; SPIN: "
        "mbarrier.try_wait.parity.shared::cta.b64 %q2, [m], 0; @!%q2 bra SPIN; MEET: " +
        kMeet},
       FindingKind::kDeadlock,
       "waits forever at this barrier of its cluster: 2 of the 8 warps"},
  };
  for (const WrongCase& w : kCases) {
    for (const uint64_t seed : {0, 4}) {
      SCOPED_TRACE(w.name);
      LaunchOptions options;
      options.order_seed = seed;
      options.threads = 1;
      const KernelRun run = run_clusters(w.c, options);
      EXPECT_EQ(errors_of(run), "");
      bool found = false;
      std::string all;
      for (const Finding& f : run.result.findings) {
        all += f.message.english() + "\n";
        found = found || (f.kind == w.kind && f.ptx_line > 0 &&
                          f.message.english().find(w.says) != std::string::npos);
      }
      EXPECT_TRUE(found) << all;
    }
  }
}

TEST(Cluster, WhatAGpuRefuses) {
  struct Refused {
    ClusterCase c;
    MachineLimits limits;
    const char* says;
  };
  MachineLimits old;
  old.max_cluster_blocks = 0;
  const std::string kBody = "mov.u32 %r0, 1;";
  const Refused kCases[] = {
      {{kBody, ".explicitcluster\n.reqnctapercluster 3, 1, 1"},
       {},
       "cannot be divided into clusters"},
      {{kBody, ".explicitcluster\n.reqnctapercluster 16, 1, 1", 16},
       {},
       "a cluster of 16 blocks; 8 are possible"},
      {{kBody, ".explicitcluster\n.reqnctapercluster 32, 1, 1", 32}, {}, "at most 16 are possible"},
      {{kBody, ".explicitcluster"}, {}, "the launch gives no cluster size"},
      {{kBody, ".maxntid 64, 1, 1\n.maxclusterrank 2\n.reqnctapercluster 4, 1, 1"},
       {},
       "__launch_bounds__ allows 2"},
      {{kBody}, old, "this GPU has none"},
  };
  for (const Refused& r : kCases) {
    LaunchOptions options;
    options.limits = r.limits;
    const std::string errors = errors_of(run_clusters(r.c, options));
    EXPECT_NE(errors.find(r.says), std::string::npos) << r.says << ": " << errors;
  }
  LaunchOptions sample;
  sample.blocks = {0, 1};
  EXPECT_NE(errors_of(run_clusters({kBody}, sample)), "");
}

// With __block_size__ a launch gives the number of clusters.
TEST(Cluster, AGridMayCountClusters) {
  const std::string text = in_clusters(
      kernel_text("mov.u32 %r1, %ctaid.x; mov.u32 %r2, %nctaid.x; mad.lo.u32 %r0, %r2, 100, %r1; "
                  "mul.wide.u32 %l0, %r1, 4; add.s64 %l0, %p0, %l0;" +
                      kEnd,
                  1),
      ".blocksareclusters\n.reqntid 1, 1, 1\n.reqnctapercluster 2, 1, 1");
  const KernelRun run = run_ptx(text, {3, 1, 1}, {1, 1, 1}, {Words(6, 0)});
  expect_clean(run);
  for (uint32_t b = 0; b < 6; ++b) EXPECT_EQ(run.buffers[0][b], 600 + b);
}

}  // namespace
}  // namespace warpshop::emulator::testing
