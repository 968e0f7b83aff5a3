// Predicts a kernel's time: a simulation of one SM with its resident blocks, driven by what the
// emulator recorded of a sample of blocks and by the machine code that the compiler made.
// docs/models.md, "Time", explains the model, its sources and its errors.
#pragma once

#include <cstdint>
#include <vector>

#include "core/result.h"
#include "core/stop.h"
#include "emulator/launch.h"
#include "emulator/memory.h"
#include "emulator/program.h"
#include "models/gpu_profile.h"
#include "timing/occupancy.h"
#include "timing/prediction.h"

namespace warpshop::timing {

// A machine instruction as the compiler made it (16 bytes, compute capability 7.0 and newer).
struct MachineInstruction {
  uint64_t low = 0;
  uint64_t high = 0;
  int ptx_line = 0;  // 0: unknown
};

struct PredictionInput {
  const emulator::Program* program = nullptr;
  const std::vector<MachineInstruction>* code = nullptr;
  const emulator::LaunchConfig* launch = nullptr;
  emulator::MachineLimits limits;
  Occupancy occupancy;
  uint32_t static_shared_bytes = 0;  // of a block; for chips that are predicted from the PTX
  uint32_t timeline_warps = 0;  // how many warps' timelines are kept
  double seconds = 1.0;         // that it may take, about
  const StopFlag* stop = nullptr;
};

// Whether a compiler of today makes machine code for the GPU, from which its times are predicted. Older chips (before
// 7.0) are predicted from the PTX, and `code` may be null for them.
bool has_machine_code(const models::GpuProfile& gpu);

// Emulates a sample of blocks on `memory` (which it changes). Error: the GPU's profile lacks what
// the model needs, the launch is refused, or the sample does not end well.
Result<Prediction> predict(const models::GpuProfile& gpu, const PredictionInput& input,
                           emulator::DeviceMemory& memory);

}  // namespace warpshop::timing
