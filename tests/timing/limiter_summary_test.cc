// The summary shown above a kernel's times, worked out by hand.
#include "timing/limiter_summary.h"

#include <gtest/gtest.h>

#include "timing/roofline.h"

namespace warpshop::timing {
namespace {

// DRAM 1,000 GB/s and L2 4,000 GB/s: a megabyte takes 1 µs and 0.25 µs. FP32:
// 1 SM with 128 lanes at 1 GHz, 256 GFLOP/s.
models::GpuProfile limit_gpu() {
  models::GpuProfile gpu;
  gpu.capability = {9, 0};
  gpu.sm_count = 1;
  gpu.sm_clock_mhz = 1000;
  gpu.dram_gb_s = 1000;
  gpu.partition_count = 1;
  gpu.l2_clock_mhz = 1000;
  gpu.l2_read_cycles = 0.008;
  gpu.l2_read_sector_cycles = 0.008;
  return gpu;
}

struct LimitCase {
  const char* what;
  Limiter limiter;
  double time_us, launch_us, dram_mb, l2_mb, mflop, useful_mb;
  double floor_us;
  const char* headline;
  const char* floor;
};

const LimitCase kLimitCases[] = {
    {"eight times the bytes", Limiter::kDram, 85, 5, 80, 80, 0, 10, 15,
     "Limited by DRAM bandwidth: up to 82% to gain",
     "Of the predicted 85.0 µs, the 10.0 MB that the task needs from DRAM, at 1,000 GB/s, would "
     "take "
     "10.0 µs (12%), the launch takes 5.0 µs (6%), and the other 82% is what there is to gain."},
    {"no byte too many", Limiter::kDram, 15, 5, 10, 10, 0, 10, 15,
     "Limited by DRAM bandwidth: nothing to gain",
     "Of the predicted 15.0 µs, 10.0 MB of DRAM traffic at 1,000 GB/s would take 10.0 µs (67%), "
     "and the launch takes 5.0 µs (33%)."},
    {"faster than the ceiling: L2 keeps half", Limiter::kDram, 9, 5, 5, 10, 0, 10, 10,
     "Limited by DRAM bandwidth: nothing to gain",
     "5.0 MB of DRAM traffic at 1,000 GB/s and the launch alone would take 10.0 µs."},
    {"all from L2", Limiter::kL2, 20, 5, 0, 40, 0, 20, 10,
     "Limited by L2 bandwidth: up to 50% to gain",
     "Of the predicted 20.0 µs, the 20.0 MB that the task needs from L2, which holds most of the "
     "data, at 4,000 GB/s, would take 5.0 µs (25%), the launch takes 5.0 µs (25%), and the other "
     "50% is what there is "
     "to "
     "gain."},
    {"a quarter of the task, which fits into L2", Limiter::kL2, 25, 5, 0, 20, 0, 80, 10,
     "Limited by L2 bandwidth: up to 60% to gain",
     "Of the predicted 25.0 µs, 20.0 MB of L2 traffic (L2 holds most of the data) at 4,000 GB/s "
     "would take 5.0 µs (20%), the launch takes 5.0 µs (20%), and the other 60% is what there is "
     "to "
     "gain."},
    {"a tenth of the task, from DRAM", Limiter::kDram, 25, 5, 10, 10, 0, 100, 15,
     "Limited by DRAM bandwidth: up to 40% to gain",
     "Of the predicted 25.0 µs, 10.0 MB of DRAM traffic at 1,000 GB/s would take 10.0 µs (40%), "
     "the launch takes 5.0 µs (20%), and the other 40% is what there is to gain."},
    {"arithmetic takes longer than the bytes", Limiter::kCompute, 50, 5, 10, 10, 3.84, 10, 20,
     "Limited by arithmetic: up to 60% to gain",
     "Of the predicted 50.0 µs, 3.8 million operations at 256 GFLOP/s would take 15.0 µs (30%), "
     "the launch takes 5.0 µs (10%), and the other 60% is what there is to gain."},
    {"much arithmetic", Limiter::kCompute, 40000, 5, 10, 10, 5120, 10, 20005,
     "Limited by arithmetic: up to 50% to gain",
     "Of the predicted 40.000 ms, 5.1 billion operations at 256 GFLOP/s would take 20.000 ms "
     "(50%), the launch takes 5.0 µs (0%), and the other 50% is what there is to gain."},
    {"nobody says what the task needs", Limiter::kLatency, 50, 5, 20, 20, 0, 0, 25,
     "Limited by latency: up to 50% to gain",
     "Of the predicted 50.0 µs, 20.0 MB of DRAM traffic at 1,000 GB/s would take 20.0 µs (40%), "
     "the launch takes 5.0 µs (10%), and the other 50% is what there is to gain."},
    {"nothing but a launch", Limiter::kLaunch, 6, 5, 0, 0, 0, 0, 5, "Limited by the launch itself",
     ""},
    {"a short kernel", Limiter::kLaunch, 8, 5, 1, 1, 0, 1, 6,
     "Limited by the launch itself: up to 25% to gain",
     "Of the predicted 8.0 µs, 1.0 MB of DRAM traffic at 1,000 GB/s would take 1.0 µs (13%), the "
     "launch takes 5.0 µs (63%), and the other 25% is what there is to gain."},
    {"a few kilobytes", Limiter::kLaunch, 5.5, 5, 0.0082, 0.0082, 0, 0.0082, 5.0082,
     "Limited by the launch itself: up to 9% to gain",
     "Of the predicted 5.5 µs, 8.2 kB of DRAM traffic at 1,000 GB/s would take 0.008 µs (0%), the "
     "launch takes 5.0 µs (91%), and the other 9% is what there is to gain."},
    {"a few bytes", Limiter::kLaunch, 5.5, 5, 0.000512, 0.000512, 0, 0.000512, 5.000512,
     "Limited by the launch itself: up to 9% to gain",
     "Of the predicted 5.5 µs, 512 bytes of DRAM traffic at 1,000 GB/s would take < 0.001 µs (0%), "
     "the launch takes 5.0 µs (91%), and the other 9% is what there is to gain."},
    {"a few operations", Limiter::kCompute, 6, 5, 0, 0, 0.0512, 0, 5.2,
     "Limited by arithmetic: up to 13% to gain",
     "Of the predicted 6.0 µs, 51,200 operations at 256 GFLOP/s would take 0.20 µs (3%), the "
     "launch takes 5.0 µs (83%), and the other 13% is what there is to gain."},
    {"many small blocks", Limiter::kLaunch, 50, 5, 20, 20, 0, 20, 25,
     "Limited by launching blocks: up to 50% to gain",
     "Of the predicted 50.0 µs, 20.0 MB of DRAM traffic at 1,000 GB/s would take 20.0 µs (40%), "
     "the launch takes 5.0 µs (10%), and the other 50% is what there is to gain."},
};

TEST(LimiterSummary, SaysWhatHoldsAKernelBackAndHowMuchThereIsToGain) {
  for (const LimitCase& c : kLimitCases) {
    Prediction p;
    p.limiter = c.limiter;
    p.time_us = c.time_us;
    p.launch_us = c.launch_us;
    p.dram_bytes = c.dram_mb * 1e6;
    p.l2_bytes = c.l2_mb * 1e6;
    p.flop = c.mflop * 1e6;
    p.reason = "because";
    const LimiterSummary limit = limiter_summary_of(p, limit_gpu(), c.useful_mb * 1e6);
    EXPECT_NEAR(limit.floor_us, c.floor_us, 1e-9) << c.what;
    EXPECT_EQ(limit.headline.english(), c.headline) << c.what;
    EXPECT_EQ(limit.floor.english(), c.floor) << c.what;
    EXPECT_EQ(limit.why.english(), "because");
    EXPECT_EQ(limit.gain.has_value(), c.dram_mb + c.l2_mb + c.mflop > 0) << c.what;
  }
}

TEST(LimiterSummary, ProductsOnTensorCoresAreWorkToo) {
  Prediction p;
  p.limiter = Limiter::kCompute;
  p.time_us = 50;
  p.launch_us = 5;
  p.dram_bytes = p.l2_bytes = 10e6;
  p.tensor_us = 25;
  const LimiterSummary limit = limiter_summary_of(p, limit_gpu(), 10e6);
  EXPECT_NEAR(limit.floor_us, 30, 1e-9);
  EXPECT_EQ(
      limit.floor.english(),
      "Of the predicted 50.0 µs, the products on tensor cores, at their full rate, would take "
      "25.0 µs (50%), the launch takes 5.0 µs (10%), and the other 40% is what there is to "
      "gain.");
}

// If half of the bytes are written, this costs 4 × ½ × ½ of the 8% that an equal mix costs; if a
// tenth is written, 4 × 0.1 × 0.9 of it, 3%.
TEST(LimiterSummary, SaysWhatMixedReadsAndWritesCostABusyDram) {
  models::GpuProfile gpu = limit_gpu();
  gpu.dram_mixed_pct = 8;
  Prediction p;
  p.limiter = Limiter::kDram;
  p.time_us = 20;
  p.launch_us = 5;
  p.dram_bytes = 10e6;
  p.reason = "busy";
  const auto why = [&](double written) {
    p.flow.dram_write_bytes = written * 1e6;
    return limiter_summary_of(p, gpu, 10e6).why.english();
  };
  EXPECT_EQ(
      why(5),
      "busy; reads mixed with writes take DRAM 8% longer than the reads alone that its ceiling "
      "is of");
  EXPECT_EQ(
      why(1),
      "busy; reads mixed with writes take DRAM 3% longer than the reads alone that its ceiling "
      "is of");
  EXPECT_EQ(why(0), "busy");
  p.limiter = Limiter::kL2;
  EXPECT_EQ(why(5), "busy");
  // Nothing is full, but DRAM is the busiest.
  p.limiter = Limiter::kLatency;
  p.units = {{.limiter = Limiter::kDram, .name = sentence("DRAM"), .busy = 0.7}};
  EXPECT_EQ(
      why(5),
      "busy; reads mixed with writes take DRAM 8% longer than the reads alone that its ceiling "
      "is of");
  p.units.front().limiter = Limiter::kCompute;
  EXPECT_EQ(why(5), "busy");
}

}  // namespace
}  // namespace warpshop::timing
