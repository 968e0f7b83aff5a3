// A sample of blocks runs without the rest of the grid and reports the paths of its warps; large
// buffers that repeat a pattern take little space.
#include <gtest/gtest.h>

#include "kernel_fixture.h"

namespace warpshop::emulator {
namespace {

using testing::kernel_text;
using testing::run_ptx;

// p0[global index] = block + 1; odd threads of the block's second warp take a separate path.
const char* const kBody = R"(
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mov.u32 %r3, %ntid.x;
mad.lo.u32 %r4, %r1, %r3, %r2;
mul.wide.u32 %l1, %r4, 4;
add.u64 %l2, %p0, %l1;
add.u32 %r5, %r1, 1;
and.b32 %r6, %r2, 33;
setp.ne.u32 %q1, %r6, 33;
@%q1 bra DONE;
add.u32 %r5, %r5, 100;
DONE:
st.global.u32 [%l2], %r5;
ret;)";

TEST(Sample, OnlyTheChosenBlocksRun) {
  LaunchOptions options;
  options.blocks = {6, 1};
  const auto run = run_ptx(kernel_text(kBody, 1), {8, 1, 1}, {64, 1, 1},
                           {std::vector<uint32_t>(512, 0)}, options);
  ASSERT_TRUE(run.errors.empty());
  ASSERT_TRUE(run.result.completed);
  for (uint32_t i = 0; i < 512; ++i) {
    const uint32_t block = i / 64;
    const bool odd_of_second = (i % 64 & 33) == 33;
    const uint32_t expected = block == 6 || block == 1 ? block + 1 + (odd_of_second ? 100 : 0) : 0;
    ASSERT_EQ(run.buffers[0][i], expected) << i;
  }
}

class WaySink final : public PathSink {
 public:
  struct Step {
    uint64_t block;
    uint32_t warp;
    uint32_t basic_block;
    uint32_t mask;
  };
  void on_block(uint64_t block, uint32_t warp, uint32_t basic_block, uint32_t mask) override {
    steps.push_back({block, warp, basic_block, mask});
  }
  std::vector<Step> steps;
};

TEST(Sample, TheWayOfEachWarpIsTold) {
  WaySink way;
  LaunchOptions options;
  options.blocks = {3};
  options.path = &way;
  const auto run = run_ptx(kernel_text(kBody, 1), {8, 1, 1}, {64, 1, 1},
                           {std::vector<uint32_t>(512, 0)}, options);
  ASSERT_TRUE(run.result.completed);
  std::vector<uint32_t> masks[2];
  for (const auto& step : way.steps) {
    EXPECT_EQ(step.block, 3U);
    ASSERT_LT(step.warp, 2U);
    masks[step.warp].push_back(step.mask);
  }
  // Warp 0 runs the start and the end; in warp 1, the odd lanes also run the body of the branch.
  EXPECT_EQ(masks[0], (std::vector<uint32_t>{~0U, ~0U}));
  EXPECT_EQ(masks[1], (std::vector<uint32_t>{~0U, 0xAAAAAAAA, ~0U}));
}

TEST(Sample, ARepeatingBufferShowsItsPatternAndKeepsStores) {
  DeviceMemory memory(uint64_t{1} << 40);
  std::vector<uint8_t> pattern(8192);
  for (size_t i = 0; i < pattern.size(); ++i) pattern[i] = static_cast<uint8_t>(i % 251);
  const uint64_t size = (uint64_t{8} << 30) + 4;  // more memory than a test should touch
  const Result<DevicePointer> base = memory.allocate_repeating(size, "large", pattern);
  ASSERT_TRUE(base.ok());
  const std::span<uint8_t> bytes = memory.bytes(*base);
  ASSERT_EQ(bytes.size(), size);
  for (const uint64_t at : {uint64_t{0}, uint64_t{8191}, uint64_t{8192} * 1000 + 17, size - 1}) {
    EXPECT_EQ(bytes[at], pattern[at % 8192]) << at;
  }
  bytes[8192 * 5 + 1] = 255;
  EXPECT_EQ(bytes[8192 * 5 + 1], 255);
  EXPECT_EQ(bytes[8192 * 6 + 1], pattern[1]) << "a store stays where it was made";
  const auto* allocation = memory.find(*base + size - 1);
  ASSERT_NE(allocation, nullptr);
  EXPECT_EQ(allocation->written, nullptr) << "it counts as written";
}

}  // namespace
}  // namespace warpshop::emulator
