// Warps that reach the same barrier through different calls of __syncthreads().
#include <string>

#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

// %r1: the thread, %r2: its warp; %q0, %q1: whether that is warp 0, warp 1.
const std::string kPlaceRegisters =
    "mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, 5; setp.eq.u32 %q0, %r2, 0; setp.eq.u32 %q1, %r2, 1; "
    "mov.u32 %r0, 7;";

KernelRun run_block(const std::string& body, const LaunchOptions& options = {}) {
  return run_ptx(kernel_text(kPlaceRegisters + body + "\n.loc 1 90 0\n" + kStoreR0, 1) +
                     ".file 1 \"k.cu\"\n.file 2 \"sync.h\"\n",
                 {1, 1, 1}, {128, 1, 1}, {Words(128, 0)}, options);
}

std::string in_branches(const std::string& one, const std::string& other) {
  return "@%q1 bra OTHER;\n" + one + "\nbra END;\nOTHER:\n" + other + "\nEND:";
}

struct Apart {
  const char* name;
  std::string body;
  const char* message;
  int line;
  int other_line;
};

TEST(BarrierPlaces, ABarrierInEachBranchIsAWarningThatNamesBothPlacesAndTheWarps) {
  const Apart cases[] = {
      {"branches", in_branches(".loc 1 18 3\nbar.sync 0;", ".loc 1 20 3\nbar.sync 0;"),
       "warp 1 of the block came to this barrier, warps 0, 2 and 3 to the one in line 18", 20, 18},
      {"a reduction among them",
       in_branches(".loc 1 18 3\nbar.sync 0;", ".loc 1 20 3\nbar.red.popc.u32 %r9, 0, %q0;"),
       "warp 1 of", 20, 18},
      {"a loop that warp 0 leaves sooner",
       "selp.u32 %r3, 1, 2, %q0;\nLOOP:\n.loc 1 30 5\nbar.sync 0; sub.u32 %r3, %r3, 1; setp.ne.u32 "
       "%q2, %r3, 0; @%q2 bra LOOP;\n"
       ".loc 1 32 3\nbar.sync 0;",
       "warps 1 to 3 of the block came to this barrier, warp 0 to the one in line 32", 30, 32},
      {"a function of the student's that is inlined twice",
       in_branches(".loc 1 5 3, function_name N, inlined_at 1 18 3\nbar.sync 0;",
                   ".loc 1 5 3, function_name N, inlined_at 1 20 3\nbar.sync 0;"),
       "warp 1 of", 5, 5},
      {"a function of a header that is inlined twice",
       in_branches(".loc 2 5 3, function_name N, inlined_at 1 18 3\nbar.sync 0;",
                   ".loc 2 5 3, function_name N, inlined_at 1 20 3\nbar.sync 0;"),
       "to the one in line 18", 20, 18},
  };
  for (const Apart& c : cases) {
    for (const uint64_t seed : {0, 1, 2, 3}) {
      SCOPED_TRACE(c.name);
      LaunchOptions options;
      options.order_seed = seed;
      const KernelRun run = run_block(c.body, options);
      ASSERT_EQ(errors_of(run), "");
      EXPECT_TRUE(run.result.completed);
      EXPECT_EQ(run.buffers.at(0), Words(128, 7));
      ASSERT_EQ(run.result.findings.size(), 1u);
      const Finding& f = run.result.findings[0];
      EXPECT_EQ(f.kind, FindingKind::kDivergentBarrier);
      EXPECT_EQ(f.severity, Severity::kWarning);
      EXPECT_EQ(f.place.line, c.line);
      ASSERT_TRUE(f.other_place.has_value());
      EXPECT_EQ(f.other_place->line, c.other_line);
      EXPECT_NE(f.message.english().find(c.message), std::string::npos) << f.message;
      EXPECT_FALSE(f.cause.empty());
    }
  }
}

TEST(BarrierPlaces, WhatIsOnePlaceOrMayBeTwoIsNoFinding) {
  struct Fine {
    const char* name;
    std::string body;
  };
  const Fine cases[] = {
      {"one barrier", ".loc 1 18 3\nbar.sync 0;"},
      {"a line that the compiler made two of",
       in_branches(".loc 1 18 3\nbar.sync 0;", ".loc 1 18 3\nbar.sync 0;")},
      {"one call, duplicated with what was inlined",
       in_branches(".loc 2 5 3, function_name N, inlined_at 1 18 3\nbar.sync 0;",
                   ".loc 2 5 3, function_name N, inlined_at 1 18 3\nbar.sync 0;")},
      {"lines that nobody knows",
       in_branches(".loc 1 0 0\nbar.sync 0;", ".loc 1 20 3\nbar.sync 0;")},
      {"a named barrier, which may be met from anywhere",
       in_branches(".loc 1 18 3\nbar.sync 1, 128;", ".loc 1 20 3\nbar.sync 1, 128;")},
      {"a named barrier of the whole block",
       in_branches(".loc 1 18 3\nbar.sync 2;", ".loc 1 20 3\nbar.sync 2;")},
      {"a count says that the author knows",
       in_branches(".loc 1 18 3\nbar.sync 0, 128;", ".loc 1 20 3\nbar.sync 0, 128;")},
      {"a warp that has left the kernel",
       "@%q0 bra LEAVE;\n.loc 1 18 3\nbar.sync 0;\nbra END;\nLEAVE:\n" + kStoreR0 + "\nEND:"},
      {"one that leaves a loop before a barrier that the others still meet",
       "mov.u32 %r9, %tid.x; mul.wide.u32 %l2, %r9, 4; add.s64 %l2, %p0, %l2; selp.u32 %r3, 1, 3, "
       "%q0;\nLOOP:\nst.global.u32 [%l2], %r0; sub.u32 %r3, %r3, 1; setp.eq.u32 %q2, %r3, 0; @%q2 "
       "ret;\n.loc 1 30 5\nbar.sync 0; bra LOOP;"},
      {"a named barrier that only some come to",
       "@%q0 bra END;\n.loc 1 18 3\nbar.sync 1, 96;\nEND:"},
  };
  for (const Fine& c : cases) {
    SCOPED_TRACE(c.name);
    const KernelRun run = run_block(c.body);
    EXPECT_EQ(errors_of(run), "");
    EXPECT_TRUE(run.result.completed);
    EXPECT_EQ(run.buffers.at(0), Words(128, 7));
    for (const Finding& f : run.result.findings) ADD_FAILURE() << f.message;
  }
}

TEST(BarrierPlaces, WarpsThatGoAroundABarrierAndEndAreToldOf) {
  struct Around {
    const char* name;
    std::string body;
    const char* message;
  };
  const Around cases[] = {
      {"an if", "@%q0 bra END;\n.loc 1 18 3\nbar.sync 0;\nEND:",
       "warps 1 to 3 of the block came to this barrier, warp 0 went around it"},
      {"a loop that warp 1 leaves sooner",
       "selp.u32 %r3, 2, 3, %q1;\nLOOP:\n.loc 1 18 3\nbar.sync 0; sub.u32 %r3, %r3, 1; setp.ne.u32 "
       "%q2, %r3, 0; @%q2 bra LOOP;",
       "warps 0, 2 and 3 of the block came to this barrier, warp 1 went around it"},
      {"half of the block",
       "or.pred %q2, %q0, %q1; @%q2 bra END;\n.loc 1 18 3\nbar.red.popc.u32 %r9, 0, %q0;\nEND:",
       "warps 2 and 3 of the block came to this barrier, warps 0 and 1 went around it"},
  };
  for (const Around& c : cases) {
    for (const uint64_t seed : {0, 1, 2, 3}) {
      SCOPED_TRACE(c.name);
      LaunchOptions options;
      options.order_seed = seed;
      const KernelRun run = run_block(c.body, options);
      ASSERT_EQ(errors_of(run), "");
      EXPECT_TRUE(run.result.completed);
      EXPECT_EQ(run.buffers.at(0), Words(128, 7));
      ASSERT_EQ(run.result.findings.size(), 1u);
      const Finding& f = run.result.findings[0];
      EXPECT_EQ(f.kind, FindingKind::kDivergentBarrier);
      EXPECT_EQ(f.severity, Severity::kWarning);
      EXPECT_EQ(f.place.line, 18);
      EXPECT_NE(f.message.english().find(c.message), std::string::npos) << f.message;
    }
  }
}

}  // namespace
}  // namespace warpshop::emulator::testing
