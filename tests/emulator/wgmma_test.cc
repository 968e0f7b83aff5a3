// wgmma: what a program forgets. Its results are compared with an H100's in hopper_truth_test.cc.
#include <gmock/gmock.h>

#include <cstring>
#include <memory>
#include <vector>

#include "kernel_fixture.h"

namespace warpshop::emulator::testing {
namespace {

using ::testing::HasSubstr;

// Writes 4 KiB of shared memory, multiplies rows of it, and stores a sum. %l6: a descriptor of the
// array's start: eight rows of 16 bytes one after the other, 128 bytes from one eight to the next.
std::string wgmma_kernel(const std::string& before, const std::string& product,
                         const std::string& after = "") {
  return kernel_text(
      "mov.u32 %r1, %tid.x; mov.u32 %r2, s; shl.b32 %r3, %r1, 5; add.u32 %r3, %r2, %r3; mov.u32 "
      "%r4, 0;\n.loc 1 5 1\nst.shared.v4.u32 [%r3], {%r4, %r4, %r4, %r4}; st.shared.v4.u32 "
      "[%r3+16], {%r4, %r4, %r4, %r4};\n.loc 1 6 1\nmov.f32 %f0, 0f3f800000; mov.f32 %f1, %f0; "
      "mov.f32 %f2, %f0; mov.f32 %f3, %f0; setp.eq.u32 %q0, %r4, 0; shr.u32 %r5, %r2, 4; "
      "cvt.u64.u32 %l6, %r5; mov.u64 %l7, 0x0000000800400000; add.s64 %l6, %l6, %l7;\n" +
          before + "\n.loc 1 9 1\n" + product +
          "\nwgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" + after +
          "mul.wide.u32 %l1, %r1, 4; add.s64 %l1, %p0, %l1; st.global.f32 [%l1], %f0; ret;",
      1, "", ".shared .align 1024 .b8 s[4096];");
}

const std::string kFenced = "fence.proxy.async; bar.sync 0; wgmma.fence.sync.aligned;";
const std::string kProduct =
    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %l6, %l6, %q0, 1, 1, "
    "0, 0;";

KernelRun run_wgmma(const std::string& kernel, uint32_t threads = 128) {
  return run_ptx(kernel, {1, 1, 1}, {threads, 1, 1}, {Words(256)});
}

TEST(Wgmma, AProgramThatFencesHasNoFindings) {
  const KernelRun run = run_wgmma(wgmma_kernel(kFenced, kProduct));
  ASSERT_EQ(errors_of(run), "");
  EXPECT_TRUE(run.result.findings.empty());
  for (size_t t = 0; t < 128; ++t) EXPECT_EQ(run.buffers[0][t], 0x3f800000u);
}

// Without keeping its sums, the product of zeros is zero.
TEST(Wgmma, ReducedToItsAccessItLeavesTheSums) {
  ptx::ParseOutput parsed =
      ptx::parse(wgmma_kernel(kFenced + "setp.ne.u32 %q0, %r4, 0;", kProduct), "test.ptx");
  const Result<Program> whole =
      Program::decode(std::make_shared<ptx::Module>(std::move(parsed.module)), "k");
  ASSERT_TRUE(whole.ok()) << render(whole.errors());
  std::vector<Wanted> wanted;
  for (const ptx::Instruction& i : whole->function().body) {
    const bool product = i.opcode == "wgmma" && has_modifier(i, "mma_async");
    wanted.push_back(product ? Wanted::kAccess : Wanted::kAll);
  }
  const Program reduced = whole->reduced_to(wanted);
  for (const bool multiplies : {true, false}) {
    DeviceMemory memory;
    const auto sums = memory.allocate(1024, "sums");
    ASSERT_TRUE(sums.ok());
    const LaunchConfig config{
        .grid = {1, 1, 1}, .block = {128, 1, 1}, .args = {Argument::pointer(*sums)}};
    const auto launched = launch(multiplies ? *whole : reduced, memory, config, {});
    ASSERT_TRUE(launched.ok()) << render(launched.errors());
    EXPECT_TRUE(launched->completed);
    float sum = 5;
    std::memcpy(&sum, memory.bytes(*sums).data(), sizeof sum);
    EXPECT_EQ(sum, multiplies ? 0 : 1);
  }
}

TEST(Wgmma, StoresBeforeItNeedAFenceOfTheProxy) {
  const KernelRun run = run_wgmma(wgmma_kernel("bar.sync 0; wgmma.fence.sync.aligned;", kProduct));
  const Finding* f = run.find(FindingKind::kRace);
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->message.english(), HasSubstr("wgmma reads \"s\""));
  EXPECT_THAT(f->message.english(), HasSubstr("line 5"));
  EXPECT_EQ(f->place.line, 9);
  EXPECT_EQ(f->severity, Severity::kError);
}

TEST(Wgmma, RegistersNeedAFence) {
  const KernelRun run = run_wgmma(wgmma_kernel("fence.proxy.async; bar.sync 0;", kProduct));
  const Finding* f = run.find(FindingKind::kRace);
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->message.english(), HasSubstr("without a wgmma.fence"));
}

TEST(Wgmma, AGroupHasFourWarps) {
  const KernelRun run = run_wgmma(wgmma_kernel(kFenced, kProduct), 64);
  const Finding* f = run.find(FindingKind::kSyncwarpMask);
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->message.english(), HasSubstr("the block has 64 threads"));
}

TEST(Wgmma, ADescriptorThatPointsBeyondSharedMemoryIsOutOfBounds) {
  const KernelRun run =
      run_wgmma(wgmma_kernel(kFenced + "add.s64 %l6, %l6, 0xf0;", kProduct));  // 3,840 bytes on
  const Finding* f = run.find(FindingKind::kOutOfBounds);
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->place.line, 9);
  EXPECT_EQ(f->space, "shared");
}

// A product is one operation of four warps. So one thread may hand its tiles back after the wait,
// as CUTLASS's pipelines do, and a store by any of the four comes after all that the others read.
TEST(Wgmma, AWaitEndsTheProductsOfAllFourWarps) {
  for (const uint64_t seed : {0, 1, 2, 3}) {
    LaunchOptions options;
    options.order_seed = seed;
    const KernelRun run =
        run_ptx(wgmma_kernel(kFenced, kProduct,
                             "mov.u32 %r6, 0x3c003c00; st.shared.v4.u32 [%r3], {%r6, %r6, %r6, "
                             "%r6};"),
                {1, 1, 1}, {128, 1, 1}, {Words(256)}, options);
    ASSERT_EQ(errors_of(run), "");
    for (const Finding& f : run.result.findings) ADD_FAILURE() << f.message;
    for (size_t t = 0; t < 128; ++t) EXPECT_EQ(run.buffers[0][t], 0x3f800000u);
  }
}

TEST(Wgmma, AWarpThatNeverComesKeepsTheOthersWaiting) {
  const KernelRun run = run_wgmma(
      wgmma_kernel(kFenced + "setp.gt.u32 %q1, %r1, 95; @%q1 bra OVER;", kProduct, "OVER: "));
  const Finding* f = run.find(FindingKind::kDivergentBarrier);
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->message.english(), HasSubstr("waits forever for its wgmma"));
  EXPECT_FALSE(run.result.completed);
}

// Thread 40 is of warp 1, the only one that reads bytes 1280 to 1535: its rows of the first factor.
const std::string kCommitted = "wgmma.commit_group.sync.aligned;\n.loc 1 10 1\n";
const std::string kStoreToOwnRows = "setp.eq.u32 %q1, %r1, 40; @%q1 st.shared.u32 [%r2+1280], %r1;";

// The race found at a line, and what it says.
const Finding* race_at(const KernelRun& run, int line) {
  for (const Finding& f : run.result.findings) {
    if (f.kind == FindingKind::kRace && f.place.line == line) return &f;
  }
  return nullptr;
}

TEST(Wgmma, ATileMustNotBeOverwrittenBeforeTheWait) {
  const KernelRun run = run_wgmma(wgmma_kernel(kFenced, kProduct + kCommitted + kStoreToOwnRows));
  ASSERT_EQ(errors_of(run), "");
  const Finding* f = race_at(run, 10);
  ASSERT_NE(f, nullptr);
  EXPECT_THAT(f->message.english(), HasSubstr("meets a wgmma that may still read it"));
  EXPECT_THAT(f->message.english(), HasSubstr("\"s\""));
  EXPECT_THAT(f->message.english(), HasSubstr("line 9"));
  EXPECT_THAT(f->cause.english(), HasSubstr("wgmma.wait_group"));
  EXPECT_EQ(f->access, "write");
  EXPECT_EQ(f->severity, Severity::kError);
}

TEST(Wgmma, AfterTheWaitItMay) {
  const KernelRun run = run_wgmma(wgmma_kernel(kFenced, kProduct, kStoreToOwnRows));
  EXPECT_EQ(errors_of(run), "");
  EXPECT_TRUE(run.result.findings.empty());
}

TEST(Wgmma, AWaitForAllButOneGroupLeavesTheNewestReading) {
  const std::string two = kProduct + "wgmma.commit_group.sync.aligned;" + kProduct +
                          "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned ";
  for (const bool waits : {false, true}) {
    const KernelRun run = run_wgmma(
        wgmma_kernel(kFenced, two + (waits ? "0" : "1") + ";\n.loc 1 10 1\n" + kStoreToOwnRows));
    ASSERT_EQ(errors_of(run), "");
    EXPECT_EQ(race_at(run, 10) != nullptr, !waits);
  }
}

// Whether warp 1 waits before or after the other warp stores, nothing orders the two.
TEST(Wgmma, ABarrierBeforeTheWaitOrdersNothing) {
  for (const char* thread : {"0", "96"}) {
    const KernelRun run = run_wgmma(
        wgmma_kernel(kFenced, kProduct + kCommitted + "bar.sync 0; setp.eq.u32 %q1, %r1, " +
                                  thread + "; @%q1 st.shared.u32 [%r2+1280], %r1;"));
    ASSERT_EQ(errors_of(run), "");
    EXPECT_NE(run.find(FindingKind::kRace), nullptr) << thread;
  }
}

TEST(Wgmma, ABarrierAfterTheWaitOrdersAnotherWarpsStore) {
  const KernelRun run = run_wgmma(
      wgmma_kernel(kFenced, kProduct,
                   "bar.sync 0; setp.eq.u32 %q1, %r1, 0; @%q1 st.shared.u32 [%r2+1280], %r1;"));
  EXPECT_EQ(errors_of(run), "");
  EXPECT_TRUE(run.result.findings.empty());
}

// By cp.async of the warp's own thread, and by a copy in bulk.
TEST(Wgmma, ACopyMustNotOverwriteATileBeforeTheWait) {
  const std::string async =
      "setp.eq.u32 %q1, %r1, 40; add.u32 %r6, %r2, 1280; @%q1 cp.async.cg.shared.global [%r6], "
      "[%p0+512], 16;";
  const std::string bulk =
      "setp.ne.u32 %q1, %r1, 40; @%q1 bra OVER; mov.u32 %r6, m; mov.u32 %r7, 16; add.u32 %r8, %r2, "
      "1280; add.s64 %l8, %p0, 512; mbarrier.init.shared.b64 [%r6], 1; "
      "mbarrier.arrive.expect_tx.shared.b64 _, [%r6], "
      "%r7; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r8], [%l8], %r7, "
      "[%r6]; OVER: bar.warp.sync 0xffffffff;";
  for (const std::string& copy : {async, bulk}) {
    std::string kernel = wgmma_kernel(kFenced, kProduct + kCommitted + copy);
    kernel.replace(kernel.find(".shared .align 1024"), 0, ".shared .align 8 .b64 m; ");
    const KernelRun run = run_wgmma(kernel);
    ASSERT_EQ(errors_of(run), "");
    const Finding* f = race_at(run, 10);
    ASSERT_NE(f, nullptr) << copy;
    EXPECT_THAT(f->message.english(), HasSubstr("meets a wgmma that may still read it"));
  }
}

TEST(Wgmma, OtherFormsAreRefused) {
  const char* const kOthers[] = {
      "wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %l6, %l6, %q0, 1, "
      "1, 0, 0;",
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1}, %l6, %l6, %q0, 1, 1, 0, 0;",
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %l6, %l6, %q0, 2, "
      "1, 0, 0;",
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.bf16 {%f0, %f1, %f2, %f3}, %l6, %l6, %q0, 1, "
      "1, 0, 0;",
      "wgmma.mma_async.sync.aligned.m64n8k32.f32.f16.f16 {%f0, %f1, %f2, %f3}, %l6, %l6, %q0, 1, "
      "1, 0, 0;",
      "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f0, %f1, %f2, %f3}, %l6, %l6, %r4, "
      "0, %q0, 1, 1, 0, 0;",
  };
  for (const char* product : kOthers)
    EXPECT_THAT(errors_of(run_wgmma(wgmma_kernel(kFenced, product))), HasSubstr("cannot run"))
        << product;
}

}  // namespace
}  // namespace warpshop::emulator::testing
