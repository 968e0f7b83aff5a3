// Measures a run's kernels on a real GPU after the emulator: the last stage of a Runner; the window
// does it while already showing the maps.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/stop.h"
#include "device/worker_client.h"
#include "lab/lab.h"
#include "lab/run_result.h"

namespace warpshop::lab {

struct MeasureOptions {
  device::WorkerClient* worker = nullptr;
  int gpu = -1;                // -1: the first that can be used
  bool required = true;        // false: a missing GPU is not a problem
  double time_limit_s = 10;    // per size
  bool source_is_ptx = false;  // RunResult::source is already compiled
  // Also read the GPU's own counters: for the student's kernel at the first size, after all times.
  bool counters = false;
  const StopFlag* stop = nullptr;
  // Asked before each size; true: stop here and keep what was measured. Kills nothing.
  std::function<bool()> enough;
  // The worker's stages: "compile", "run", "compare", "time"; "connection lost, trying again".
  std::function<void(std::string_view)> on_stage;
};

// A GPU's results for a run so far.
struct Measured {
  std::optional<MeasuredOn> on;
  // Parallel to RunResult::sizes; the rest is pending.
  std::vector<std::optional<Measurement>> sizes;
  std::optional<Measurement> timed;  // for RunResult::timed, measured last
  Diagnostics problems;
  StageReport stage;
};

// Measures the sizes of `run` that are missing from `measured`, until a kernel faults or hangs;
// calls `on_size` after each, and after the counters. `run` holds what the emulator launched.
void measure_run(const Exercise& exercise, const RunResult& run, const MeasureOptions& options,
                 Measured& measured, const std::function<void()>& on_size = {});

// The check that a run gets where its kernel was measured.
inline constexpr const char* kGpuCheck = "gpu-correct";

// Merges into the result of the same run: its sizes, problems and stage, the check "gpu-correct",
// and the predictions' errors. May be called again when more has been measured.
void put_measured(const Measured& measured, RunResult& result);

// Whether the profile describes this GPU: same capability and SM count, equally fast memory.
bool is_profile_of(const models::GpuProfile& profile, const device::GpuInfo& gpu);

}  // namespace warpshop::lab
