// Loads, stores and atomics: their values and their findings.
#include <algorithm>
#include <set>

#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

// %l0 points at this thread's word of the first buffer.
const std::string kOwnWord =
    "mov.u32 %r31, %tid.x; mul.wide.u32 %l0, %r31, 4; add.s64 %l0, %p0, %l0;";

TEST(MemoryTest, SignAndWidthOfNarrowLoads) {
  struct Case {
    const char* load;
    uint32_t expected;
  };
  const Case cases[] = {
      {"ld.global.u8 %r0, [%p0];", 0x88},
      {"ld.global.s8 %r0, [%p0];", 0xffffff88},
      {"ld.global.u16 %r0, [%p0];", 0x9988},
      {"ld.global.s16 %r0, [%p0+2];", 0xffffbbaa},
      {"ld.global.u32 %r0, [%p0+4];", 0x76543210},
      {"ld.u32 %r0, [%p0];", 0xbbaa9988},
      {"ld.global.v2.u32 {%r1, %r0}, [%p0];", 0x76543210},
      {"ld.global.v2.u32 {_, %r0}, [%p0];", 0x76543210},
      {"ld.global.u64 %l1, [%p0]; shr.u64 %l1, %l1, 32; cvt.u32.u64 %r0, %l1;", 0x76543210}};
  for (const Case& c : cases) {
    const KernelRun run =
        run_ptx(kernel_text(std::string(c.load) + "st.global.u32 [%p1], %r0; ret;", 2), {1, 1, 1},
                {1, 1, 1}, {{0xbbaa9988, 0x76543210}, {0}});
    ASSERT_EQ(errors_of(run), "") << c.load;
    EXPECT_EQ(run.buffers[1][0], c.expected) << c.load;
  }
}

TEST(MemoryTest, OneByteIsNoPlural) {
  const KernelRun run =
      run_ptx(kernel_text("ld.global.u8 %r0, [%p0+8]; st.global.u32 [%p0], %r0; ret;", 1),
              {1, 1, 1}, {1, 1, 1}, {Words(2)});
  const Finding* f = run.find(FindingKind::kOutOfBounds);
  ASSERT_NE(f, nullptr);
  EXPECT_NE(f->message.english().find("read of 1 byte at 0x"), std::string::npos) << f->message;
}

TEST(MemoryTest, GenericAddressesReachEverySpace) {
  const std::string body = kOwnWord +
                           "cvta.shared.u64 %l1, s; mul.wide.u32 %l2, %r31, 4; add.s64 %l1, %l1, "
                           "%l2; add.u32 %r1, %r31, 7; st.u32 [%l1], %r1;"
                           "isspacep.shared %q0, %l1; isspacep.global %q1, %l0; ld.u32 %r0, [%l1]; "
                           "@%q0 add.u32 %r0, %r0, 100; @%q1 add.u32 %r0, %r0, 1000;"
                           "cvta.to.shared.u64 %l3, %l1; ld.shared.u32 %r2, [%l3]; add.u32 %r0, "
                           "%r0, %r2; st.global.u32 [%l0], %r0; ret;";
  // cvta takes a module variable by its name.
  const KernelRun run = run_ptx(kernel_text(body, 1, ".shared .align 4 .b8 s[128];"), {1, 1, 1},
                                {32, 1, 1}, {Words(32)});
  ASSERT_EQ(errors_of(run), "");
  EXPECT_TRUE(run.result.findings.empty());
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(run.buffers[0][t], 2 * (t + 7) + 1100);
}

TEST(MemoryTest, ConstantsAndGlobalVariablesKeepTheirInitialisers) {
  const std::string before =
      ".const .align 4 .u32 table[4] = {10, 20, 30, 40}; .global .align 4 .u32 counter = 5; "
      ".global .align 8 .u64 place = counter;";
  const std::string body = kOwnWord +
                           "and.b32 %r1, %r31, 3; mov.u64 %l1, table; mul.wide.u32 %l2, %r1, 4; "
                           "add.s64 %l1, %l1, %l2; ld.const.u32 %r0, [%l1];"
                           "ld.global.u64 %l3, [place]; ld.global.u32 %r2, [%l3]; add.u32 %r0, "
                           "%r0, %r2; ld.const.u32 %r3, [table+12];"
                           "add.u32 %r0, %r0, %r3; st.global.u32 [%l0], %r0; ret;";
  const KernelRun run = run_ptx(kernel_text(body, 1, before), {1, 1, 1}, {32, 1, 1}, {Words(32)});
  ASSERT_EQ(errors_of(run), "");
  EXPECT_TRUE(run.result.findings.empty());
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(run.buffers[0][t], 10 * ((t & 3) + 1) + 5 + 40);
}

TEST(MemoryTest, LocalMemoryBelongsToTheThread) {
  const std::string body =
      kOwnWord +
      "mov.u64 %l1, depot; and.b32 %r1, %r31, 3; mul.wide.u32 %l2, %r1, 4; add.s64 %l2, %l1, %l2; "
      "st.local.u32 [%l2], %r31;"
      "cvta.local.u64 %l3, %l2; ld.u32 %r0, [%l3]; st.global.u32 [%l0], %r0; ret;";
  const KernelRun run = run_ptx(kernel_text(body, 1, "", ".local .align 4 .b8 depot[16];"),
                                {1, 1, 1}, {64, 1, 1}, {Words(64)});
  ASSERT_EQ(errors_of(run), "");
  EXPECT_TRUE(run.result.findings.empty());
  for (uint32_t t = 0; t < 64; ++t) EXPECT_EQ(run.buffers[0][t], t);
}

TEST(MemoryTest, AtomicsOfManyBlocksLoseNothing) {
  const std::string body =
      "atom.global.add.u32 %r0, [%p0], 1; red.global.add.u32 [%p0+4], 2; atom.global.max.s32 %r1, "
      "[%p0+8], -3;"
      "mov.u32 %r2, %tid.x; atom.global.max.u32 %r3, [%p0+12], %r2; red.global.or.b32 [%p0+16], 6; "
      "mov.f32 %f0, 0f3F000000;"
      "red.global.add.f32 [%p0+20], %f0; atom.global.inc.u32 %r4, [%p0+24], 9; ret;";
  const KernelRun run =
      run_ptx(kernel_text(body, 1), {50, 1, 1}, {64, 1, 1}, {{0, 0, 0xfffffff0, 0, 1, 0, 0}});
  ASSERT_EQ(errors_of(run), "");
  EXPECT_EQ(run.buffers[0][0], 3200u);
  EXPECT_EQ(run.buffers[0][1], 6400u);
  EXPECT_EQ(run.buffers[0][2], 0xfffffffdu);
  EXPECT_EQ(run.buffers[0][3], 63u);
  EXPECT_EQ(run.buffers[0][4], 7u);
  EXPECT_EQ(run.buffers[0][5], 0x44c80000u);  // 1600.0
  EXPECT_EQ(run.buffers[0][6], 3200u % 10);
}

TEST(MemoryTest, CompareAndSwapBuildsAChain) {
  // Every lane takes a ticket with cas, so the results are a permutation.
  const std::string body =
      "mov.u32 %r31, %tid.x; mov.u32 %r0, 0; LOOP: add.u32 %r1, %r0, 1; atom.global.cas.b32 %r2, "
      "[%p1], %r0, %r1;"
      "setp.eq.u32 %q0, %r2, %r0; mov.u32 %r3, %r0; mov.u32 %r0, %r2; @!%q0 bra LOOP; mul.wide.u32 "
      "%l0, %r31, 4;"
      "add.s64 %l0, %p0, %l0; st.global.u32 [%l0], %r3; ret;";
  const KernelRun run = run_ptx(kernel_text(body, 2), {1, 1, 1}, {96, 1, 1}, {Words(96), {0}});
  ASSERT_EQ(errors_of(run), "");
  const std::set<uint32_t> tickets(run.buffers[0].begin(), run.buffers[0].end());
  EXPECT_EQ(tickets.size(), 96u);
  EXPECT_EQ(*tickets.rbegin(), 95u);
}

struct BadCase {
  const char* name;
  std::string body;
  FindingKind kind;
  const char* space;
  const char* access;
  int64_t distance;
  uint64_t count;
  std::string declarations;
};

class BadAccessTest : public ::testing::TestWithParam<BadCase> {};

TEST_P(BadAccessTest, IsFoundAndTheRestOfTheKernelRuns) {
  const BadCase& c = GetParam();
  const KernelRun run = run_ptx(kernel_text(c.body, 2, "", c.declarations), {1, 1, 1}, {32, 1, 1},
                                {Words(24, 1), Words(32)});
  ASSERT_EQ(errors_of(run), "");
  ASSERT_EQ(run.result.findings.size(), 1u);
  const Finding& f = run.result.findings[0];
  EXPECT_EQ(f.kind, c.kind);
  EXPECT_EQ(f.space, c.space);
  EXPECT_EQ(f.access, c.access);
  EXPECT_EQ(f.distance_bytes, c.distance);
  EXPECT_EQ(f.count, c.count);
  EXPECT_FALSE(f.message.empty());
  EXPECT_FALSE(f.cause.empty());
  EXPECT_TRUE(run.result.completed);
}

const BadCase kBadCases[] = {
    {"read_past_the_end", kOwnWord + "ld.global.u32 %r0, [%l0]; ret;", FindingKind::kOutOfBounds,
     "global", "read", 4, 8, ""},
    {"write_past_the_end", kOwnWord + "st.global.u32 [%l0], %r0; ret;", FindingKind::kOutOfBounds,
     "global", "write", 4, 8, ""},
    {"one_before_the_start", "setp.eq.u32 %q0, %r31, 1; ld.global.u32 %r0, [%p1+-4]; ret;",
     FindingKind::kOutOfBounds, "global", "read", -4, 32, ""},
    {"null_write", "mov.u64 %l1, 0; st.global.u32 [%l1], %r0; ret;", FindingKind::kOutOfBounds,
     "global", "write", 0, 32, ""},
    {"misaligned_vector",
     kOwnWord + "and.b32 %r30, %r31, 0; ld.global.v2.u32 {%r0, %r1}, [%p0+4]; ret;",
     FindingKind::kMisaligned, "global", "read", 0, 32, ""},
    {"shared_past_the_end",
     "mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, s; add.u32 %r3, %r3, %r2; "
     "st.shared.u32 [%r3], %r1; ret;",
     FindingKind::kOutOfBounds, "shared", "write", 4, 2, ".shared .align 4 .b8 s[120];"},
    {"local_past_the_end", "mov.u64 %l1, d; st.local.u32 [%l1+16], %r0; ret;",
     FindingKind::kOutOfBounds, "local", "write", 4, 32, ".local .align 4 .b8 d[16];"},
    {"shared_never_written", "mov.u32 %r3, s; ld.shared.u32 %r0, [%r3+8]; ret;",
     FindingKind::kUninitialised, "shared", "read", 0, 32, ".shared .align 4 .b8 s[120];"},
    {"local_never_written",
     "mov.u64 %l1, d; st.local.u32 [%l1], %r0; ld.local.u32 %r1, [%l1+4]; st.global.u32 [%p0], "
     "%r1; ret;",
     FindingKind::kUninitialised, "local", "read", 0, 32, ".local .align 4 .b8 d[16];"},
    {"atomic_past_the_end", kOwnWord + "red.global.add.u32 [%l0+4], 1; ret;",
     FindingKind::kOutOfBounds, "global", "atomic", 4, 9, ""},
};
INSTANTIATE_TEST_SUITE_P(Kernels, BadAccessTest, ::testing::ValuesIn(kBadCases),
                         [](const auto& test) { return std::string(test.param.name); });

// An exchange whose result nobody uses is a store.
TEST(MemoryTest, AWordMayFirstBeWrittenByAnExchange) {
  for (const bool used : {false, true}) {
    const std::string out = used ? "%r5" : "%r4";
    const KernelRun run =
        run_ptx(kernel_text("mov.u32 %r3, s; mov.u32 %r4, 7; atom.shared.exch.b32 %r5, [%r3], %r4;"
                            "st.global.u32 [%p0], " +
                                out + "; ret;",
                            1, "", ".shared .align 4 .b8 s[4];"),
                {1, 1, 1}, {1, 1, 1}, {Words(1)});
    ASSERT_EQ(errors_of(run), "");
    EXPECT_EQ(run.find(FindingKind::kUninitialised) != nullptr, used);
  }
}

TEST(MemoryTest, OneArrayOfSharedMemoryIsNotItsNeighbour) {
  // Thread 31 writes s[32], which is t[0]: within the block's shared memory, but wrong.
  const std::string body =
      "mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 1; shl.b32 %r3, %r2, 2; mov.u32 %r4, s; add.u32 %r5, "
      "%r4, %r3; st.shared.u32 [%r5], %r1;"
      "mov.u32 %r6, t; shl.b32 %r7, %r1, 2; add.u32 %r8, %r6, %r7; st.shared.u32 [%r8], %r1; ret;";
  const KernelRun run =
      run_ptx(kernel_text(body, 1, "", ".shared .align 4 .b8 s[128]; .shared .align 4 .b8 t[128];"),
              {1, 1, 1}, {32, 1, 1}, {Words(1)});
  ASSERT_EQ(errors_of(run), "");
  ASSERT_EQ(run.result.findings.size(), 1u);
  EXPECT_EQ(run.result.findings[0].kind, FindingKind::kOutOfBounds);
  EXPECT_EQ(run.result.findings[0].allocation, "s");
  EXPECT_EQ(run.result.findings[0].distance_bytes, 4);
  EXPECT_EQ(run.result.findings[0].who.thread.x, 31u);
}

TEST(MemoryTest, AnAccessAcrossTheEndIsToldByTheBytesThatLiePastIt) {
  const KernelRun run = run_ptx(
      kernel_text("mov.u32 %r0, 1; st.global.v4.u32 [%p0+32], {%r0, %r0, %r0, %r0}; ret;", 1),
      {1, 1, 1}, {1, 1, 1}, {Words(10)});
  ASSERT_EQ(errors_of(run), "");
  const Finding* f = run.find(FindingKind::kOutOfBounds);
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->distance_bytes, 8);
  EXPECT_NE(
      f->message.english().find("the last 8 bytes lie past the end of \"buffer 0\" (40 bytes)"),
      std::string::npos)
      << f->message;
}

TEST(MemoryTest, ABufferThatNothingWroteIsNoticed) {
  ptx::ParseOutput parsed = ptx::parse(kernel_text("ld.global.u32 %r0, [%p0+4]; st.global.u32 "
                                                   "[%p0+8], %r0; ld.global.u32 %r1, [%p0+8]; ret;",
                                                   1),
                                       "t");
  const Result<Program> program =
      Program::decode(std::make_shared<ptx::Module>(std::move(parsed.module)), "k");
  ASSERT_TRUE(program.ok());
  DeviceMemory memory;
  const DevicePointer p = *memory.allocate(64, "out");
  const LaunchConfig config{.grid = {1, 1, 1},
                            .block = {1, 1, 1},
                            .dynamic_shared_bytes = 0,
                            .args = {Argument::pointer(p)}};
  const Result<LaunchResult> result = launch(*program, memory, config, {});
  ASSERT_TRUE(result.ok());
  ASSERT_EQ(result->findings.size(), 1u);
  EXPECT_EQ(result->findings[0].kind, FindingKind::kUninitialised);
  EXPECT_EQ(result->findings[0].allocation, "out");
  EXPECT_EQ(result->findings[0].address, p + 4);
}

TEST(MemoryTest, AllocationsAreAlignedAndApart) {
  DeviceMemory memory(1 << 20);
  const DevicePointer a = *memory.allocate(100, "a");
  const DevicePointer b = *memory.allocate(1, "b");
  EXPECT_EQ(a % 512, 0u);
  EXPECT_EQ(b % 512, 0u);
  EXPECT_GE(b, a + 100 + 4096);
  EXPECT_EQ(memory.find(a + 99)->name, "a");
  EXPECT_EQ(memory.find(a + 100), nullptr);
  const Result<DevicePointer> too_much = memory.allocate(1 << 20, "c");
  ASSERT_FALSE(too_much.ok());
  EXPECT_NE(too_much.errors()[0].message.english().find("\"c\""), std::string::npos);
}

// Counts the accesses that it receives.
class Recorder : public AccessSinkFactory, public AccessSink {
 public:
  AccessSink* make_sink(const std::vector<AccessSite>&, int) override { return this; }
  void on_access(const WarpIdentity& warp, const AccessSite& site,
                 const WarpAccess& access) override {
    seen.push_back({warp, site.text, access});
  }
  struct Seen {
    WarpIdentity warp;
    std::string text;
    WarpAccess access;
  };
  std::vector<Seen> seen;
};

TEST(TraceTest, EveryAccessIsToldWithItsLanesAndAddresses) {
  Recorder recorder;
  LaunchOptions options;
  options.threads = 1;
  options.accesses = &recorder;
  const std::string body =
      kOwnWord + "setp.lt.u32 %q0, %r31, 40; @%q0 st.global.u32 [%l0+8], %r31; ret;";
  const KernelRun run = run_ptx(kernel_text(body, 1), {1, 1, 1}, {64, 1, 1}, {Words(64)}, options);
  ASSERT_EQ(errors_of(run), "");
  ASSERT_EQ(recorder.seen.size(), 2u);
  EXPECT_EQ(recorder.seen[0].access.active_mask, 0xffffffffu);
  EXPECT_EQ(recorder.seen[1].access.active_mask, 0xffu);
  EXPECT_EQ(recorder.seen[1].warp.warp, 1u);
  EXPECT_EQ(recorder.seen[0].text, "st.global.u32 [%l0+8], %r31");
  const uint64_t base = recorder.seen[0].access.address[0];
  for (uint64_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(recorder.seen[0].access.address[lane], base + 4 * lane);
  EXPECT_EQ(recorder.seen[1].access.address[3], base + 4 * 35);
}

// Blocks of 8 threads: on two emulation threads, many blocks write to the same line
// at once, and no write may be lost. A second launch reads what the first one
// wrote; a third one reads three words more.
TEST(WrittenTest, IsKnownToTheNextLaunchOnOneThreadAndOnSeveral) {
  constexpr uint32_t kBlocks = 4096, kThreads = 8, kWords = kBlocks * kThreads + 3;
  const std::string index =
      "mov.u32 %r0, %ctaid.x; mov.u32 %r1, %tid.x; mad.lo.u32 %r31, %r0, 8, %r1;"
      "mul.wide.u32 %l0, %r31, 4; add.s64 %l1, %p0, %l0; add.s64 %l2, %p1, %l0;";
  const auto decode = [](const std::string& text) {
    ptx::ParseOutput parsed = ptx::parse(text, "test.ptx");
    return Program::decode(std::make_shared<ptx::Module>(std::move(parsed.module)), "k");
  };
  const std::string copies_to_second = "st.global.u32 [%l2], %r2; ret;";
  const Result<Program> writes = decode(kernel_text(index + "st.global.u32 [%l1], %r31; ret;", 2));
  const Result<Program> reads =
      decode(kernel_text(index + "ld.global.u32 %r2, [%l1];" + copies_to_second, 2));
  const Result<Program> reads_past =
      decode(kernel_text(index + "ld.global.u32 %r2, [%l1+12];" + copies_to_second, 2));
  ASSERT_TRUE(writes.ok() && reads.ok() && reads_past.ok());
  for (const int threads : {1, 2, 2, 2, 2}) {
    DeviceMemory memory;
    const DevicePointer first = *memory.allocate(kWords * 4, "first");
    const DevicePointer second = *memory.allocate(kWords * 4, "second");
    const LaunchConfig config{.grid = {kBlocks, 1, 1},
                              .block = {kThreads, 1, 1},
                              .dynamic_shared_bytes = 0,
                              .args = {Argument::pointer(first), Argument::pointer(second)}};
    LaunchOptions options;
    options.threads = threads;
    const auto findings = [&](const Program& program) {
      const Result<LaunchResult> result = launch(program, memory, config, options);
      return result.ok() ? result->findings : std::vector<Finding>(99);
    };
    EXPECT_TRUE(findings(*writes).empty()) << threads;
    EXPECT_TRUE(findings(*reads).empty()) << threads;
    const std::vector<Finding> past = findings(*reads_past);
    ASSERT_EQ(past.size(), 1u) << threads;
    EXPECT_EQ(past[0].kind, FindingKind::kUninitialised);
    EXPECT_EQ(past[0].count, 3u);
  }
}

}  // namespace
}  // namespace warpshop::emulator::testing
