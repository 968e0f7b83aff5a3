// cp.async.bulk: what arrives and when, the effects of a missing wait, and what the models record.
#include <cstring>
#include <string>

#include "emulator/tensor_map.h"
#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

const std::string kShared = ".shared .align 16 .b8 s[2048]; .shared .align 8 .b64 m;";

// Thread 0 of a block of two warps copies SIZE bytes from byte FROM of the buffer to byte TO of s,
// and expects that many bytes. All threads run `before_wait`, wait, and run `after_wait`. %r1: the
// thread, %r2: the address of s, %l1: the address of the buffer's second half.
struct BulkCase {
  std::string size = "256";
  std::string from = "0";
  std::string to = "0";
  std::string before_wait = "";
  std::string wait = "WAIT: mbarrier.try_wait.parity.shared.b64 %q2, [m], 0; @!%q2 bra WAIT;";
  std::string after_wait = "shl.b32 %r5, %r1, 2; add.u32 %r5, %r5, %r2; ld.shared.u32 %r0, [%r5];";
};

struct AccessList final : AccessSinkFactory, AccessSink {
  AccessSink* make_sink(const std::vector<AccessSite>&, int) override { return this; }
  void on_access(const WarpIdentity&, const AccessSite& site, const WarpAccess& access) override {
    if (site.space != ptx::Space::kGlobal || site.kind != AccessKind::kLoad) return;
    requests.emplace_back();
    for (int lane = 0; lane < kWarpSize; ++lane) {
      if ((access.active_mask >> lane) & 1u)
        requests.back().push_back(access.address[static_cast<size_t>(lane)]);
    }
  }
  std::vector<std::vector<uint64_t>> requests;
};

// The buffer holds 1, 2, … 512, followed by one word per thread.
KernelRun run_bulk(const BulkCase& c, const LaunchOptions& options = {}) {
  Words memory(576, 0);
  for (uint32_t n = 0; n < 512; ++n) memory[n] = n + 1;
  return run_ptx(
      kernel_text(
          "mov.u32 %r1, %tid.x; mov.u32 %r2, s; mov.u32 %r0, 0; setp.ne.u32 %q0, %r1, 0; @%q0 bra "
          "READY;"
          "mbarrier.init.shared.b64 [m], 1; READY: bar.sync 0; @%q0 bra ISSUED; mov.u32 %r3, " +
              c.size + "; add.s64 %l0, %p0, " + c.from + "; add.u32 %r4, %r2, " + c.to +
              "; mov.u32 %r6, m;"
              "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%l0], "
              "%r3, [%r6];"
              "mbarrier.arrive.expect_tx.shared.b64 _, [m], %r3; ISSUED: " +
              c.before_wait + c.wait + c.after_wait +
              "mul.wide.u32 %l2, %r1, 4; add.s64 %l2, %p0, %l2; st.global.u32 [%l2+2048], %r0; "
              "ret;",
          1, "", kShared),
      {1, 1, 1}, {64, 1, 1}, {memory}, options);
}

void expect_no_finding(const KernelRun& run) {
  EXPECT_EQ(errors_of(run), "");
  for (const Finding& f : run.result.findings)
    ADD_FAILURE() << name_of(f.kind) << ": " << f.message;
}

TEST(BulkCopy, ArrivesAtTheWait) {
  for (const uint64_t seed : {0, 3, 8}) {
    LaunchOptions options;
    options.order_seed = seed;
    const KernelRun run = run_bulk({.from = "32"}, options);
    expect_no_finding(run);
    for (uint32_t t = 0; t < 64; ++t) EXPECT_EQ(run.buffers[0][512 + t], t + 9) << t;
  }
  const KernelRun after =
      run_bulk({.size = "16", .to = "240", .after_wait = "ld.shared.u32 %r0, [%r2+244];"});
  expect_no_finding(after);
  EXPECT_EQ(after.buffers[0][512], 2u);
}

// Every thread copies its own piece; the threads' arrivals count the pieces, as
// in libcu++'s memcpy_async with a barrier.
TEST(BulkCopy, EachThreadMayCopyAPiece) {
  Words memory(320, 0);
  for (uint32_t n = 0; n < 256; ++n) memory[n] = 3 * n;
  const KernelRun run = run_ptx(
      kernel_text(
          "mov.u32 %r1, %tid.x; mov.u32 %r2, s; setp.ne.u32 %q0, %r1, 0; @%q0 bra READY; mov.u32 "
          "%r9, %ntid.x;"
          "mbarrier.init.shared.b64 [m], %r9; READY: bar.sync 0; shl.b32 %r3, %r1, 4; add.u32 %r4, "
          "%r2, %r3; mul.wide.u32 %l0, %r1, 16;"
          "add.s64 %l0, %p0, %l0; mov.u32 %r6, m; mov.u32 %r7, 16;"
          "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r4], [%l0], %r7, [%r6];"
          "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r6], %r7; "
          "mbarrier.arrive.shared::cta.b64 %l3, [%r6];"
          "WAIT: mbarrier.try_wait.shared.b64 %q2, [%r6], %l3; @!%q2 bra WAIT; sub.u32 %r8, 1008, "
          "%r3; add.u32 %r8, %r2, %r8;"
          "ld.shared.u32 %r0, [%r8]; mul.wide.u32 %l2, %r1, 4; add.s64 %l2, %p0, %l2; "
          "st.global.u32 [%l2+1024], %r0; ret;",
          1, "", kShared),
      {1, 1, 1}, {64, 1, 1}, {memory});
  expect_no_finding(run);
  for (uint32_t t = 0; t < 64; ++t) EXPECT_EQ(run.buffers[0][256 + t], 3 * 4 * (63 - t)) << t;
}

TEST(BulkCopy, WithoutAWaitNothingHasArrived) {
  const KernelRun run = run_bulk({.wait = ""});
  EXPECT_EQ(errors_of(run), "");
  const Finding* race = run.find(FindingKind::kRace);  // which explains that nothing was written
  ASSERT_NE(race, nullptr);
  EXPECT_NE(race->message.english().find("meets a copy in flight"), std::string::npos);
  EXPECT_NE(race->cause.english().find("in bulk"), std::string::npos) << race->cause;
}

TEST(BulkCopy, WhatTouchesItsDestinationBeforeTheWaitIsARace) {
  const KernelRun run = run_bulk({.before_wait = "mov.u32 %r5, 7; setp.ne.u32 %q1, %r1, 40; @%q1 "
                                                 "bra W; st.shared.u32 [%r2+8], %r5; W: "});
  ASSERT_NE(run.find(FindingKind::kRace), nullptr);
  EXPECT_EQ(run.find(FindingKind::kRace)->space, "shared");
  // No race: the barrier separates this access from the copy.
  const KernelRun before = run_bulk({.after_wait = "ld.shared.u32 %r0, [%r2+8];"});
  expect_no_finding(before);
}

// Warp 0 runs first, so that what it has waited for is there when warp 1 comes.
TEST(BulkCopy, IsThereForThoseWhoHaveWaitedOrMetOneWhoHas) {
  const std::string lane_0_waits =
      "@%q0 bra AFTER; WAIT: mbarrier.try_wait.parity.shared.b64 %q2, [m], 0; @!%q2 bra WAIT; "
      "AFTER: ";
  const KernelRun one = run_bulk({.wait = lane_0_waits});
  const Finding* race = one.find(FindingKind::kRace);
  ASSERT_NE(race, nullptr);
  EXPECT_EQ(race->access, "read");
  EXPECT_EQ(race->who.thread.x, 32u);
  EXPECT_NE(race->message.english().find("this one has not"), std::string::npos) << race->message;
  const KernelRun store =
      run_bulk({.wait = lane_0_waits, .after_wait = "st.shared.u32 [%r2], %r0; "});
  ASSERT_NE(store.find(FindingKind::kRace), nullptr);
  EXPECT_EQ(store.find(FindingKind::kRace)->access, "write");

  const std::string after = BulkCase().after_wait;
  const std::string kMet[] = {
      "bar.sync 0; ", "bar.sync 3, 64; ",
      // A flag in shared memory, with the fences that it needs.
      "setp.lt.u32 %q3, %r1, 32; @!%q3 bra LOOK; membar.cta; mov.u32 %r7, 1; "
      "st.volatile.shared.u32 "
      "[s+1024], %r7; bra SEEN; LOOK: ld.volatile.shared.u32 %r7, [s+1024]; setp.eq.u32 %q3, %r7, "
      "0; @%q3 bra LOOK; membar.cta; SEEN: ",
      "WAIT_ALL: mbarrier.try_wait.parity.shared.b64 %q3, [m], 0; @!%q3 bra WAIT_ALL; "};
  for (const std::string& met : kMet) {
    SCOPED_TRACE(met);
    const bool flag = met.find("volatile") != std::string::npos;
    expect_no_finding(
        run_bulk({.before_wait = flag ? "mov.u32 %r7, 0; @%q0 bra SET; "
                                        "st.shared.u32 [s+1024], %r7; SET: bar.sync 0; "
                                      : "",
                  .wait = lane_0_waits + met,
                  .after_wait = after}));
  }
}

// Also across barriers, where the values are the same, and if nobody ever waits.
TEST(BulkCopy, IsAWriterOfItsDestinationAndAReaderOfItsSourceUntilTheWait) {
  struct Case {
    const char* name;
    BulkCase bulk;
    const char* access;
    const char* says;
  };
  const Case kCases[] = {
      {"a read, then a barrier",
       {.before_wait = "ld.shared.u32 %r0, [%r2+8]; bar.sync 0; "},
       "read",
       "meets a copy in flight"},
      {"a read of what nobody waits for",
       {.before_wait = "ld.shared.u32 %r0, [%r2+8]; ", .wait = ""},
       "read",
       "meets a copy in flight"},
      {"a store, then a barrier",
       {.before_wait = "mov.u32 %r5, 7; st.shared.u32 [%r2+8], %r5; bar.sync 0; "},
       "write",
       "meets a copy in flight"},
      {"a store to its source",
       {.before_wait = "mov.u32 %r5, 7; st.global.u32 [%p0+8], %r5; bar.sync 0; "},
       "write",
       "meets a copy in flight"}};
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    const KernelRun run = run_bulk(c.bulk);
    bool found = false;
    for (const Finding& f : run.result.findings) {
      if (f.kind == FindingKind::kRace && f.access == c.access &&
          f.message.english().find(c.says) != std::string::npos)
        found = true;
    }
    EXPECT_TRUE(found) << errors_of(run);
  }
}

TEST(BulkCopy, BothEndsAreChecked) {
  struct Wrong {
    const char* name;
    BulkCase c;
    FindingKind kind;
    const char* space;
    const char* message;
  };
  const Wrong cases[] = {
      {"size",
       {.size = "100", .after_wait = ""},
       FindingKind::kMisaligned,
       "global",
       "100 bytes, which is not a multiple of 16"},
      {"source",
       {.from = "8", .after_wait = ""},
       FindingKind::kMisaligned,
       "global",
       "which is not a multiple of 16"},
      {"destination",
       {.to = "4", .after_wait = ""},
       FindingKind::kMisaligned,
       "shared",
       "which is not a multiple of 16"},
      {"beyond the source",
       {.from = "2288", .after_wait = ""},
       FindingKind::kOutOfBounds,
       "global",
       "after the end"},
      {"beyond the destination",
       {.to = "1920", .after_wait = ""},
       FindingKind::kOutOfBounds,
       "shared",
       "after the end"},
  };
  for (const Wrong& w : cases) {
    SCOPED_TRACE(w.name);
    const KernelRun run = run_bulk(w.c);
    EXPECT_EQ(errors_of(run), "");
    const Finding* f = run.find(w.kind);
    ASSERT_NE(f, nullptr);
    EXPECT_EQ(f->space, w.space);
    EXPECT_NE(f->message.english().find(w.message), std::string::npos) << f->message;
    // The wait still ends.
    EXPECT_EQ(run.find(FindingKind::kTimeout), nullptr);
  }
}

// Measured on an H200 as lts__t_sectors_srcunit_tex_op_read: 256 sectors for 8,192 bytes, and 5 for
// 128 bytes that start at byte 16.
TEST(BulkCopy, TheModelsSeeEachSectorOnce) {
  AccessList seen;
  LaunchOptions options;
  options.threads = 1;
  options.accesses = &seen;
  expect_no_finding(run_bulk({.size = "1040", .from = "496"}, options));
  ASSERT_EQ(seen.requests.size(), 3u);
  EXPECT_EQ(seen.requests[0].size(), 1u);  // up to the next multiple of 512
  EXPECT_EQ(seen.requests[1].size(), 32u);
  EXPECT_EQ(seen.requests[2].size(), 32u);
  for (const auto& request : seen.requests) {
    for (size_t n = 1; n < request.size(); ++n) EXPECT_EQ(request[n], request[n - 1] + 16);
  }
}

// From shared memory to the buffer's second half, by thread 0. `fence` is executed by all threads.
struct StoreCase {
  std::string fence = "fence.proxy.async.shared::cta; bar.sync 0;";
  std::string size = "256";
  std::string from = "0";
  std::string to = "2048";
  std::string instruction = "cp.async.bulk.global.shared::cta.bulk_group";
  std::string wait = "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;";
  std::string after = "";  // by all threads, after thread 0's wait
};

KernelRun run_store(const StoreCase& c) {
  Words memory(1024, 7);
  return run_ptx(
      kernel_text(
          "mov.u32 %r1, %tid.x; mov.u32 %r2, s; shl.b32 %r3, %r1, 2; add.u32 %r4, %r2, %r3; "
          "add.u32 %r5, %r1, 100; st.shared.u32 [%r4], %r5; " +
              c.fence + "setp.ne.u32 %q0, %r1, 0; @%q0 bra AFTER; mov.u32 %r6, " + c.size +
              "; add.s64 %l0, %p0, " + c.to + "; add.u32 %r7, %r2, " + c.from + "; " +
              c.instruction + " [%l0], [%r7], %r6; " + c.wait + " AFTER: " + c.after + " ret;",
          1, "", kShared),
      {1, 1, 1}, {64, 1, 1}, {memory});
}

TEST(BulkCopy, SharedMemoryGoesToGlobalMemory) {
  const KernelRun copied = run_store({});
  expect_no_finding(copied);
  for (uint32_t n = 0; n < 64; ++n) EXPECT_EQ(copied.buffers[0][512 + n], 100 + n);
  EXPECT_EQ(copied.buffers[0][512 + 64], 7u);
  const KernelRun added =
      run_store({.instruction = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32"});
  expect_no_finding(added);
  for (uint32_t n = 0; n < 64; ++n) EXPECT_EQ(added.buffers[0][512 + n], 107 + n);
  // Without a wait for the writes they are done when the thread has exited.
  const KernelRun read_only =
      run_store({.wait = "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;"});
  expect_no_finding(read_only);
  EXPECT_EQ(read_only.buffers[0][512], 100u);
}

TEST(BulkCopy, WhatIsForgottenBesideACopyFromSharedMemory) {
  struct Forgotten {
    const char* name;
    StoreCase c;
    FindingKind kind;
    const char* says;
  };
  const Forgotten kCases[] = {
      {"no fence", {.fence = "bar.sync 0;"}, FindingKind::kRace, "without a fence.proxy.async"},
      {"no wait", {.wait = ""}, FindingKind::kRace, "without having waited for its copy in bulk"},
      {"the source is overwritten",
       {.wait = "cp.async.bulk.commit_group;",
        .after = "bar.sync 0; st.shared.u32 [%r4], 5; bar.sync 0; @%q0 bra END; "
                 "cp.async.bulk.wait_group 0; END: "},
       FindingKind::kRace,
       "may still read it"},
      {"the size", {.size = "100"}, FindingKind::kMisaligned, "100 bytes, which is not a multiple"},
      {"the source", {.from = "4"}, FindingKind::kMisaligned, "is not a multiple of 16"},
      {"the destination", {.to = "2056"}, FindingKind::kMisaligned, "is not a multiple of 16"},
      {"beyond the buffer", {.to = "4000"}, FindingKind::kOutOfBounds, "after the end"},
      {"beyond shared memory", {.from = "1920"}, FindingKind::kOutOfBounds, "after the end"},
  };
  for (const Forgotten& c : kCases) {
    SCOPED_TRACE(c.name);
    const KernelRun run = run_store(c.c);
    EXPECT_EQ(errors_of(run), "");
    bool found = false;
    std::string all;
    for (const Finding& f : run.result.findings) {
      all += f.message.english() + "\n";
      found = found || (f.kind == c.kind && f.message.english().find(c.says) != std::string::npos);
    }
    EXPECT_TRUE(found) << all;
  }
  // The fence of one thread after the barrier is enough, too; waiting for the reads as well.
  expect_no_finding(run_store({.fence = "bar.sync 0; fence.proxy.async;"}));
  expect_no_finding(
      run_store({.wait = "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;",
                 .after = "bar.sync 0; st.shared.u32 [%r4], 5;"}));
}

TEST(BulkCopy, AWaitForTooManyBytesIsToldFromTheCount) {
  LaunchOptions options;
  options.threads = 1;
  const KernelRun run = run_bulk(
      {.before_wait =
           "@%q0 bra MORE; mov.u32 %r9, 64; mbarrier.expect_tx.relaxed.cta.shared::cta.b64 "
           "[m], %r9; MORE: "},
      options);
  const Finding* f = run.find(FindingKind::kDeadlock);
  ASSERT_NE(f, nullptr);
  EXPECT_NE(f->message.english().find("64 bytes"), std::string::npos) << f->message;
}

// 192 bytes come, 128 were announced.
TEST(BulkCopy, AWaitForTooFewBytesIsToldFromTheCount) {
  const KernelRun run = run_ptx(
      kernel_text("mov.u32 %r2, s; mov.u32 %r6, m; mov.u32 %r3, 192; mov.u32 %r4, 128;"
                  "mbarrier.init.shared.b64 [m], 1;"
                  "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%p0], "
                  "%r3, [%r6]; mbarrier.arrive.expect_tx.shared.b64 _, [m], %r4;"
                  "WAIT: mbarrier.try_wait.parity.shared.b64 %q2, [m], 0; @!%q2 bra WAIT; ret;",
                  1, "", kShared),
      {1, 1, 1}, {1, 1, 1}, {Words(576, 0)});
  EXPECT_EQ(errors_of(run), "");
  const Finding* f = run.find(FindingKind::kDeadlock);
  ASSERT_NE(f, nullptr);
  EXPECT_NE(f->message.english().find("64 bytes more than expected"), std::string::npos)
      << f->message;
}

// One thread copies a box of 16-byte rows to s, by a map that it has put together at the start of a
// buffer: it writes the address of the tensor into it, which follows there.
KernelRun run_forged(TensorMap map, uint32_t shared_bytes) {
  map.type = TensorType::kU32;
  map.rank = 2;
  map.extents = {64, 8, 1, 1, 1};
  map.strides = {256, 0, 0, 0};
  Words memory(TensorMap::kBytes / 4 + 512);
  std::memcpy(memory.data(), encode(map).data(), TensorMap::kBytes);
  return run_ptx(
      kernel_text("mbarrier.init.shared.b64 [m], 1; add.u64 %l0, %p0, 128; cvt.u32.u64 %r1, %l0;"
                  "shr.u64 %l1, %l0, 32; cvt.u32.u64 %r2, %l1; st.global.u32 [%p0+12], %r1;"
                  "st.global.u32 [%p0+16], %r2; mov.u32 %r4, s; mov.u32 %r6, m; mov.u32 %r7, 0;"
                  "mbarrier.arrive.expect_tx.shared.b64 _, [m], " +
                      std::to_string(map.box_bytes()) +
                      ";"
                      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::"
                      "bytes [%r4], [%p0, {%r7, %r7}], [%r6];"
                      "mov.u32 %r8, 0; WAIT: add.u32 %r8, %r8, 1; setp.gt.u32 %q1, %r8, 50; @%q1 "
                      "bra OVER; mbarrier.try_wait.parity.shared.b64 %q2, [m], 0; @!%q2 bra WAIT;"
                      "OVER: ret;",
                  1, "",
                  ".shared .align 8 .b64 m; .shared .align 128 .b8 s[" +
                      std::to_string(shared_bytes) + "];"),
      {1, 1, 1}, {1, 1, 1}, {memory});
}

// A swizzle decides where in shared memory a chunk goes, so one that no driver makes must not be
// believed.
TEST(BulkCopy, AMapWithAnUnknownSwizzleIsNone) {
  for (const int swizzle : {16, 17, 19, 33, 129, 255}) {
    const KernelRun run =
        run_forged({.box = {4, 1, 1, 1, 1}, .swizzle_bytes = swizzle}, 200 * 1024);
    EXPECT_EQ(errors_of(run), "");
    const Finding* f = run.find(FindingKind::kTexture);
    ASSERT_NE(f, nullptr) << swizzle;
    EXPECT_NE(f->message.english().find("where there is no tensor map"), std::string::npos);
  }
  expect_no_finding(run_forged({.box = {4, 1, 1, 1, 1}, .swizzle_bytes = 32}, 1024));
}

// Rows of 16 bytes lie 128 apart, from byte 128 of shared memory on. The swizzle moves the seventh,
// at 896, to 1,008: the array must reach to 1,024.
TEST(BulkCopy, ASwizzledBoxLiesInTheArrayAsAWhole) {
  const TensorMap map = {.box = {4, 7, 1, 1, 1}, .swizzle_bytes = 128};
  expect_no_finding(run_forged(map, 896));
  EXPECT_NE(run_forged(map, 784).find(FindingKind::kOutOfBounds), nullptr);
}

}  // namespace
}  // namespace warpshop::emulator::testing
