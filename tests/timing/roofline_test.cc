#include "timing/roofline.h"

#include <gtest/gtest.h>

namespace warpshop::timing {
namespace {

models::GpuProfile roofline_gpu(const char* id) {
  return models::find_gpu_profile(WARPSHOP_SOURCE_DIR, id).value();
}

// The vendors' peak rates in 10^12 operations per second, to within 2%. For the 8800 GT and
// GTX 280, they exclude the second multiplication by the special-function units.
TEST(Roofline, FlatRoofsAreTheChipsPeaks) {
  struct Case {
    const char* gpu;
    double tera;
  };
  for (const Case& c :
       {Case{"8800-gt", 0.336}, Case{"gtx-280", 0.622}, Case{"k40c", 5.04}, Case{"v100", 15.7},
        Case{"a100", 19.5}, Case{"rtx-4090", 82.6}, Case{"h200", 66.9}}) {
    const std::vector<Roof> roofs = roofs_of(roofline_gpu(c.gpu), RooflineWork::kFlop);
    ASSERT_GE(roofs.size(), 2U) << c.gpu;
    EXPECT_EQ(roofs.front().name, "DRAM");
    EXPECT_EQ(roofs.back().name, "FP32");
    EXPECT_NEAR(roofs.back().giga_s / 1e3, c.tera, c.tera * 0.02) << c.gpu;
    EXPECT_FALSE(roofs.front().source.empty()) << c.gpu;
  }
}

// Worked out by hand: 1,000 float additions in 1 µs, with
// 4,000 bytes of DRAM and 8,000 bytes of L2 traffic.
TEST(Roofline, APointLiesUnderTheLowestRoofAtItsIntensity) {
  Prediction p;
  p.time_us = 1;
  p.flop = 1000;
  p.warp_instructions = 500;
  p.dram_bytes = 4000;
  p.l2_bytes = 8000;
  const std::vector<Roof> roofs = {
      {.name = "DRAM", .gb_s = 8}, {.name = "L2", .gb_s = 12}, {.name = "FP32", .giga_s = 100}};
  const auto point = roofline_point(p, RooflineWork::kFlop, roofs);
  ASSERT_TRUE(point);
  EXPECT_DOUBLE_EQ(point->giga_s, 1);
  EXPECT_DOUBLE_EQ(*point->per_dram_byte, 0.25);
  EXPECT_DOUBLE_EQ(*point->per_l2_byte, 0.125);
  EXPECT_EQ(point->roof, "L2");  // 12 × 0.125 = 1.5 is below 8 × 0.25 = 2
  EXPECT_DOUBLE_EQ(point->attainable_giga_s, 1.5);
  EXPECT_NEAR(point->of_roof, 2.0 / 3, 1e-12);

  p.dram_bytes = 0;  // everything hits in L2
  const auto cached = roofline_point(p, RooflineWork::kFlop, roofs);
  EXPECT_FALSE(cached->per_dram_byte);
  EXPECT_EQ(cached->roof, "L2");

  const auto instructions = roofline_point(p, RooflineWork::kWarpInstructions, roofs);
  EXPECT_DOUBLE_EQ(instructions->giga_s, 0.5);
  p.flop = 0;
  EXPECT_FALSE(roofline_point(p, RooflineWork::kFlop, roofs));
}

TEST(Roofline, NotEveryLimiterIsARoof) {
  const models::GpuProfile gpu = roofline_gpu("h200");
  const std::vector<Roof> flop = roofs_of(gpu, RooflineWork::kFlop);
  const std::vector<Roof> instructions = roofs_of(gpu, RooflineWork::kWarpInstructions);
  for (const Limiter limiter : {Limiter::kDram, Limiter::kL2}) {
    EXPECT_TRUE(has_roof(flop, limiter)) << name_of(limiter);
    EXPECT_TRUE(has_roof(instructions, limiter)) << name_of(limiter);
  }
  EXPECT_TRUE(has_roof(flop, Limiter::kCompute));
  EXPECT_FALSE(has_roof(flop, Limiter::kIssue));
  EXPECT_TRUE(has_roof(instructions, Limiter::kIssue));
  EXPECT_FALSE(has_roof(instructions, Limiter::kCompute));
  for (const Limiter limiter : {Limiter::kShared, Limiter::kLatency, Limiter::kL1,
                                Limiter::kTexture, Limiter::kCamping, Limiter::kLaunch})
    EXPECT_FALSE(has_roof(flop, limiter)) << name_of(limiter);
  EXPECT_FALSE(has_roof(roofs_of(roofline_gpu("8800-gt"), RooflineWork::kFlop), Limiter::kL2));
}

TEST(Roofline, AKernelOfIntegersIsDrawnWithInstructions) {
  Prediction p;
  p.warp_instructions = 1000;  // of 32 lanes each
  EXPECT_EQ(main_work(p), RooflineWork::kWarpInstructions);
  p.flop = 500;
  EXPECT_EQ(main_work(p), RooflineWork::kWarpInstructions);
  p.flop = 640;
  EXPECT_EQ(main_work(p), RooflineWork::kFlop);
  EXPECT_EQ(main_work({}), RooflineWork::kWarpInstructions);
}

TEST(Roofline, AFlatRoofHoldsHighIntensities) {
  Prediction p;
  p.time_us = 1;
  p.flop = 100'000;
  p.dram_bytes = 1;
  const std::vector<Roof> roofs = {{.name = "DRAM", .gb_s = 8}, {.name = "FP32", .giga_s = 200}};
  const auto point = roofline_point(p, RooflineWork::kFlop, roofs);
  EXPECT_EQ(point->roof, "FP32");
  EXPECT_DOUBLE_EQ(point->of_roof, 0.5);
}

}  // namespace
}  // namespace warpshop::timing
