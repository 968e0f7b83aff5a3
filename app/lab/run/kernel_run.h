// Runs one decoded kernel on the emulator and collects its counters, costs per line and occupancy,
// for labs and for `run --spec`.
#pragma once

#include <functional>
#include <vector>

#include "core/result.h"
#include "core/stop.h"
#include "emulator/launch.h"
#include "emulator/memory.h"
#include "lab/run_result.h"
#include "models/gpu_profile.h"
#include "run/compiled_file.h"
#include "timing/memory_timeline.h"

namespace warpshop::lab {

struct KernelRunOptions {
  uint64_t instruction_budget = 500'000'000;
  uint64_t order_seed = 0;              // emulator::LaunchOptions::order_seed
  int threads = 0;                      // 0: every core
  std::vector<uint64_t> record_blocks;  // blocks whose accesses are kept for the maps
  const models::GpuProfile* model_gpu =
      nullptr;                             // accesses are also judged by its rules; null: none
  emulator::LivePrints* prints = nullptr;  // emulator::LaunchOptions::prints
  const StopFlag* stop = nullptr;
  std::function<void(double fraction)> progress;
};

// Error: a launch that the GPU would refuse. What goes wrong while the kernel runs is reported in
// the findings. With KernelRun::needs_one_thread the run is to be repeated, on the memory of before
// the launch, with threads = 1.
Result<KernelRun> run_kernel(const CompiledKernel& kernel, emulator::DeviceMemory& memory,
                             const emulator::LaunchConfig& config, const models::GpuProfile& gpu,
                             const KernelRunOptions& options);

// The accesses of the launch's first blocks over time; see memory_at_size. `memory` holds the
// buffers before the launch and is modified. Error: more transactions than can be played, or
// stopped.
Result<timing::MemoryTimeline> memory_timeline_of(const CompiledKernel& kernel,
                                                  emulator::DeviceMemory& memory,
                                                  const emulator::LaunchConfig& config,
                                                  const models::GpuProfile& gpu,
                                                  const KernelRun& run, uint64_t most_transactions,
                                                  const StopFlag* stop);

// All zero if the kernel's resources are unknown.
timing::Occupancy occupancy_of(const CompiledKernel& kernel, const emulator::LaunchConfig& config,
                               const models::GpuProfile& gpu);

emulator::MachineLimits limits_of(const models::GpuProfile& gpu);

}  // namespace warpshop::lab
