// cp.async: what arrives, when it arrives, and what a missing wait causes.
#include <gtest/gtest.h>

#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

// The buffer holds 1, 2, … 128, followed by the results from word 128 on. Thread t copies from byte
// 16t of the buffer to byte 16t of the tile.
KernelRun run_copy(const std::string& body, const std::string& before_body = {}) {
  Words memory(256, 0);
  for (uint32_t n = 0; n < 128; ++n) memory[n] = n + 1;
  const std::string start =
      "mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 4; cvt.u64.u32 %l0, %r1; add.s64 %l1, %p0, %l0;"
      "mov.u32 %r2, s; add.u32 %r2, %r2, %r1;";
  const std::string end =
      "ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r2]; st.global.v4.u32 [%l1+512], {%r4, %r5, %r6, "
      "%r7}; ret;";
  return run_ptx(kernel_text(start + before_body + body + end, 1, ".shared .align 16 .b8 s[512];"),
                 {1, 1, 1}, {32, 1, 1}, {memory});
}

const std::string kClear = "mov.u32 %r3, 99; st.shared.v4.u32 [%r2], {%r3, %r3, %r3, %r3};";

struct AsyncCopyCase {
  const char* name;
  const char* body;
  Words first;             // thread 0's four words
  Words second;            // thread 1's
  bool in_flight = false;  // read before it arrived
};

TEST(AsyncCopy, ArrivesAtTheWait) {
  const AsyncCopyCase kAsyncCopyCases[] = {
      {"16 bytes",
       "cp.async.cg.shared.global [%r2], [%l1], 16; cp.async.wait_all;",
       {1, 2, 3, 4},
       {5, 6, 7, 8}},
      {"8 bytes",
       "cp.async.ca.shared.global [%r2], [%l1+4], 4; cp.async.wait_all;",
       {2, 99, 99, 99},
       {6, 99, 99, 99}},
      {"4 bytes after 8",
       "cp.async.ca.shared.global.L2::128B [%r2+8], [%l1], 8; cp.async.ca.shared::cta.global "
       "[%r2+4], [%l1], 4;"
       "cp.async.wait_all;",
       {99, 1, 1, 2},
       {99, 5, 5, 6}},
      {"no wait: the old values",
       "cp.async.cg.shared.global [%r2], [%l1], 16; cp.async.commit_group;",
       {99, 99, 99, 99},
       {99, 99, 99, 99},
       true},
      {"a wait before the commit does not count",
       "cp.async.cg.shared.global [%r2], [%l1], 16; cp.async.wait_group 0; cp.async.commit_group;",
       {99, 99, 99, 99},
       {99, 99, 99, 99},
       true},
      {"the older of two groups",
       "cp.async.ca.shared.global [%r2], [%l1], 4; cp.async.commit_group; "
       "cp.async.ca.shared.global [%r2+4], [%l1], 4;"
       "cp.async.commit_group; cp.async.wait_group 1;",
       {1, 99, 99, 99},
       {5, 99, 99, 99},
       true},
      {"both groups",
       "cp.async.ca.shared.global [%r2], [%l1], 4; cp.async.commit_group; "
       "cp.async.ca.shared.global [%r2+4], [%l1], 4;"
       "cp.async.commit_group; cp.async.wait_group 0;",
       {1, 1, 99, 99},
       {5, 5, 99, 99}},
      {"empty groups count",
       "cp.async.ca.shared.global [%r2], [%l1], 4; cp.async.commit_group; cp.async.commit_group; "
       "cp.async.commit_group;"
       "cp.async.wait_group 2;",
       {1, 99, 99, 99},
       {5, 99, 99, 99}},
      {"only thread 0 waits",
       "setp.eq.u32 %q0, %r0, 0; cp.async.ca.shared.global [%r2], [%l1], 4; @%q0 "
       "cp.async.wait_all;",
       {1, 99, 99, 99},
       {99, 99, 99, 99},
       true},
      {"the rest of a short source is zero: 4 × (1 + tid) bytes of 16",
       "add.u32 %r8, %r0, 1; shl.b32 %r8, %r8, 2; min.u32 %r8, %r8, 16;"
       "cp.async.ca.shared.global [%r2], [%l1], 16, %r8; cp.async.wait_all;",
       {1, 0, 0, 0},
       {5, 6, 0, 0}},
      {"7 bytes of 8",
       "mov.u32 %r8, 7; cp.async.ca.shared.global [%r2], [%l1], 8, %r8; cp.async.wait_all;",
       {1, 2, 99, 99},
       {5, 6, 99, 99}},
      {"an ignored source is zero",
       "setp.eq.u32 %q0, %r0, 0; cp.async.cg.shared.global [%r2], [%l1], 16, %q0; "
       "cp.async.wait_all;",
       {0, 0, 0, 0},
       {5, 6, 7, 8}},
      {"the address register may change before the wait",
       "mov.u32 %r9, %r2; cp.async.cg.shared.global [%r9], [%l1], 16; mov.u32 %r9, 0; "
       "cp.async.wait_all;",
       {1, 2, 3, 4},
       {5, 6, 7, 8}},
      {"through an mbarrier",
       "setp.eq.u32 %q0, %r0, 0; @%q0 mbarrier.init.shared.b64 [m], 32; bar.sync 0;"
       "cp.async.cg.shared.global [%r2], [%l1], 16; cp.async.mbarrier.arrive.noinc.shared.b64 [m];"
       "$again: mbarrier.try_wait.parity.shared.b64 %q1, [m], 0; @!%q1 bra $again;",
       {1, 2, 3, 4},
       {5, 6, 7, 8}},
  };
  for (const AsyncCopyCase& c : kAsyncCopyCases) {
    SCOPED_TRACE(c.name);
    const KernelRun run = run_copy(std::string(c.body), ".shared .align 8 .b64 m;" + kClear);
    ASSERT_EQ(errors_of(run), "");
    ASSERT_EQ(run.result.findings.size(), c.in_flight ? 1u : 0u) << run.result.findings[0].message;
    if (c.in_flight) {
      EXPECT_EQ(run.result.findings[0].kind, FindingKind::kRace);
      EXPECT_NE(run.result.findings[0].message.english().find("copy in flight"), std::string::npos)
          << run.result.findings[0].message;
    }
    const Words& out = run.buffers[0];
    EXPECT_EQ(Words(out.begin() + 128, out.begin() + 132), c.first);
    EXPECT_EQ(Words(out.begin() + 132, out.begin() + 136), c.second);
  }
}

TEST(AsyncCopy, MissingWaitIsFound) {
  const KernelRun without =
      run_copy("cp.async.cg.shared.global [%r2], [%l1], 16; cp.async.commit_group;");
  ASSERT_EQ(errors_of(without), "");
  EXPECT_NE(without.find(FindingKind::kRace), nullptr);
  const KernelRun with = run_copy("cp.async.cg.shared.global [%r2], [%l1], 16; cp.async.wait_all;");
  EXPECT_TRUE(with.result.findings.empty());
}

// Between its start and its wait, a copy writes its destination and reads its source: conflicting
// accesses are reported with both lines. Thread t of 64 copies word t of the buffer to word t of s
// (line 10). %r2: its address in s, %l1: its source; %r5 and %l2: those of thread t xor 32.
struct InFlightCase {
  const char* name;
  std::string body;
  const char* access = nullptr;  // nullptr: no finding
  const char* other_access = "write";
  const char* space = "shared";
  int line = 11;
  int other_line = 10;
  bool by_itself = false;  // the thread conflicts with its own copy
};

TEST(AsyncCopy, IsMetByWhoeverComesBetween) {
  const std::string copy =
      "\n.loc 1 10 1\ncp.async.ca.shared.global [%r2], [%l1], 4; cp.async.commit_group;\n.loc 1 11 "
      "1\n";
  const std::string wait = "\n.loc 1 20 1\ncp.async.wait_all;\n.loc 1 21 1\n";
  const InFlightCase kCases[] = {
      {"its own read", copy + "ld.shared.u32 %r8, [%r2];" + wait, "read", "write", "shared", 11, 10,
       true},
      {"its own store", copy + "st.shared.u32 [%r2], 5;" + wait, "write", "write", "shared", 11, 10,
       true},
      {"another's read", copy + "ld.shared.u32 %r8, [%r5];" + wait, "read"},
      {"another's read after a barrier", copy + "bar.sync 0; ld.shared.u32 %r8, [%r5];" + wait,
       "read"},
      {"another's atomic after a barrier", copy + "bar.sync 0; red.shared.add.u32 [%r5], 1;" + wait,
       "atomic"},
      {"another's read after a wait and a barrier",
       copy + wait + "bar.sync 0; ld.shared.u32 %r8, [%r5];"},
      {"another's read after a wait without a barrier", copy + wait + "ld.shared.u32 %r8, [%r5];",
       "read", "write", "shared", 21, 10},
      {"a read of another buffer", copy + "ld.shared.u32 %r8, [%r5+256];" + wait},
      {"a second copy to the same place",
       copy + "cp.async.ca.shared.global [%r2], [%l2], 4; cp.async.commit_group;" + wait, "write",
       "write", "shared", 11, 10, true},
      {"a second copy of the same",
       copy + "cp.async.ca.shared.global [%r2], [%l1], 4; cp.async.commit_group;" + wait},
      {"a copy over what another has just read",
       ".loc 1 9 1\nld.shared.u32 %r8, [%r5];" + copy + "bar.sync 0;" + wait, "read", "write",
       "shared", 9, 10},
      {"a copy over what another has read before a barrier",
       ".loc 1 9 1\nld.shared.u32 %r8, [%r5]; bar.sync 0;" + copy + wait},
      {"a store to its own source", copy + "st.global.u32 [%l1], 7;" + wait, "write", "read",
       "global", 11, 10, true},
      {"a store to another's source after a barrier",
       copy + "bar.sync 0; st.global.u32 [%l2], 7;" + wait, "write", "read", "global"},
      {"a store to its source after the wait", copy + wait + "st.global.u32 [%l1], 7;"},
      {"a store beside its source", copy + "st.global.u32 [%l1+256], 7;" + wait},
      {"a read of its source", copy + "ld.global.u32 %r8, [%l2];" + wait},
  };
  const std::string start =
      "mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2; cvt.u64.u32 %l0, %r1; add.s64 %l1, %p0, %l0; "
      "xor.b32 %r4, %r1, 128; cvt.u64.u32 %l3, %r4;"
      "add.s64 %l2, %p0, %l3; mov.u32 %r2, s; add.u32 %r5, %r2, %r4; add.u32 %r2, %r2, %r1;"
      "st.shared.u32 [%r2], 1000; st.shared.u32 [%r2+256], 2;"
      "bar.sync 0;\n";
  Words memory(128);
  for (uint32_t n = 0; n < 128; ++n) memory[n] = n;
  for (const InFlightCase& c : kCases) {
    SCOPED_TRACE(c.name);
    const KernelRun run =
        run_ptx(kernel_text(start + c.body + "\nret;", 1, ".shared .align 16 .b8 s[512];") +
                    ".file 1 \"tile.cu\"\n",
                {1, 1, 1}, {64, 1, 1}, {memory});
    ASSERT_EQ(errors_of(run), "");
    ASSERT_EQ(run.result.findings.size(), c.access == nullptr ? 0u : 1u)
        << run.result.findings[1].message;
    if (c.access == nullptr) continue;
    const Finding& f = run.result.findings[0];
    EXPECT_EQ(f.kind, FindingKind::kRace);
    EXPECT_EQ(f.severity, Severity::kError);
    EXPECT_EQ(f.space, c.space);
    EXPECT_EQ(f.access, c.access);
    EXPECT_EQ(f.other_access, c.other_access);
    EXPECT_EQ(f.place.line, c.line);
    ASSERT_TRUE(f.other_place.has_value());
    EXPECT_EQ(f.other_place->line, c.other_line);
    ASSERT_TRUE(f.other_who.has_value());
    EXPECT_EQ(f.who.thread == f.other_who->thread, c.by_itself);
    EXPECT_FALSE(f.cause.empty());
  }
}

TEST(AsyncCopy, BothEndsAreChecked) {
  const KernelRun source =
      run_copy("cp.async.ca.shared.global [%r2], [%l1+1024], 4; cp.async.wait_all;", kClear);
  ASSERT_NE(source.find(FindingKind::kOutOfBounds), nullptr);
  EXPECT_EQ(source.find(FindingKind::kOutOfBounds)->space, "global");
  const KernelRun target =
      run_copy("cp.async.ca.shared.global [%r2+512], [%l1], 4; cp.async.wait_all;", kClear);
  ASSERT_NE(target.find(FindingKind::kOutOfBounds), nullptr);
  EXPECT_EQ(target.find(FindingKind::kOutOfBounds)->space, "shared");
  const KernelRun odd =
      run_copy("cp.async.ca.shared.global [%r2], [%l1+4], 8; cp.async.wait_all;", kClear);
  ASSERT_NE(odd.find(FindingKind::kMisaligned), nullptr);
}

TEST(AsyncCopy, IsAReadAndAWriteForTheModels) {
  const KernelRun run = run_copy("cp.async.cg.shared.global [%r2], [%l1], 16; cp.async.wait_all;");
  ASSERT_GE(run.sites.size(), 2u);
  EXPECT_EQ(run.sites[0].space, ptx::Space::kGlobal);
  EXPECT_EQ(run.sites[0].kind, AccessKind::kLoad);
  EXPECT_EQ(run.sites[0].width_bytes(), 16);
  EXPECT_EQ(run.sites[1].space, ptx::Space::kShared);
  EXPECT_EQ(run.sites[1].kind, AccessKind::kStore);
}

TEST(AsyncCopy, OtherSizesAreRefused) {
  for (const char* body : {"cp.async.ca.shared.global [%r2], [%l1], 12;",
                           "cp.async.cg.shared.global [%r2], [%l1], 8;"}) {
    SCOPED_TRACE(body);
    EXPECT_NE(errors_of(run_copy(body)).find("cannot run"), std::string::npos);
  }
}

// Loads and stores with any cache operator, hint and order return the plain value.
TEST(CacheHints, ChangeNoValue) {
  for (const char* load :
       {"ld.global.ca.u32 %r4, [%l1];", "ld.global.cg.u32 %r4, [%l1];",
        "ld.global.cs.u32 %r4, [%l1];", "ld.global.lu.u32 %r4, [%l1];",
        "ld.global.cv.u32 %r4, [%l1];", "ld.volatile.global.u32 %r4, [%l1];",
        "ld.relaxed.gpu.global.u32 %r4, [%l1];", "ld.acquire.sys.global.u32 %r4, [%l1];",
        "ld.weak.global.u32 %r4, [%l1];", "ld.mmio.relaxed.sys.global.u32 %r4, [%l1];",
        "ld.global.nc.u32 %r4, [%l1];", "ld.global.nc.L1::no_allocate.L2::256B.u32 %r4, [%l1];",
        "ldu.global.u32 %r4, [%l1];",
        ("createpolicy.fractional.L2::evict_first.b64 %l5, 1.0; ld.global.L2::cache_hint.u32 %r4, "
         "[%l1], %l5;"),
        "ld.global.L1::evict_last.v4.u32 {%r4, %r5, %r6, %r7}, [%l1];",
        "ld.v2.u32 {%r4, %r5}, [%l1];",
        ("prefetch.global.L2 [%l1]; prefetchu.L1 [%l1]; prefetch.global.L2::evict_last [%l1]; "
         "ld.u32 %r4, [%l1];"),
        "ld.global.v2.u64 {%l5, %l6}, [%l1]; cvt.u32.u64 %r4, %l5;"}) {
    for (const char* store :
         {"st.global.wb.u32 [%l1+512], %r4;", "st.global.cg.u32 [%l1+512], %r4;",
          "st.global.cs.u32 [%l1+512], %r4;", "st.global.wt.u32 [%l1+512], %r4;",
          "st.volatile.global.u32 [%l1+512], %r4;", "st.relaxed.cta.global.u32 [%l1+512], %r4;",
          "st.release.gpu.global.u32 [%l1+512], %r4;",
          "st.mmio.relaxed.sys.global.u32 [%l1+512], %r4;",
          "st.global.L1::no_allocate.u32 [%l1+512], %r4;",
          "mov.u64 %l7, 0; st.global.L2::cache_hint.u32 [%l1+512], %r4, %l7;"}) {
      SCOPED_TRACE(std::string(load) + " " + store);
      const KernelRun run = run_copy(std::string(load) + store + "ret;");
      ASSERT_EQ(errors_of(run), "");
      EXPECT_EQ(run.buffers[0][128], 1u);
      EXPECT_EQ(run.buffers[0][132], 5u);
    }
  }
}

TEST(CacheHints, ThirtyTwoBytesAtOnce) {
  const std::string half_the_lanes = "setp.lt.u32 %q0, %r0, 8; @!%q0 ret; add.s64 %l1, %l1, %l0;";
  const KernelRun words =
      run_copy(half_the_lanes +
               "ld.global.v8.b32 {%r4,%r5,%r6,%r7,%r8,%r9,%r10,%r11}, [%l1];"
               "st.global.v8.b32 [%l1+512], {%r11,%r10,%r9,%r8,%r7,%r6,%r5,%r4}; ret;");
  ASSERT_EQ(errors_of(words), "");
  EXPECT_EQ(Words(words.buffers[0].begin() + 136, words.buffers[0].begin() + 144),
            (Words{16, 15, 14, 13, 12, 11, 10, 9}));
  const KernelRun doubles = run_copy(half_the_lanes +
                                     "ld.global.v4.b64 {%l2,%l3,%l4,%l5}, [%l1]; st.global.v4.b64 "
                                     "[%l1+512], {%l5,%l4,%l3,%l2}; ret;");
  ASSERT_EQ(errors_of(doubles), "");
  EXPECT_EQ(Words(doubles.buffers[0].begin() + 128, doubles.buffers[0].begin() + 136),
            (Words{7, 8, 5, 6, 3, 4, 1, 2}));
  EXPECT_NE(
      errors_of(run_copy("ld.shared.v4.b64 {%l2,%l3,%l4,%l5}, [%r2];")).find("only for .global"),
      std::string::npos);
}

// A loop that never waits keeps at most 4,096 copies in host
// memory; beyond that, the oldest arrive.
TEST(AsyncCopy, ManyCopiesThatNobodyWaitsForArriveInTheEnd) {
  for (const int copies : {100, 5000, 200000}) {
    const KernelRun run = run_ptx(
        kernel_text(
            "mov.u32 %r1, 0; L: cp.async.ca.shared.global [s], [%p0], 4; add.u32 %r1, %r1, 1;"
            "setp.lt.u32 %q0, %r1, " +
                std::to_string(copies) +
                "; @%q0 bra L;"
                "ld.shared.u32 %r0, [s]; st.global.u32 [%p0+4], %r0; ret;",
            1, "", ".shared .align 4 .b8 s[4];"),
        {1, 1, 1}, {1, 1, 1}, {Words{77, 0}});
    ASSERT_EQ(errors_of(run), "");
    EXPECT_EQ(run.buffers.at(0)[1], copies > 4096 ? 77u : 0u) << copies;
    EXPECT_NE(run.find(FindingKind::kRace), nullptr) << copies;
  }
}

struct GroupsLeftCase {
  const char* name;
  const char* body;
  uint32_t groups;
};

TEST(AsyncCopy, GroupsInFlightAreThoseBehindAReadOfSharedMemory) {
  const std::string copy = "cp.async.ca.shared.global [%r2], [%l1], 4;";
  const std::string group = copy + "cp.async.commit_group;";
  // Elsewhere. One more follows the body, with nothing in flight.
  const std::string read = "ld.shared.u32 %r5, [%r2+8];";
  const GroupsLeftCase cases[] = {
      {"each one waited for", "G cp.async.wait_group 0; R G cp.async.wait_group 0; R", 0},
      {"one of two left", "G G cp.async.wait_group 1; R R cp.async.wait_all; R", 1},
      {"two of three left, then one", "G G G cp.async.wait_group 2; R R cp.async.wait_group 1; R",
       2},
      {"started after the wait", "G cp.async.wait_group 0; G G R cp.async.wait_all;", 2},
      {"nothing read meanwhile", "G G cp.async.wait_group 1; cp.async.wait_all; R", 0},
      {"empty groups do not count",
       "G cp.async.commit_group; cp.async.commit_group; cp.async.wait_group 3; R", 1},
      {"nor copies without a commit", "G C R cp.async.wait_all;", 1},
      {"two copies of one group", "C G R cp.async.wait_all;", 1},
      // What is in flight once, or beside the tile, hides nothing.
      {"during one read of five", "G cp.async.wait_group 0; G R cp.async.wait_all; R R R", 0},
      {"during two of four", "G cp.async.wait_group 0; R G R R cp.async.wait_all;", 1},
      {"a quarter of the largest group", "C C C G cp.async.wait_group 0; G R cp.async.wait_all;",
       0},
      {"half of it", "C G cp.async.wait_group 0; G R cp.async.wait_all;", 1},
  };
  for (const GroupsLeftCase& c : cases) {
    std::string body;
    for (const char letter : std::string(c.body)) {
      body += letter == 'G'   ? group
              : letter == 'C' ? copy
              : letter == 'R' ? read
                              : std::string(1, letter);
    }
    EXPECT_EQ(run_copy(body + "cp.async.wait_all;").result.copy_groups_in_flight, c.groups)
        << c.name;
  }
}

}  // namespace
}  // namespace warpshop::emulator::testing
