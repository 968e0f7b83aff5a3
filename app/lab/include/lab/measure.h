// A run's kernels on a real GPU, after the emulator: the last stage of a Runner, and what the window
// does beside the maps that it shows already.
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
  int gpu = -1;              // -1: the first that can be used
  bool required = true;      // false: a missing GPU is no problem of the run
  double time_limit_s = 10;  // of each size
  bool source_is_ptx = false;  // RunResult::source was compiled already
  // The GPU's own counters, too: of the student's kernel at the first size, after all times.
  bool counters = false;
  const StopFlag* stop = nullptr;
  // True: what was measured so far is enough. Asked before each size; nothing is killed.
  std::function<bool()> enough;
  // The worker's stages: "compile", "run", "compare", "time"; "connection lost, trying again".
  std::function<void(std::string_view)> on_stage;
};

// What a GPU has said about a run so far.
struct Measured {
  std::optional<MeasuredOn> on;
  std::vector<std::optional<Measurement>> sizes;  // of RunResult::sizes; the rest is still to come
  std::optional<Measurement> timed;               // of RunResult::timed, after them
  Diagnostics problems;
  StageReport stage;
};

// Measures the sizes of `run` that `measured` lacks, until a kernel faults or hangs; calls
// `on_size` after each, and after the counters. `run` holds what the emulator launched.
void measure_run(const Exercise& exercise, const RunResult& run, const MeasureOptions& options,
                 Measured& measured, const std::function<void()>& on_size = {});

// Into the result of the same run: its sizes, problems and stage, the check "gpu-correct", and the
// predictions' errors. May be called again when more was measured.
void put_measured(const Measured& measured, RunResult& result);

// The profile describes this GPU: the same capability and number of SMs, and a memory as fast.
bool is_profile_of(const models::GpuProfile& profile, const device::GpuInfo& gpu);

}  // namespace warpshop::lab
