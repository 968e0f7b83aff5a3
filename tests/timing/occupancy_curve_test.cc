// Occupancy as a function of one property, worked out by hand for compute capability 9.0: 64 warps,
// 32 blocks, 65,536 registers in units of 256 per warp, 228 KB of shared memory.
#include "timing/occupancy_curve.h"

#include <gtest/gtest.h>

#include "core/files.h"

namespace warpshop::timing {
namespace {

struct CurveCase {
  const char* name;
  OccupancyAxis axis;
  uint32_t value;
  int warps;
};

class OccupancyCurveTest : public ::testing::TestWithParam<CurveCase> {
 protected:
  models::GpuProfile gpu() const { return *models::find_gpu_profile(data_dir(), "h200"); }
  // 256 threads with 32 registers each, 1 KB of static shared memory.
  OccupancyInput input() const {
    return {.threads_per_block = 256,
            .registers_per_thread = 32,
            .static_shared_bytes = 1024,
            .dynamic_shared_bytes = 0};
  }
};

TEST_P(OccupancyCurveTest, HasTheWarpsWorkedOutByHand) {
  const CurveCase& c = GetParam();
  for (const OccupancyPoint& point : occupancy_curve(gpu(), input(), c.axis)) {
    if (point.value != c.value) continue;
    EXPECT_EQ(point.warps_per_sm, c.warps);
    return;
  }
  FAIL() << "the curve has no point at " << c.value;
}

const CurveCase kOccupancyCurveCases[] = {
    {"one_warp_a_block_32_blocks", OccupancyAxis::kThreads, 32, 32},
    {"two_warps_a_block", OccupancyAxis::kThreads, 64, 64},
    {"blocks_of_24_warps_fit_twice", OccupancyAxis::kThreads, 768, 48},
    {"thirty_two_registers", OccupancyAxis::kRegisters, 32, 64},
    // 33 registers round up to 40: 40 × 32 = 1280 per warp. 51 warps would fit, but each of the
    // 4 SM sub-partitions holds 12: 48.
    {"one_register_more", OccupancyAxis::kRegisters, 33, 48},
    {"sixty_four_registers", OccupancyAxis::kRegisters, 64, 32},
    {"all_registers", OccupancyAxis::kRegisters, 255, 8},
    {"no_shared_memory", OccupancyAxis::kShared, 0, 64},
    // 100 KB + 1 KB reserved: two blocks fit into 228 KB.
    {"hundred_kilobytes", OccupancyAxis::kShared, 100 * 1024, 16},
};
INSTANTIATE_TEST_SUITE_P(Curves, OccupancyCurveTest, ::testing::ValuesIn(kOccupancyCurveCases),
                         [](const auto& one) { return one.param.name; });

TEST_F(OccupancyCurveTest, ReachesTheLimitsOfTheGpu) {
  EXPECT_EQ(occupancy_curve(gpu(), input(), OccupancyAxis::kThreads).back().value, 1024u);
  EXPECT_EQ(occupancy_curve(gpu(), input(), OccupancyAxis::kRegisters).back().value, 255u);
  EXPECT_EQ(occupancy_curve(gpu(), input(), OccupancyAxis::kShared).back().value, 232448u);
}

TEST_F(OccupancyCurveTest, SharedMemoryBelowTheStaticPartIsLessOfIt) {
  const OccupancyInput less = with_value(input(), OccupancyAxis::kShared, 512);
  EXPECT_EQ(less.static_shared_bytes, 512u);
  EXPECT_EQ(less.dynamic_shared_bytes, 0u);
  const OccupancyInput more = with_value(input(), OccupancyAxis::kShared, 4096);
  EXPECT_EQ(more.static_shared_bytes, 1024u);
  EXPECT_EQ(value_of(more, OccupancyAxis::kShared), 4096u);
}

}  // namespace
}  // namespace warpshop::timing
