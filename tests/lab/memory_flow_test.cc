// Predicted traffic of kernels that are really compiled, compared with values worked
// out by hand and with an H200's counters.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "core/files.h"
#include "lab/spec.h"
#include "temporary_folder.h"

namespace warpshop::lab {
namespace {

using nlohmann::json;
using timing::MemoryFlow;
using timing::MemoryUse;

std::map<std::string, timing::Prediction> predictions_of(const std::filesystem::path& cases_file,
                                                         const std::string& prefix = "") {
  Result<std::vector<SpecCase>> cases = load_spec(cases_file);
  EXPECT_TRUE(cases.ok()) << render(cases.errors());
  std::erase_if(*cases, [&](const SpecCase& c) { return !c.name.starts_with(prefix); });
  SpecOptions options;
  options.gpu = models::find_gpu_profile(data_dir(), "h200").value();
  options.predict = true;
  std::map<std::string, timing::Prediction> out;
  for (const CaseResult& result : run_spec(*cases, options)) {
    EXPECT_TRUE(result.run.prediction) << result.name << ": " << render(result.errors);
    if (result.run.prediction) out[result.name] = *result.run.prediction;
  }
  return out;
}

constexpr const char* kKnownKernels = R"(
extern "C" __global__ void copy(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}
extern "C" __global__ void stride(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[8 * i];
}
extern "C" __global__ void rows(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int n = 0; n < 8; ++n) sum += in[8 * i + n];
  out[i] = sum;
}
extern "C" __global__ void tiled(const float* a, const float* b, float* c) {
  __shared__ float as[16][16], bs[16][16];
  const int n = 1024, x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int t = 0; t < n / 16; ++t) {
    as[threadIdx.y][threadIdx.x] = a[y * n + t * 16 + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(t * 16 + threadIdx.y) * n + x];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = sum;
}
extern "C" __global__ void count(unsigned* bins) {
  atomicAdd(&bins[threadIdx.x], 1u);
}
)";

class KnownKernels : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const TemporaryFolder folder;
    folder.write("k.cu", kKnownKernels);
    json cases;
    const auto add = [&](const char* kernel, json grid, json block,
                         const std::vector<uint64_t>& bytes) {
      json args = json::array();
      for (const uint64_t size : bytes) args.push_back({{"buffer", size}, {"fill", "zero"}});
      cases.push_back({{"name", kernel},
                       {"source", "k.cu"},
                       {"kernel", kernel},
                       {"grid", std::move(grid)},
                       {"block", std::move(block)},
                       {"args", args}});
    };
    constexpr uint64_t kMiB = 1 << 20;
    add("copy", {131072, 1, 1}, {256, 1, 1}, {128 * kMiB, 128 * kMiB});  // 33,554,432 elements
    add("stride", {32768, 1, 1}, {256, 1, 1}, {256 * kMiB, 32 * kMiB});  // 8,388,608
    add("rows", {32768, 1, 1}, {256, 1, 1}, {256 * kMiB, 32 * kMiB});    // likewise
    add("tiled", {64, 64, 1}, {16, 16, 1}, {4 * kMiB, 4 * kMiB, 4 * kMiB});
    add("count", {1024, 1, 1}, {256, 1, 1}, {1024});
    folder.write("cases.json", cases.dump());
    known_ = predictions_of(folder.path() / "cases.json");
  }
  static void TearDownTestSuite() { known_.clear(); }
  // Of many blocks, some are cut off in the middle, and their counts are
  // scaled by instructions: hence the tolerance.
  static void expect_near(double got, double wanted, const char* what) {
    EXPECT_NEAR(got, wanted, 0.01 * wanted) << what;
  }
  static std::map<std::string, timing::Prediction> known_;
};
std::map<std::string, timing::Prediction> KnownKernels::known_;

// Four sectors per request in each direction; all miss L1 and L2.
TEST_F(KnownKernels, ACopyMovesEachByteOnceThroughEveryLevel) {
  const MemoryFlow& flow = known_.at("copy").flow;
  constexpr double kWarps = 131072.0 * 8, kBytes = kWarps * 128;
  for (const MemoryUse use : {MemoryUse::kGlobalLoad, MemoryUse::kGlobalStore}) {
    expect_near(flow[use].requests, kWarps, "requests");
    expect_near(flow[use].sectors, 4 * kWarps, "sectors");
  }
  EXPECT_DOUBLE_EQ(flow.l1_hits(), 0);
  expect_near(flow.read_bytes, kBytes, "from L2");
  expect_near(flow.write_bytes, kBytes, "to L2");
  expect_near(flow.l2_read_sectors, 4 * kWarps, "sectors of L2");
  EXPECT_NEAR(flow.l2_hit_rate().value(), 0, 0.01);
  expect_near(flow.dram_read_bytes, kBytes, "from DRAM");
  expect_near(flow.dram_write_bytes, kBytes, "to DRAM");
}

// One word per sector: 32 sectors per request, of which one eighth of the bytes is used. DRAM
// delivers 64 bytes, and both halves are requested.
TEST_F(KnownKernels, AStrideMovesWholeSectors) {
  const MemoryFlow& flow = known_.at("stride").flow;
  constexpr double kWarps = 32768.0 * 8;
  expect_near(flow[MemoryUse::kGlobalLoad].requests, kWarps, "requests");
  expect_near(flow[MemoryUse::kGlobalLoad].sectors, 32 * kWarps, "sectors");
  expect_near(flow.read_bytes, 1024 * kWarps, "from L2");
  expect_near(flow.dram_read_bytes, 1024 * kWarps, "from DRAM");
  expect_near(flow.dram_write_bytes, 128 * kWarps, "to DRAM");
}

// The same warp visits the same sectors eight times: seven of eight visits hit in L1.
TEST_F(KnownKernels, WhatAWarpComesBackToIsInL1) {
  const MemoryFlow& flow = known_.at("rows").flow;
  constexpr double kWarps = 32768.0 * 8;
  // Two 16-byte or eight 4-byte loads, depending on the back
  // end; each touches the lanes' 32 sectors.
  const double loads = std::round(flow[MemoryUse::kGlobalLoad].requests / kWarps);
  EXPECT_TRUE(loads == 2 || loads == 8) << loads;
  expect_near(flow[MemoryUse::kGlobalLoad].sectors, 32 * loads * kWarps, "sectors");
  EXPECT_NEAR(flow.l1_hit_rate().value(), 1 - 1 / loads, 0.01);
  expect_near(flow.read_bytes, 1024 * kWarps, "from L2");
  expect_near(flow.dram_read_bytes, 1024 * kWarps, "from DRAM");
}

// 4,096 blocks of 8 warps, 64 tiles each. A warp covers two rows of 16 threads: 2 × 64 bytes of A,
// and as many of B. The 12 MiB stay in L2.
TEST_F(KnownKernels, ATiledProductReadsEachMatrix64Times) {
  const MemoryFlow& flow = known_.at("tiled").flow;
  constexpr double kWarps = 4096.0 * 8, kTiles = 64;
  expect_near(flow[MemoryUse::kGlobalLoad].requests, 2 * kTiles * kWarps, "loads");
  expect_near(flow[MemoryUse::kGlobalLoad].sectors, 8 * kTiles * kWarps, "sectors");
  EXPECT_DOUBLE_EQ(flow[MemoryUse::kGlobalLoad].sectors * 32 / (1024.0 * 1024 * 4), 2 * 64)
      << "A and B, 64 times each";
  expect_near(flow[MemoryUse::kSharedStore].requests, 2 * kTiles * kWarps, "shared stores");
  expect_near(flow[MemoryUse::kGlobalStore].sectors, 4 * kWarps, "stored sectors");
  EXPECT_GT(flow[MemoryUse::kSharedLoad].wavefronts, 0);
  EXPECT_DOUBLE_EQ(flow.dram_bytes(), 0);
  EXPECT_DOUBLE_EQ(flow.l2_hit_rate().value(), 1);
}

// A warp adds to 32 neighbouring words: four sectors, each visited once.
TEST_F(KnownKernels, ReductionsCountTheirVisits) {
  const MemoryFlow& flow = known_.at("count").flow;
  EXPECT_DOUBLE_EQ(flow[MemoryUse::kGlobalAtomic].requests, 1024 * 8);
  EXPECT_DOUBLE_EQ(flow[MemoryUse::kGlobalAtomic].sectors, 1024 * 8 * 4);
  EXPECT_DOUBLE_EQ(flow.atomic_bytes, 1024 * 8 * 128);
}

// The roofline divides by the same bytes as the chart shows.
TEST_F(KnownKernels, TheRooflinesBytesAreThoseOfTheFlow) {
  for (const auto& [name, p] : known_) {
    EXPECT_DOUBLE_EQ(p.dram_bytes, p.flow.dram_bytes()) << name;
    EXPECT_DOUBLE_EQ(p.l2_bytes, p.flow.l2_bytes()) << name;
  }
}

// Compared with an H200's counters for the 246 cases in tests/hardware/cases. One SM
// stands for all, so if blocks differ (random addresses, ends of arrays, image
// borders), its counts are close but not equal.
TEST(MemoryFlowTruth, RequestsSectorsAndWavefrontsAreThoseOfTheGpu) {
  const std::filesystem::path folder =
      std::filesystem::path(WARPSHOP_TESTS_DIR) / "hardware" / "cases";
  const std::map<std::string, timing::Prediction> all = predictions_of(folder / "cases.json");
  std::ifstream stream(folder / "truth.json");
  size_t exact = 0, counted = 0;
  for (const json& t : json::parse(stream)) {
    const std::string name = t["name"];
    ASSERT_TRUE(all.contains(name)) << name;
    const MemoryFlow& f = all.at(name).flow;
    const std::pair<const char*, double> figures[] = {
        {"global_load_requests", f[MemoryUse::kGlobalLoad].requests},
        {"global_load_sectors", f[MemoryUse::kGlobalLoad].sectors},
        {"global_store_requests", f[MemoryUse::kGlobalStore].requests},
        {"global_store_sectors", f[MemoryUse::kGlobalStore].sectors},
        {"global_reduction_sectors", f[MemoryUse::kGlobalAtomic].sectors},
        {"shared_load_wavefronts", f[MemoryUse::kSharedLoad].wavefronts},
        {"shared_store_wavefronts", f[MemoryUse::kSharedStore].wavefronts}};
    for (const auto& [counter, value] : figures) {
      const double truth = t["counters"].value(counter, 0.0);
      ++counted;
      exact += std::abs(value - truth) < 0.5 ? 1 : 0;
      EXPECT_NEAR(value, truth, 0.18 * truth + 0.5) << name << ", " << counter;
    }
    // L2 receives what is stored, unless two stores to the same sector come close together, which
    // the sector counts show. (The GPU counts atomics elsewhere.)
    const double written = t["counters"].value("l2_write_sectors", 0.0),
                 stored = t["counters"].value("global_store_sectors", 0.0);
    if (written != stored || stored <= 0) continue;
    EXPECT_NEAR(f.write_bytes / 32, written, 0.18 * written) << name;
  }
  EXPECT_GE(exact, counted - 35);
}

}  // namespace
}  // namespace warpshop::lab
