// `run --spec --device cuda` through the worker whose GPU is the emulator, against what an H200
// gave.
#include "lab/spec.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace warpshop::lab {
namespace {

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
    EXPECT_EQ(result.run.registers, 42);  // the tests' driver says so
  }
}

TEST(SpecOnGpu, WithoutAGpuNoCaseRuns) {
  device::WorkerOptions options;
  options.command = {"env", "FAKE_CUDA=no-gpu", WARPSHOP_FAKE_WORKER};
  device::WorkerClient worker(options);
  const Result<std::vector<CaseResult>> results = run_spec_on_gpu({}, {}, worker);
  ASSERT_FALSE(results.ok());
  EXPECT_EQ(results.errors().front().kind, "gpu-none");
}

}  // namespace
}  // namespace warpshop::lab
