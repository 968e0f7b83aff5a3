// Predicted times of whole kernels on chips that current compilers no longer support, worked out by
// hand where there is a single limiter.
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "ptx/parser.h"
#include "timing/predict.h"

namespace warpshop::timing {
namespace {

models::GpuProfile chip_gpu(const char* id) {
  return models::find_gpu_profile(WARPSHOP_SOURCE_DIR, id).value();
}

Result<Prediction> predicted(const models::GpuProfile& chip, const std::string& body,
                             uint32_t blocks, uint32_t threads) {
  const std::string text =
      ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
      ".reg .pred %p<9>; .reg .b32 %r<29>; .reg .b64 %rd<19>; .reg .f32 %f<29>;\n"
      "ld.param.u64 %rd1,[p]; mov.u32 %r1,%tid.x; mov.u32 %r2,%ctaid.x; mov.u32 %r3,%ntid.x;\n"
      "mad.lo.s32 %r4,%r2,%r3,%r1;\n" +
      body + "\nret;\n}\n";
  const ptx::ParseOutput output = ptx::parse(text, "t.ptx");
  EXPECT_TRUE(output.diagnostics.empty()) << render(output.diagnostics);
  const Result<emulator::Program> program =
      emulator::Program::decode(std::make_shared<const ptx::Module>(output.module), "k");
  emulator::DeviceMemory memory(uint64_t{1} << 30);
  const auto buffer = memory.allocate(uint64_t{64} << 20, "buffer");
  memory.mark_written(*buffer);
  emulator::LaunchConfig launch;
  launch.grid.x = blocks;
  launch.block.x = threads;
  launch.args = {emulator::Argument::pointer(*buffer)};
  PredictionInput input;
  input.program = &*program;
  input.launch = &launch;
  input.timeline_warps = 1;
  return predict(chip, input, memory);
}
Result<Prediction> predicted(const char* id, const std::string& body, uint32_t blocks,
                             uint32_t threads) {
  return predicted(chip_gpu(id), body, blocks, threads);
}

// An uncoalesced half-warp takes sixteen transactions even if only one lane is active. Each takes
// 5 cycles on a memory port that two SMs share.
TEST(PredictWholeChip, LanesThatDoNotTakePartTakeTheirTurns) {
  struct LaneCase {
    const char* what;
    const char* offset;  // offset of the word that lane 0 of each half-warp loads
    double turns;        // port slots per half-warp
  };
  const LaneCase cases[] = {{"lane 0 asks for word 0: coalesced", "0", 1},
                            {"lane 0 asks for word 1", "4", 16}};
  for (const LaneCase& c : cases) {
    const std::string body = std::string(
                                 "and.b32 %r5,%r1,15; setp.eq.s32 %p1,%r5,0; mul.wide.s32 "
                                 "%rd2,%r4,4; add.s64 %rd3,%rd1,%rd2;") +
                             "@%p1 ld.global.f32 %f1,[%rd3+" + c.offset + "];";
    const Result<Prediction> p = predicted("8800-gt", body, 8192, 256);
    ASSERT_TRUE(p.ok()) << render(p.errors());
    const double half_warps = 8192 * 16;
    const double least = half_warps * c.turns * 5 / 7 / 1500;  // seven memory ports at 1,500 MHz
    if (c.turns > 1) {
      EXPECT_NEAR(p->time_us, least, 0.1 * least) << c.what;
    } else {
      EXPECT_LT(p->time_us, least * 8) << c.what;
    }
  }
}

// 64 bytes per half-warp, coalesced: the profile's bandwidth is the limit.
TEST(PredictWholeChip, ACopyMovesItsBytesAtTheBandwidthOfTheChip) {
  const std::string copy =
      "mul.wide.s32 %rd2,%r4,4; add.s64 %rd3,%rd1,%rd2; ld.global.f32 %f1,[%rd3]; st.global.f32 "
      "[%rd3+33554432],%f1;";
  constexpr double kBytes = 2.0 * (32 << 20);
  for (const char* id : {"gtx-280", "8800-gt", "k40c", "p100"}) {
    const Result<Prediction> p = predicted(id, copy, 32768, 256);
    ASSERT_TRUE(p.ok()) << id << render(p.errors());
    const double least = kBytes / *chip_gpu(id).dram_gb_s / 1e3;
    EXPECT_GT(p->time_us, least) << id;
    EXPECT_LT(p->time_us, 1.35 * least) << id;
    EXPECT_EQ(p->limiter, Limiter::kDram) << id << ": " << p->reason;
    EXPECT_NEAR(p->dram_bytes, kBytes, 0.05 * kBytes) << id;
  }
}

// 2,000 dependent multiply-adds per thread. A GTX 280 has 30 SMs of 8 lanes,
// so each warp instruction takes 4 cycles.
TEST(PredictWholeChip, ArithmeticIsBoundByTheIssue) {
  std::string body = "cvt.rn.f32.s32 %f1,%r4; mov.u32 %r9,0;\n$loop:\n";
  for (int n = 0; n < 40; ++n) body += "fma.rn.f32 %f1,%f1,%f1,%f1;\n";
  body +=
      "add.s32 %r9,%r9,1; setp.lt.s32 %p1,%r9,50; @%p1 bra $loop;\n"
      "mul.wide.s32 %rd2,%r4,4; add.s64 %rd3,%rd1,%rd2; st.global.f32 [%rd3],%f1;";
  const Result<Prediction> p = predicted("gtx-280", body, 600, 256);
  ASSERT_TRUE(p.ok()) << render(p.errors());
  // 600 blocks of 8 warps run 50 × 43 instructions and a few more, on 30 SMs at 1296 MHz.
  const double least = 600.0 * 8 * 50 * 43 * 4 / 30 / 1296;
  EXPECT_NEAR(p->time_us, least, 0.1 * least) << p->reason;
  EXPECT_EQ(p->limiter, Limiter::kIssue) << p->reason;
  EXPECT_NE(p->reason.english().find("the schedulers are busy "), std::string::npos) << p->reason;
  EXPECT_DOUBLE_EQ(p->flop, 600.0 * 256 * 2000 * 2);
}

// Half-warps that read single bytes: 1.1 moves 32 bytes per lane,
// 1.3 one segment of 32 bytes for all lanes.
TEST(PredictWholeChip, TheGenerationsRuleDecidesWhatMoves) {
  const std::string bytes =
      "cvt.s64.s32 %rd2,%r4; add.s64 %rd3,%rd1,%rd2; ld.global.u8 %r5,[%rd3];"
      "setp.eq.s32 %p1,%r5,77777; @%p1 st.global.u8 [%rd3],%r5;";
  const Result<Prediction> old = predicted("8800-gt", bytes, 4096, 256);
  const Result<Prediction> newer = predicted("gtx-280", bytes, 4096, 256);
  ASSERT_TRUE(old.ok() && newer.ok());
  EXPECT_NEAR(old->dram_bytes, 4096.0 * 256 * 32, 1);
  EXPECT_NEAR(newer->dram_bytes, 4096.0 * 256 / 16 * 32, 1);
}

TEST(PredictWholeChip, AProfileWithoutNumbersSaysWhichAreMissing) {
  models::GpuProfile chip = chip_gpu("k40c");
  chip.schedulers.reset();
  chip.alu_latency_cycles.reset();
  const Result<Prediction> p = predicted(chip, "", 1, 32);
  ASSERT_FALSE(p.ok());
  EXPECT_NE(
      p.errors().front().message.english().find("its profile lacks schedulers, alu_latency_cycles"),
      std::string::npos)
      << render(p.errors());
}

// A block that does not finish within the emulation budget is reported, after a second or two.
TEST(PredictWholeChip, ABlockWithoutEndIsGivenUp) {
  const Result<Prediction> p =
      predicted("gtx-280", "$loop:\nadd.s32 %r5,%r5,%r4;\nbra $loop;\n", 1, 32);
  ASSERT_FALSE(p.ok());
  EXPECT_NE(p.errors().front().message.english().find("a kernel that fails"), std::string::npos)
      << render(p.errors());
}

// Each block waits for the flag of the next one; only the last does not. The kernel is sound, and
// that is how the refusal should read.
TEST(PredictWholeChip, BlocksThatWaitForOthersCannotBeSampled) {
  const Result<Prediction> p = predicted(
      "p100",
      "mul.wide.s32 %rd2,%r2,4; add.s64 %rd3,%rd1,%rd2; setp.eq.s32 %p1,%r2,65535; @%p1 bra $set;\n"
      "$wait:\nld.volatile.global.s32 %r5,[%rd3+4]; setp.eq.s32 %p2,%r5,0; @%p2 bra $wait;\n"
      "$set:\nst.volatile.global.s32 [%rd3],1;",
      65536, 32);
  ASSERT_FALSE(p.ok());
  EXPECT_NE(p.errors().front().message.english().find("whose blocks wait for each other"),
            std::string::npos)
      << render(p.errors());
}

TEST(PredictWholeChip, IsTheSameEachTime) {
  const std::string body =
      "mul.wide.s32 %rd2,%r4,64; add.s64 %rd3,%rd1,%rd2; ld.global.f32 %f1,[%rd3];"
      "st.global.f32 [%rd3+4],%f1;";
  const Result<Prediction> a = predicted("gtx-280", body, 1000, 128);
  const Result<Prediction> b = predicted("gtx-280", body, 1000, 128);
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_DOUBLE_EQ(a->time_us, b->time_us);
}

}  // namespace
}  // namespace warpshop::timing
