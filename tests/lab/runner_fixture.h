// A runner for the tests' lab, tests/lab/data/labs/fixture.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "core/files.h"
#include "lab/runner.h"
#include "temporary_folder.h"

namespace warpshop::lab {

inline const CheckResult* find_check(const RunResult& result, std::string_view id) {
  for (const CheckResult& check : result.checks) {
    if (check.id == id) return &check;
  }
  return nullptr;
}

class RunnerTest : public testing::Test {
 protected:
  // One runner for all tests: loading the compiler takes longer than most of them.
  static void SetUpTestSuite() {
    Result<Runner> runner = Runner::create();
    ASSERT_TRUE(runner.ok()) << render(runner.errors());
    runner_ = new Runner(std::move(*runner));
  }
  static void TearDownTestSuite() {
    delete runner_;
    runner_ = nullptr;
  }

  RunnerTest() {
    Result<Lab> lab =
        load_lab(std::filesystem::path(WARPSHOP_TESTS_DIR) / "lab" / "data", "fixture");
    EXPECT_TRUE(lab.ok());
    lab_ = std::move(*lab);
    scale_ = lab_.find_step("scale");
    transpose_ = lab_.find_step("transpose");
    Result<models::GpuProfile> gpu = models::find_gpu_profile(data_dir(), "h200");
    EXPECT_TRUE(gpu.ok());
    gpu_ = *gpu;
  }

  RunRequest request(const Step& step, const std::string& source) const {
    RunRequest out;
    out.lab = &lab_;
    out.step = &step;
    out.source = source;
    out.file_name = step.id + ".cu";
    out.gpu = gpu_;
    return out;
  }
  RunResult run(const Step& step, const std::string& source) const {
    return runner_->run(request(step, source));
  }

  static inline Runner* runner_ = nullptr;
  Lab lab_;
  const Step* scale_ = nullptr;
  const Step* transpose_ = nullptr;
  models::GpuProfile gpu_;
};

}  // namespace warpshop::lab
