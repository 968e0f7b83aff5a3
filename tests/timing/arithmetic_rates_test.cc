// Cycles of a sub-partition's units, by the throughput table of the CUDA C++ Programming Guide: 32
// lanes of a warp on a quarter of the SM's lanes.
#include "one_sm/arithmetic_rates.h"

#include <gtest/gtest.h>

#include "one_sm/figures.h"
#include "timing/generations.h"

namespace warpshop::timing {
namespace {

MachineOp decoded_for(uint64_t opcode, models::ComputeCapability capability) {
  return decode_machine_code({{.low = opcode | 7U << 12, .high = 0}}, capability).front();
}

TEST(ArithmeticRates, AreThoseOfTheProgrammingGuide) {
  struct Case {
    models::ComputeCapability capability;
    int ffma, imad, dfma, iadd3, mufu;
    bool shared;  // one unit for multiplications of both kinds
  };
  const Case cases[] = {
      {{7, 0}, 2, 2, 4, 2, 8, true},    {{7, 5}, 2, 2, 64, 2, 8, true},
      {{8, 0}, 2, 2, 4, 2, 8, true},    {{8, 6}, 1, 2, 64, 2, 8, false},
      {{8, 7}, 1, 2, 64, 2, 8, false},  {{8, 9}, 1, 2, 64, 2, 8, false},
      {{9, 0}, 1, 2, 2, 2, 8, false},   {{10, 0}, 1, 2, 2, 2, 8, false},
      {{12, 0}, 1, 2, 64, 2, 8, false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::to_string(c.capability.major) + "." + std::to_string(c.capability.minor));
    EXPECT_EQ(decoded_for(0x223 /* FFMA */, c.capability).issue_cycles, c.ffma);
    EXPECT_EQ(decoded_for(0x224 /* IMAD */, c.capability).issue_cycles, c.imad);
    EXPECT_EQ(decoded_for(0x22b /* DFMA */, c.capability).issue_cycles, c.dfma);
    EXPECT_EQ(decoded_for(0x210 /* IADD3 */, c.capability).issue_cycles, c.iadd3);
    EXPECT_EQ(decoded_for(0x308 /* MUFU */, c.capability).issue_cycles, c.mufu);
    EXPECT_EQ(decoded_for(0x224 /* IMAD */, c.capability).pipe,
              c.shared ? MachinePipe::kFma : MachinePipe::kImad);
  }
}

// A warp's 32 accesses on the SM's load/store units; 128 bytes at the SM's bandwidth.
TEST(ArithmeticRates, MemoryAccessesFollowLoadStoreUnitsAndBandwidth) {
  struct Case {
    models::ComputeCapability capability;
    int units, bytes_per_cycle;
  };
  for (const Case& c : {Case{{7, 0}, 32, 128},
                        {{7, 5}, 16, 64},
                        {{8, 0}, 32, 128},
                        {{8, 6}, 16, 128},
                        {{8, 9}, 16, 128},
                        {{9, 0}, 32, 128}}) {
    EXPECT_EQ(access_cycles(c.capability), 32 / c.units);
    EXPECT_EQ(wavefront_cycles(c.capability), 128 / c.bytes_per_cycle);
  }
}

TEST(ArithmeticRates, EveryGpuForWhichThereIsMachineCodeHasAllFigures) {
  const auto profiles = models::load_gpu_profiles(WARPSHOP_SOURCE_DIR);
  ASSERT_TRUE(profiles.ok()) << render(profiles.errors());
  int with_code = 0;
  for (const models::GpuProfile& gpu : *profiles) {
    if (!has_machine_code(gpu)) continue;
    ++with_code;
    const Result<OneSmFigures> figures = one_sm_figures(gpu);
    ASSERT_TRUE(figures.ok()) << render(figures.errors());
    // A read that hits L2 is faster than one that does not; L1 is faster still.
    EXPECT_LT(figures->l1_latency, figures->l2_latency) << gpu.id;
    EXPECT_LT(figures->l2_latency, figures->dram_latency) << gpu.id;
    // A launch's first access and what neighbours share were measured on 9.0.
    EXPECT_EQ(figures->first_access > 0, gpu.capability.major == 9) << gpu.id;
    if (gpu.capability.major < 9) {
      EXPECT_EQ(figures->merging_sms, 1) << gpu.id;
    }
    // DRAM cannot exceed its pins, and L2 is half as fast again at least.
    const double dram_gb_s = 64 * figures->cycles_per_us / figures->dram_unit / 1e3;
    EXPECT_LE(dram_gb_s, gpu.memory_bandwidth_gb_s) << gpu.id;
    const double line = figures->l2_read + 3 * figures->l2_read_sector;
    EXPECT_GT(128 * figures->cycles_per_us / line / 1e3, 1.5 * dram_gb_s) << gpu.id;
  }
  EXPECT_EQ(with_code, 20);
}

}  // namespace
}  // namespace warpshop::timing
