// Predicts the time of one decoded kernel, for labs and for `run --spec --predict`.
#pragma once

#include <cstdint>
#include <optional>

#include "core/result.h"
#include "core/stop.h"
#include "emulator/launch.h"
#include "emulator/memory.h"
#include "models/gpu_profile.h"
#include "run/compiled_file.h"
#include "timing/occupancy.h"
#include "timing/prediction.h"

namespace warpshop::lab {

struct KernelPredictionOptions {
  uint32_t timeline_warps = 0;  // timelines to keep
  double seconds = 1.0;         // approximate time budget
  const StopFlag* stop = nullptr;
  std::optional<uint64_t> buffers_start{};  // of PredictionInput; its own if absent
};

// `memory` holds the buffers before the launch and is modified. Error: the profile lacks numbers,
// the source was PTX (there is no machine code), or the kernel fails.
Result<timing::Prediction> predict_kernel(const CompiledKernel& kernel,
                                          emulator::DeviceMemory& memory,
                                          const emulator::LaunchConfig& config,
                                          const models::GpuProfile& gpu,
                                          const timing::Occupancy& occupancy,
                                          const KernelPredictionOptions& options);

}  // namespace warpshop::lab
