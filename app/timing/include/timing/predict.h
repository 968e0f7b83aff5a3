// Predicts a kernel's time by simulating one SM and its resident blocks, driven by a recorded
// sample of emulated blocks and by the compiled machine code. docs/models.md, "Time", explains the
// model, its sources and its errors.
#pragma once

#include <cstdint>
#include <vector>

#include "core/machine_instruction.h"
#include "core/result.h"
#include "core/stop.h"
#include "emulator/launch.h"
#include "emulator/memory.h"
#include "emulator/program.h"
#include "models/gpu_profile.h"
#include "timing/occupancy.h"
#include "timing/prediction.h"

namespace warpshop::timing {

struct PredictionInput {
  const emulator::Program* program = nullptr;
  const std::vector<MachineInstruction>* code = nullptr;  // may be null without has_machine_code()
  const emulator::LaunchConfig* launch = nullptr;
  emulator::MachineLimits limits;
  Occupancy occupancy;
  uint32_t static_shared_bytes = 0;  // per block; for chips predicted from PTX
  uint32_t timeline_warps = 0;       // how many warps' timelines to keep
  double seconds = 1.0;              // approximate time budget
  // Where small buffers start within 4 KiB of the GPU's memory. A GPU worker's first one starts
  // 512 bytes behind a multiple of it, since the worker has allocated a word for itself.
  uint64_t buffers_start = 512;
  const StopFlag* stop = nullptr;
};

// The registers per thread that a compiler of the GPU's time would use, which no current one
// counts: estimated from PTX, and reduced, as by spilling, until `block` fits. Ignores its own.
int estimated_registers(const emulator::Program& program, const models::GpuProfile& gpu,
                        OccupancyInput block);

// Emulates a sample of blocks on `memory`, which this changes. Error: the GPU's profile lacks
// numbers that the model needs, the launch is refused, or the sample fails.
Result<Prediction> predict(const models::GpuProfile& gpu, const PredictionInput& input,
                           emulator::DeviceMemory& memory);

}  // namespace warpshop::timing
