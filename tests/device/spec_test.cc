// Compares `run --spec --device cuda`, with the worker whose GPU is the emulator, with results from
// an H200.
#include "lab/spec.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace warpshop::lab {
namespace {

// FNV-1a 64 of a small number stored as four bytes.
std::string fnv1a_of_word(uint8_t value) {
  uint64_t hash = 1469598103934665603U;
  for (const uint8_t byte : {value, uint8_t{0}, uint8_t{0}, uint8_t{0}})
    hash = (hash ^ byte) * 1099511628211U;
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

TEST(SpecOnGpu, BuffersAreThoseOfTheHardware) {
  const std::string folder = WARPSHOP_TESTS_DIR "/hardware/cases/";
  Result<std::vector<SpecCase>> cases = load_spec(folder + "cases.json");
  ASSERT_TRUE(cases.ok());
  std::ifstream file(folder + "truth.json");
  std::map<std::string, std::vector<std::string>> truth;
  for (const auto& item : nlohmann::json::parse(file)) {
    truth[item.at("name")] = item.at("buffers").get<std::vector<std::string>>();
  }
  std::vector<SpecCase> some;
  for (size_t i = 0; i < cases->size(); i += 20) some.push_back((*cases)[i]);
  ASSERT_GE(some.size(), 12U);

  device::WorkerOptions options;
  options.command = {WARPSHOP_FAKE_WORKER};
  device::WorkerClient worker(options);
  SpecOptions spec_options;
  spec_options.measure = false;
  const Result<std::vector<CaseResult>> results = run_spec_on_gpu(some, spec_options, worker);
  ASSERT_TRUE(results.ok()) << render(results.errors());
  for (const CaseResult& result : results.value()) {
    SCOPED_TRACE(result.name);
    EXPECT_TRUE(result.errors.empty()) << render(result.errors);
    EXPECT_EQ(result.buffers, truth.at(result.name));
    EXPECT_EQ(result.run.registers, 42);  // as the fake driver reports
  }
}

// A kernel that stores %envreg2, the address of the grid barrier, which is set for a cooperative
// launch.
TEST(SpecOnGpu, ACooperativeLaunchIsOneThereToo) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "cooperative";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "k.ptx")
      << ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n"
         ".reg .b64 %p<2>; .reg .b32 %r<2>; .reg .pred %q;\nld.param.u64 %p0, [a]; mov.u32 %r0, "
         "%envreg1;"
         "setp.ne.u32 %q, %r0, 0; selp.u32 %r1, 1, 2, %q; st.global.u32 [%p0], %r1; ret;\n}\n";
  const std::string rest =
      R"("source": "k.ptx", "kernel": "k", "grid": [1, 1, 1], "block": [1, 1, 1], )"
      R"("args": [{"buffer": 4, "fill": "zero"}])";
  std::ofstream(folder / "cases.json") << R"([{"name": "together", "cooperative": true, )" << rest
                                       << R"(}, {"name": "alone", )" << rest << "}]";
  const Result<std::vector<SpecCase>> cases = load_spec(folder / "cases.json");
  ASSERT_TRUE(cases.ok()) << render(cases.errors());
  device::WorkerOptions options;
  options.command = {WARPSHOP_FAKE_WORKER};
  device::WorkerClient worker(options);
  SpecOptions spec_options;
  spec_options.measure = false;
  const Result<std::vector<CaseResult>> results = run_spec_on_gpu(*cases, spec_options, worker);
  ASSERT_TRUE(results.ok()) << render(results.errors());
  ASSERT_TRUE((*results)[0].errors.empty()) << render((*results)[0].errors);
  EXPECT_EQ((*results)[0].buffers, std::vector<std::string>{fnv1a_of_word(1)});
  EXPECT_EQ((*results)[1].buffers, std::vector<std::string>{fnv1a_of_word(2)});
}

TEST(SpecOnGpu, WithoutAGpuNoCaseRuns) {
  device::WorkerOptions options;
  options.command = {"env", "FAKE_CUDA=no-gpu", WARPSHOP_FAKE_WORKER};
  device::WorkerClient worker(options);
  const Result<std::vector<CaseResult>> results = run_spec_on_gpu({}, {}, worker);
  ASSERT_FALSE(results.ok());
  EXPECT_EQ(results.errors().front().kind.name(), "gpu-none");
}

}  // namespace
}  // namespace warpshop::lab
