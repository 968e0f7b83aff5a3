// The predicted time of one decoded kernel. Labs and `run --spec --predict` share it.
#pragma once

#include "compiled_file.h"
#include "core/result.h"
#include "core/stop.h"
#include "emulator/launch.h"
#include "emulator/memory.h"
#include "models/gpu_profile.h"
#include "timing/occupancy.h"
#include "timing/prediction.h"

namespace warpshop::lab {

struct KernelPredictionOptions {
  uint32_t timeline_warps = 0;  // whose timelines are kept
  double seconds = 1.0;         // that it may take, about
  const StopFlag* stop = nullptr;
};

// `memory` holds the buffers as they are before the launch and is changed. Error: the profile lacks
// numbers, the source was PTX (there is no machine code), the kernel does not end well.
Result<timing::Prediction> predict_kernel(const CompiledKernel& kernel,
                                          emulator::DeviceMemory& memory,
                                          const emulator::LaunchConfig& config,
                                          const models::GpuProfile& gpu,
                                          const timing::Occupancy& occupancy,
                                          const KernelPredictionOptions& options);

}  // namespace warpshop::lab
