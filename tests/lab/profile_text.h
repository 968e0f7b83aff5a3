// Texts of profiles: the files of tests/lab/profiles, and pages with a few metrics; and a run that
// the files fit.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "core/ascii.h"
#include "core/files.h"
#include "lab/run_result.h"
#include "models/gpu_profile.h"

namespace warpshop::lab {

inline std::string fixture(const char* name) {
  const Result<std::string> text =
      read_file(std::filesystem::path(WARPSHOP_TESTS_DIR) / "lab" / "profiles" / name);
  EXPECT_TRUE(text.ok());
  return text.ok() ? *text : "";
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  EXPECT_NE(text.find(from), std::string::npos) << from;
  return replace_all(std::move(text), from, to);
}

inline constexpr const char* kHead =
    R"csv("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream",)csv"
    R"csv("Block Size","Grid Size","Device","CC",)csv";
inline constexpr const char* kLaunch =
    R"csv("0","1","app","host","scale(float *)","1","7","(256, 1, 1)","(16, 1, 1)","0","9.0",)csv";

// A page raw with one metric.
inline std::string raw_of(const std::string& metric, const std::string& unit,
                          const std::string& value) {
  return std::string(kHead) + "\"" + metric +
         "\"\n\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"" + unit + "\"\n" + kLaunch +
         "\"" + value + "\"\n";
}

// A page details with rows of metric, unit, value.
inline std::string details_of(const std::vector<std::array<std::string, 3>>& rows) {
  std::string out =
      std::string(kHead) + R"("Section Name","Metric Name","Metric Unit","Metric Value")" + "\n";
  for (const auto& [metric, unit, value] : rows)
    out += std::string(kLaunch) + "\"Section\",\"" + metric + "\",\"" + unit + "\",\"" + value +
           "\"\n";
  return out;
}

inline models::GpuProfile h200() {
  const Result<models::GpuProfile> gpu =
      models::find_gpu_profile(std::filesystem::path(WARPSHOP_TESTS_DIR).parent_path(), "h200");
  EXPECT_TRUE(gpu.ok());
  return *gpu;
}

inline KernelRun transpose_run() {
  KernelRun run;
  run.kernel = "k_transpose_tiled";
  run.grid = {8, 8, 1};
  run.block = {32, 8, 1};
  run.registers = 28;
  run.occupancy.fraction = 1;
  run.counters.shared_load_wavefronts = 65536;
  run.counters.global_load_sectors = 8000;
  run.counters.global_load_bytes_used = 262144;
  run.counters.local_load_instructions = 7;
  timing::Prediction prediction;
  prediction.time_us = 5;
  prediction.launch_us = 4;
  prediction.warp_instructions = 50176;
  run.prediction = prediction;
  run.completed = true;
  return run;
}

}  // namespace warpshop::lab
