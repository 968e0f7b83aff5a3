// Occupancy, worked out by hand and compared with an H200.
#include "timing/occupancy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

namespace warpshop::timing {
namespace {

using testing::HasSubstr;

models::GpuProfile occupancy_gpu(std::string_view id) {
  auto profile = models::find_gpu_profile(WARPSHOP_SOURCE_DIR, id);
  EXPECT_TRUE(profile.ok()) << render(profile.errors());
  return profile.value();
}

struct OccupancyCase {
  const char* name;
  const char* gpu;
  OccupancyInput input;  // threads, registers, static and dynamic shared memory
  int limit_warps, limit_blocks, limit_registers, limit_shared;
  int blocks;
  double percent;
  OccupancyLimiter limiter;
};

const OccupancyCase kOccupancyCases[] = {
    // 256 threads are 8 of 64 warps. 32 registers × 32 lanes = 1024 per warp;
    // 65536/4/1024·4/8 = 8 blocks. Shared memory: only the system's 1024 reserved bytes: 228.
    {"full", "h200", {256, 32, 0, 0}, 8, 32, 8, 228, 8, 100, OccupancyLimiter::kWarps},
    // 40 registers: 1280 per warp, 16384/1280 = 12 warps per sub-partition, 48 per SM, 6 blocks.
    {"registers", "h200", {256, 40, 0, 0}, 8, 32, 6, 228, 6, 75, OccupancyLimiter::kRegisters},
    // 41 registers: 1312 → 1536 per warp, 10 per sub-partition, 40 per SM, 5 blocks.
    {"register unit",
     "h200",
     {256, 41, 0, 0},
     8,
     32,
     5,
     228,
     5,
     62.5,
     OccupancyLimiter::kRegisters},
    // 8192 + 1024 reserved = 9216; 233472/9216 = 25.3.
    {"shared", "h200", {64, 14, 8192, 0}, 32, 32, 64, 25, 25, 78.125, OccupancyLimiter::kShared},
    {"dynamic shared counts too",
     "h200",
     {64, 14, 4096, 4096},
     32,
     32,
     64,
     25,
     25,
     78.125,
     OccupancyLimiter::kShared},
    // One warp per block: 64 would fit, but the SM holds 32 blocks.
    {"blocks", "h200", {32, 8, 0, 0}, 64, 32, 256, 228, 32, 50, OccupancyLimiter::kBlocks},
    {"a part of a warp is a warp",
     "h200",
     {33, 8, 0, 0},
     32,
     32,
     128,
     228,
     32,
     100,
     OccupancyLimiter::kWarps},
    {"a warp more than a power",
     "h200",
     {1024, 64, 0, 0},
     2,
     32,
     1,
     228,
     1,
     50,
     OccupancyLimiter::kRegisters},
    {"too many threads", "h200", {1025, 16, 0, 0}, 0, 32, 3, 228, 0, 0, OccupancyLimiter::kWarps},
    {"too many registers",
     "h200",
     {1024, 65, 0, 0},
     2,
     32,
     0,
     228,
     0,
     0,
     OccupancyLimiter::kRegisters},
    {"too much shared",
     "h200",
     {32, 8, 0, 232449},
     64,
     32,
     256,
     0,
     0,
     0,
     OccupancyLimiter::kShared},
    {"all of shared",
     "h200",
     {32, 8, 0, 232448},
     64,
     32,
     256,
     1,
     1,
     100.0 / 64,
     OccupancyLimiter::kShared},
    // Before 8.0 nothing is reserved: 49152 fits into 96 KB twice.
    {"v100", "v100", {1024, 32, 49152, 0}, 2, 32, 2, 2, 2, 100, OccupancyLimiter::kWarps},
    {"v100 without shared",
     "v100",
     {128, 32, 0, 0},
     16,
     32,
     16,
     kUnlimited,
     16,
     100,
     OccupancyLimiter::kWarps},
    {"turing has half the warps",
     "rtx-6000",
     {256, 32, 0, 0},
     4,
     16,
     8,
     kUnlimited,
     4,
     100,
     OccupancyLimiter::kWarps},
    {"rtx 3080: 48 warps",
     "rtx-3080",
     {1024, 32, 0, 0},
     1,
     16,
     2,
     100,
     1,
     200.0 / 3,
     OccupancyLimiter::kWarps},
    // No opt-in: a block cannot have 49153 bytes.
    {"k40c", "k40c", {256, 32, 49153, 0}, 8, 16, 8, 0, 0, 0, OccupancyLimiter::kShared},
    {"k40c: 48 KB", "k40c", {256, 32, 12288, 0}, 8, 16, 8, 4, 4, 50, OccupancyLimiter::kShared},
    // 1.1: 8 warps × 32 × 10 = 2560 registers, a multiple of 256; 8192/2560 = 3; 24/8 = 3.
    {"8800 gt", "8800-gt", {256, 10, 0, 0}, 3, 8, 3, 32, 3, 100, OccupancyLimiter::kWarps},
    // 11 registers: 2816; two blocks.
    {"8800 gt, one register more",
     "8800-gt",
     {256, 11, 0, 0},
     3,
     8,
     2,
     32,
     2,
     200.0 / 3,
     OccupancyLimiter::kRegisters},
    // 1.3: 3 warps → 4; 4 × 32 × 17 = 2176 → 2560 (unit 512);
    // 16384/2560 = 6. The warps would allow 32/3 = 10 blocks.
    {"gtx 280 rounds warps to pairs",
     "gtx-280",
     {96, 17, 0, 0},
     10,
     8,
     6,
     32,
     6,
     56.25,
     OccupancyLimiter::kRegisters},
    // 4096 + 16 → 4608 (unit 512): 3 blocks.
    {"gtx 280 shared",
     "gtx-280",
     {128, 8, 4096, 0},
     8,
     8,
     16,
     3,
     3,
     37.5,
     OccupancyLimiter::kShared},
};

TEST(Occupancy, IsWhatIsWorkedByHand) {
  for (const OccupancyCase& c : kOccupancyCases) {
    SCOPED_TRACE(c.name);
    const Occupancy o = occupancy(occupancy_gpu(c.gpu), c.input);
    EXPECT_EQ(o.limit_warps, c.limit_warps);
    EXPECT_EQ(o.limit_blocks, c.limit_blocks);
    EXPECT_EQ(o.limit_registers, c.limit_registers);
    EXPECT_EQ(o.limit_shared, c.limit_shared);
    EXPECT_EQ(o.blocks_per_sm, c.blocks);
    EXPECT_NEAR(o.fraction * 100, c.percent, 1e-9);
    EXPECT_EQ(o.limiter, c.limiter);
    EXPECT_FALSE(o.reason.empty());
  }
}

TEST(Occupancy, FermiHandsRegistersToPairsOfWarps) {
  // 2.0, CUDA C Programming Guide 4.2: 32768 registers, 48 warps, 8 blocks, unit 64 per warp,
  // granularity 2, 48 KB in units of 128 bytes. 192 threads × 21 registers: 672 → 704 per warp;
  // 16384/704 = 23 in each half, 46 warps, 7 blocks of 6 warps. The warps would allow 8 blocks.
  models::GpuProfile fermi;
  fermi.capability = {2, 0};
  fermi.max_warps_per_sm = 48;
  fermi.max_blocks_per_sm = 8;
  fermi.max_threads_per_block = 1024;
  fermi.registers_per_sm = fermi.registers_per_block = 32768;
  fermi.max_registers_per_thread = 63;
  fermi.register_unit = 64;
  fermi.warp_granularity = 2;
  fermi.shared_bytes_per_sm = fermi.shared_bytes_per_block = 49152;
  fermi.shared_unit_bytes = 128;
  const Occupancy o = occupancy(fermi, {192, 21, 6145, 0});
  EXPECT_EQ(o.limit_registers, 7);
  EXPECT_EQ(o.limit_warps, 8);
  EXPECT_EQ(o.limit_shared, 7);  // 6145 → 6272; 49152/6272 = 7.8
  EXPECT_EQ(o.blocks_per_sm, 7);
}

TEST(Occupancy, TheReasonNamesTheResourceAndWhatWouldFitOtherwise) {
  const auto h200 = occupancy_gpu("h200");
  EXPECT_EQ(occupancy(h200, {256, 40, 0, 0}).reason,
            "registers: 40 × 256 threads allow 6 blocks, 8 would fit otherwise");
  EXPECT_EQ(occupancy(h200, {64, 14, 8192, 0}).reason,
            "shared memory: 9,216 bytes per block allow 25 blocks, 32 would fit otherwise");
  EXPECT_EQ(occupancy(h200, {32, 8, 0, 0}).reason,
            "blocks: an SM of compute capability 9.0 holds no more than 32 blocks, 64 would fit "
            "otherwise");
  EXPECT_THAT(occupancy(h200, {2048, 8, 0, 0}).reason,
              HasSubstr("2048 threads per block: this GPU allows at most 1024"));
  EXPECT_THAT(occupancy(h200, {32, 8, 0, 240000}).reason,
              HasSubstr("240,000 bytes of shared memory"));
  EXPECT_THAT(occupancy(occupancy_gpu("8800-gt"), {32, 128, 0, 0}).reason,
              HasSubstr("at most 124"));
  EXPECT_THAT(occupancy(h200, {1024, 65, 0, 0}).reason, HasSubstr("do not fit on an SM"));
  EXPECT_THAT(occupancy(h200, {0, 8, 0, 0}).reason, HasSubstr("at least one thread"));
}

TEST(Occupancy, TheCarveoutIsTheSmallestThatHoldsTheBlocks) {
  const auto h200 = occupancy_gpu("h200");
  EXPECT_EQ(occupancy(h200, {1024, 14, 4096, 0}).shared_config_bytes, 16384U);   // 2 × 5120
  EXPECT_EQ(occupancy(h200, {1024, 14, 8192, 0}).shared_config_bytes, 32768U);   // 2 × 9216
  EXPECT_EQ(occupancy(h200, {256, 12, 16384, 0}).shared_config_bytes, 167936U);  // 8 × 17408
  EXPECT_EQ(occupancy(occupancy_gpu("p100"), {256, 12, 16384, 0}).shared_config_bytes, 65536U);
}

nlohmann::json read_json(const std::string& name) {
  std::ifstream in(std::string(WARPSHOP_TESTS_DIR) + "/hardware/cases/" + name);
  return nlohmann::json::parse(in);
}

TEST(Occupancy, EqualsTheH200OnAllMeasuredCases) {
  const auto h200 = occupancy_gpu("h200");
  const nlohmann::json cases = read_json("cases.json");
  const nlohmann::json truth = read_json("truth.json");
  ASSERT_EQ(cases.size(), 246U);
  ASSERT_EQ(truth.size(), cases.size());
  for (size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(cases[i]["name"].get<std::string>());
    ASSERT_EQ(cases[i]["name"], truth[i]["name"]);
    const auto& block = cases[i]["block"];
    const OccupancyInput input = {
        .threads_per_block = block[0].get<int>() * block[1].get<int>() * block[2].get<int>(),
        .registers_per_thread = truth[i]["registers"],
        .static_shared_bytes = truth[i]["static_shared"],
        .dynamic_shared_bytes = cases[i]["dynamic_shared"]};
    const Occupancy o = occupancy(h200, input);
    const auto& counters = truth[i]["counters"];
    EXPECT_EQ(o.blocks_per_sm, truth[i]["blocks_per_sm"].get<int>());
    // The profiler prints two decimal places.
    EXPECT_NEAR(o.fraction * 100, counters["theoretical_occupancy_pct"].get<double>(), 0.0051);
    // Nsight assumes at least 16 registers per thread (as seen on every kernel with 8); the header,
    // and so this program, uses the kernel's own number. It is never the limiter.
    OccupancyInput as_nsight = input;
    as_nsight.registers_per_thread = std::max(input.registers_per_thread, 16);
    EXPECT_EQ(occupancy(h200, as_nsight).limit_registers,
              counters["blocks_limit_registers"].get<int>());
    EXPECT_EQ(o.limit_warps, counters["blocks_limit_warps"].get<int>());
    EXPECT_EQ(o.limit_blocks, counters["blocks_limit_blocks"].get<int>());
    // The driver chose one of our carveouts, never one smaller than ours. Nsight's limit is what
    // fits into the carveout chosen.
    const auto config = counters["shared_config_bytes"].get<uint32_t>();
    EXPECT_THAT(h200.shared_carveouts_bytes, testing::Contains(config));
    EXPECT_GE(config, o.shared_config_bytes);
    const uint32_t fits = config / o.shared_bytes_per_block;
    EXPECT_EQ(static_cast<int>(fits), counters["blocks_limit_shared"].get<int>());
    EXPECT_GE(o.limit_shared, counters["blocks_limit_shared"].get<int>());
  }
}

}  // namespace
}  // namespace warpshop::timing
