// Compares kernels with results measured on hardware, using the code behind `run --spec`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/files.h"
#include "lab/fills.h"
#include "lab/spec.h"
#include "temporary_folder.h"

namespace warpshop::lab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

const fs::path kHardware = fs::path(WARPSHOP_TESTS_DIR) / "hardware";

json read_json(const fs::path& file) {
  std::ifstream stream(file);
  return json::parse(stream);
}

SpecOptions on_h200() {
  SpecOptions options;
  options.gpu = models::find_gpu_profile(data_dir(), "h200").value();
  return options;
}

// The counters that follow exact rules; the others measured depend on SASS or timing.
const char* const kExact[] = {
    "global_load_requests",      "global_store_requests",     "global_load_sectors",
    "global_store_sectors",      "shared_load_wavefronts",    "shared_store_wavefronts",
    "shared_wavefronts",         "shared_wavefronts_ideal",   "theoretical_sectors",
    "theoretical_sectors_ideal", "global_reduction_requests", "global_reduction_sectors",
    "theoretical_occupancy_pct", "blocks_limit_warps",        "blocks_limit_blocks"};

struct Deviation {
  double measured = 0;
  double ours = 0;
};
// Keys are the case and the counter.
std::map<std::pair<std::string, std::string>, Deviation> read_deviations() {
  std::map<std::pair<std::string, std::string>, Deviation> out;
  const toml::table file = toml::parse_file((kHardware / "deviations.toml").string());
  for (const toml::node& node : *file["deviation"].as_array()) {
    const toml::table& row = *node.as_table();
    EXPECT_FALSE(row["reason"].value_or(std::string()).empty());
    EXPECT_FALSE(row["sass"].value_or(std::string()).empty());
    out[{row["case"].value_or(std::string()), row["counter"].value_or(std::string())}] = {
        row["measured"].value_or(-1.0), row["ours"].value_or(-1.0)};
  }
  return out;
}

// Buffers, registers, shared memory, occupancy and structural counters of all 246 cases
// equal those of an H200. What PTX cannot determine is listed in
// tests/hardware/deviations.toml, with the reason.
TEST(HardwareTruth, EveryCaseIsExact) {
  const Result<std::vector<SpecCase>> cases = load_spec(kHardware / "cases" / "cases.json");
  ASSERT_TRUE(cases.ok()) << render(cases.errors());
  const json results = json::parse(results_json(run_spec(*cases, on_h200())));
  const json truth = read_json(kHardware / "cases" / "truth.json");
  const auto deviations = read_deviations();
  EXPECT_LE(deviations.size(), 5U) << "more deviations mean that a rule is still missing";
  ASSERT_EQ(results.size(), truth.size());
  std::map<std::string, json> by_name;
  for (const json& result : results) by_name[result["name"]] = result;
  for (const json& expected : truth) {
    const json& got = by_name[expected["name"]];
    SCOPED_TRACE(expected["name"].get<std::string>());
    ASSERT_TRUE(got["error"].is_null()) << got["error"];
    EXPECT_EQ(got["buffers"], expected["buffers"]);
    EXPECT_EQ(got["registers"], expected["registers"]);
    EXPECT_EQ(got["static_shared"], expected["static_shared"]);
    EXPECT_EQ(got["blocks_per_sm"], expected["blocks_per_sm"]);
    for (const char* counter : kExact) {
      const double ours = got["counters"][counter].get<double>();
      const double measured = expected["counters"][counter].get<double>();
      const auto listed = deviations.find({expected["name"].get<std::string>(), counter});
      if (listed == deviations.end()) {
        EXPECT_EQ(ours, measured) << counter;
      } else {
        EXPECT_EQ(ours, listed->second.ours) << counter << ": the list is out of date";
        EXPECT_EQ(measured, listed->second.measured) << counter << ": the list is out of date";
      }
    }
    EXPECT_TRUE(got["findings"].empty()) << got["findings"];
  }
}

// The kernels of the second sample (tests/hardware/README.md) that have a source of their own.
TEST(HardwareTruth, KernelsWrittenAfterwardsAreExactToo) {
  const fs::path folder = kHardware / "second" / "counters";
  Result<std::vector<SpecCase>> cases = load_spec(folder / "cases.json");
  ASSERT_TRUE(cases.ok()) << render(cases.errors());
  std::erase_if(*cases, [](const SpecCase& c) {
    return !c.source.filename().string().ends_with("kernels.cu");
  });
  const json results = json::parse(results_json(run_spec(*cases, on_h200())));
  std::map<std::string, json> truth;
  for (const json& expected : read_json(folder / "truth.json")) truth[expected["name"]] = expected;
  EXPECT_GE(results.size(), 75U);
  for (const json& got : results) {
    const json& expected = truth[got["name"]];
    SCOPED_TRACE(got["name"].get<std::string>());
    ASSERT_TRUE(got["error"].is_null()) << got["error"];
    EXPECT_TRUE(got["findings"].empty()) << got["findings"];
    for (const char* key : {"buffers", "registers", "static_shared", "blocks_per_sm"}) {
      EXPECT_EQ(got[key], expected[key]) << key;
    }
    for (const auto& [counter, measured] : expected["counters"].items()) {
      if (!got["counters"].contains(counter)) continue;  // machine instructions, L2
      EXPECT_EQ(got["counters"][counter].get<double>(), measured.get<double>()) << counter;
    }
  }
}

// Matrices, asynchronous copies, copies in bulk, mbarrier objects, clusters and wgmma: every
// counter that has a metric of Nsight Compute.
TEST(HardwareTruth, WhatIsNotAnOrdinaryAccessIsCountedLikeOnTheChip) {
  const fs::path folder = kHardware / "asynchronous";
  const Result<std::vector<SpecCase>> cases = load_spec(folder / "cases.json");
  ASSERT_TRUE(cases.ok()) << render(cases.errors());
  const json results = json::parse(results_json(run_spec(*cases, on_h200())));
  const json truth = read_json(folder / "truth.json");
  ASSERT_EQ(results.size(), truth.size());
  EXPECT_GE(results.size(), 124U);
  // Past L1 and with inactive lanes, the counters that the profiler takes per instruction have one
  // lane more, or none at all: tests/hardware/README.md.
  const std::set<std::string> per_instruction = {"theoretical_sectors", "theoretical_sectors_ideal",
                                                 "async_copy_wavefronts", "shared_wavefronts",
                                                 "shared_wavefronts_ideal"};
  const std::set<std::string> inactive = {"async_16_some", "async_16_one", "async_16_two",
                                          "async_16_eight", "async_16_even"};
  for (size_t n = 0; n < truth.size(); ++n) {
    const std::string name = truth[n]["name"];
    SCOPED_TRACE(name);
    ASSERT_EQ(results[n]["name"], name);
    ASSERT_TRUE(results[n]["error"].is_null()) << results[n]["error"];
    EXPECT_TRUE(results[n]["findings"].empty()) << results[n]["findings"];
    for (const auto& [counter, measured] : truth[n]["counters"].items()) {
      if (inactive.contains(name) && per_instruction.contains(counter)) continue;
      EXPECT_EQ(results[n]["counters"][counter], measured) << counter;
    }
  }
}

// A correct kernel's results depend neither on the order of blocks and warps nor on interruptions.
TEST(HardwareTruth, AnyOrderOfBlocksAndWarpsGivesTheSame) {
  const Result<std::vector<SpecCase>> cases = load_spec(kHardware / "cases" / "cases.json");
  ASSERT_TRUE(cases.ok()) << render(cases.errors());
  const json truth = read_json(kHardware / "cases" / "truth.json");
  SpecOptions options = on_h200();
  options.order_seed = 20080601;
  const json results = json::parse(results_json(run_spec(*cases, options)));
  std::map<std::string, json> by_name;
  for (const json& result : results) by_name[result["name"]] = result;
  for (const json& expected : truth) {
    const json& got = by_name[expected["name"]];
    SCOPED_TRACE(expected["name"].get<std::string>());
    ASSERT_TRUE(got["error"].is_null()) << got["error"];
    EXPECT_EQ(got["buffers"], expected["buffers"]);
    EXPECT_TRUE(got["findings"].empty()) << got["findings"];
  }
}

// docs/cli.md, "Results".
TEST(SpecRun, AFindingHasItsSeverityAndItsThread) {
  TemporaryFolder folder;
  folder.write("k.cu", R"(extern "C" __global__ void past(unsigned* out) {
  if (blockIdx.x == 1 && threadIdx.x == 5 && threadIdx.y == 2) out[1000] = 1;
}
extern "C" __global__ void two_barriers(unsigned* out) {
  __shared__ unsigned s[64];
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 32) {
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
  } else {
    out[threadIdx.x] = 7;
    __syncthreads();
  }
})");
  folder.write("cases.json", R"([
    {"name": "error", "source": "k.cu", "kernel": "past",
     "grid": [2,1,1], "block": [8,4,1], "args": [{"buffer": 128, "fill": "none"}]},
    {"name": "warning", "source": "k.cu", "kernel": "two_barriers",
     "grid": [1,1,1], "block": [64,1,1], "args": [{"buffer": 256, "fill": "none"}]}
  ])");
  const std::vector<SpecCase> cases = load_spec(folder.path() / "cases.json").value();
  const json results = json::parse(results_json(run_spec(cases, on_h200())));
  ASSERT_EQ(results.size(), 2U);
  for (const json& result : results) ASSERT_EQ(result["findings"].size(), 1U) << result;
  const json& error = results[0]["findings"][0];
  EXPECT_EQ(error["severity"], "error");
  EXPECT_EQ(error["block"], json({1, 0, 0}));
  EXPECT_EQ(error["thread"], json({5, 2, 0}));
  const json& warning = results[1]["findings"][0];
  EXPECT_EQ(warning["kind"], "divergent-barrier");
  EXPECT_EQ(warning["severity"], "warning");
  EXPECT_EQ(warning["thread"], json({32, 0, 0})) << "the second warp, which came second";
}

TEST(SpecRun, OneBadCaseStopsNoOther) {
  TemporaryFolder folder;
  folder.write("good.cu",
               "extern \"C\" __global__ void k(unsigned* out) { out[threadIdx.x] = threadIdx.x; }");
  folder.write("bad.cu", "extern \"C\" __global__ void k(unsigned* out) { nonsense }");
  folder.write("cases.json", R"([
    {"name": "bad", "source": "bad.cu", "kernel": "k",
     "grid": [1,1,1], "block": [32,1,1], "args": [{"buffer": 128, "fill": "none"}]},
    {"name": "absent", "source": "absent.cu", "kernel": "k",
     "grid": [1,1,1], "block": [32,1,1], "args": []},
    {"name": "other", "source": "good.cu", "kernel": "nothing",
     "grid": [1,1,1], "block": [32,1,1], "args": []},
    {"name": "grid", "source": "good.cu", "kernel": "k",
     "grid": [0,1,1], "block": [32,1,1], "args": [{"buffer": 128, "fill": "none"}]},
    {"name": "args", "source": "good.cu", "kernel": "k",
     "grid": [1,1,1], "block": [32,1,1], "args": []},
    {"name": "file", "source": "good.cu", "kernel": "k",
     "grid": [1,1,1], "block": [32,1,1], "args": [{"buffer": 128, "fill": "file=absent.bin"}]},
    {"name": "past", "source": "good.cu", "kernel": "k",
     "grid": [1,1,1], "block": [32,1,1], "args": [{"buffer": 64, "fill": "none"}]},
    {"name": "good", "source": "good.cu", "kernel": "k",
     "grid": [1,1,1], "block": [32,1,1], "args": [{"buffer": 128, "fill": "none"}]}
  ])");
  const std::vector<SpecCase> cases = load_spec(folder.path() / "cases.json").value();
  SpecOptions options = on_h200();
  options.dump_dir = folder.path() / "dump";
  const json results = json::parse(results_json(run_spec(cases, options)));
  ASSERT_EQ(results.size(), 8U);
  const auto error = [&](size_t i) {
    return results[i]["error"].is_null() ? "" : results[i]["error"].get<std::string>();
  };
  EXPECT_THAT(error(0), HasSubstr("bad.cu:1"));
  EXPECT_THAT(error(1), HasSubstr("absent.cu"));
  EXPECT_THAT(error(1), HasSubstr("cases.json:4"));
  EXPECT_THAT(error(2), HasSubstr("no kernel 'nothing'"));
  EXPECT_THAT(error(3), HasSubstr("grid"));
  EXPECT_THAT(error(4), HasSubstr("argument"));
  EXPECT_THAT(error(5), HasSubstr("absent.bin"));
  ASSERT_EQ(results[6]["findings"].size(), 1U) << results[6];
  EXPECT_EQ(results[6]["findings"][0]["kind"], "out-of-bounds");
  EXPECT_EQ(results[6]["findings"][0]["line"], 1);
  EXPECT_TRUE(results[7]["error"].is_null());

  // 0 … 31 as little-endian words, both in the hash and in the dump.
  std::vector<uint8_t> expected(128, 0);
  for (size_t i = 0; i < 32; ++i) expected[4 * i] = static_cast<uint8_t>(i);
  EXPECT_EQ(results[7]["buffers"], json::array({fnv1a_hex(expected)}));
  const std::string dumped = folder.read("dump/good.0.bin");
  EXPECT_EQ(std::vector<uint8_t>(dumped.begin(), dumped.end()), expected);
  EXPECT_FALSE(fs::exists(folder.path() / "dump/bad.0.bin"));
}

TEST(SpecRun, AnUnsupportedInstructionIsAFindingOfItsKernelAlone) {
  TemporaryFolder folder;
  folder.write("k.ptx", R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry odd(.param .u64 p)
{
  .reg .b32 %r<3>;
  mov.u32 %r2, 1;
  frobnicate.b32 %r1, %r2;
  ret;
}
.visible .entry fine(.param .u64 p)
{
  .reg .b64 %rd<3>;
  .reg .b32 %r<3>;
  ld.param.u64 %rd1, [p];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, 42;
  st.global.u32 [%rd2], %r1;
  ret;
}
)");
  folder.write("cases.json", R"([
    {"name": "odd", "source": "k.ptx", "kernel": "odd",
     "grid": [1,1,1], "block": [1,1,1], "args": [{"buffer": 4, "fill": "none"}]},
    {"name": "fine", "source": "k.ptx", "kernel": "fine",
     "grid": [1,1,1], "block": [1,1,1], "args": [{"buffer": 4, "fill": "none"}]}
  ])");
  const json results = json::parse(
      results_json(run_spec(load_spec(folder.path() / "cases.json").value(), on_h200())));
  EXPECT_FALSE(results[0]["error"].is_null());
  ASSERT_EQ(results[0]["findings"].size(), 1U) << results[0];
  EXPECT_EQ(results[0]["findings"][0]["kind"], "unsupported");
  EXPECT_TRUE(results[1]["error"].is_null()) << results[1];
  EXPECT_TRUE(results[1]["registers"].is_null()) << "PTX alone does not know its registers";
}

// Blocks append to a list and add floats: both depend on the order of the atomics.
TEST(SpecRun, ResultsDoNotDependOnTheNumberOfJobs) {
  TemporaryFolder folder;
  folder.write("k.cu",
               R"(extern "C" __global__ void k(unsigned* count, unsigned* list, float* sum) {
  unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x == 0) for (volatile int wait = 0; wait < 2000; ) wait = wait + 1;
  list[atomicAdd(count, 1u)] = t;
  atomicAdd(sum, 1.0f / (t + 3));
})");
  std::string list = "[";
  for (int n = 0; n < 6; ++n) {
    list += std::string(n == 0 ? "" : ",") + R"({"name": "n)" + std::to_string(n) +
            R"(", "source": "k.cu", "kernel": "k", "grid": [64,1,1], "block": [32,1,1],
      "args": [{"buffer": 4, "fill": "zero"}, {"buffer": 8192, "fill": "none"},
               {"buffer": 4, "fill": "zero"}]})";
  }
  folder.write("cases.json", list + "]");
  const Result<std::vector<SpecCase>> loaded = load_spec(folder.path() / "cases.json");
  ASSERT_TRUE(loaded.ok()) << render(loaded.errors());
  const std::vector<SpecCase>& cases = *loaded;
  SpecOptions options = on_h200();
  const auto results = [&](int jobs) {
    options.jobs = jobs;
    json all = json::parse(results_json(run_spec(cases, options)));
    for (json& result : all) result.erase("seconds");
    return all;
  };
  const json one = results(1);
  EXPECT_EQ(one, results(2));
  EXPECT_EQ(one, results(4));
  std::vector<uint8_t> in_order(8192);
  fill_bytes({.kind = FillKind::kIota, .type = ElementType::kU32}, in_order);
  for (const json& result : one) EXPECT_EQ(result["buffers"][1], fnv1a_hex(in_order)) << result;
}

TEST(SpecRun, AStopLeavesAResultForEachCase) {
  const std::vector<SpecCase> cases = load_spec(kHardware / "cases" / "cases.json").value();
  StopFlag stop;
  stop.request();
  SpecOptions options = on_h200();
  options.stop = &stop;
  const std::vector<CaseResult> results = run_spec(cases, options);
  ASSERT_EQ(results.size(), cases.size());
  for (const CaseResult& result : results) {
    ASSERT_FALSE(result.errors.empty());
    EXPECT_EQ(result.errors.front().kind.name(), "stopped");
  }
}

}  // namespace
}  // namespace warpshop::lab
