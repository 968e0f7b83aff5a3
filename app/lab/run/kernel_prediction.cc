#include "run/kernel_prediction.h"

#include "compile/kernel_code.h"
#include "run/kernel_run.h"
#include "timing/generations.h"
#include "timing/predict.h"

namespace warpshop::lab {

namespace {

Result<std::vector<MachineInstruction>> machine_code(const CompiledKernel& kernel) {
  if (kernel.file->cubin.empty()) {
    return make_error("predict",
                      sentence("cannot predict a time without the kernel's machine code"),
                      sentence("give the source as .cu"));
  }
  return compile::read_kernel_code(kernel.file->cubin, kernel.program.kernel());
}

}  // namespace

Result<timing::Prediction> predict_kernel(const CompiledKernel& kernel,
                                          emulator::DeviceMemory& memory,
                                          const emulator::LaunchConfig& config,
                                          const models::GpuProfile& gpu,
                                          const timing::Occupancy& occupancy,
                                          const KernelPredictionOptions& options) {
  if (config.cooperative) {
    return make_error("predict", sentence("the time of a cooperative launch cannot be predicted: a "
                                          "sample of its blocks would wait for the others"));
  }
  if (emulator::runs_in_clusters(kernel.program, config)) {
    return make_error("predict", sentence("the time of a launch in clusters cannot be predicted: a "
                                          "sample of its blocks would wait for the others"));
  }
  timing::PredictionInput input;
  std::vector<MachineInstruction> instructions;
  if (timing::has_machine_code(gpu)) {
    Result<std::vector<MachineInstruction>> code = machine_code(kernel);
    if (!code.ok()) return code.errors();
    instructions = std::move(*code);
    if (occupancy.blocks_per_sm == 0) {
      return make_error("predict", sentence("the block does not fit on {gpu}: {reason}",
                                            {{"gpu", gpu.name}, {"reason", occupancy.reason}}));
    }
  }
  input.program = &kernel.program;
  input.code = &instructions;
  input.launch = &config;
  input.limits = limits_of(gpu);
  input.occupancy = occupancy;
  if (kernel.resources != nullptr)
    input.static_shared_bytes = kernel.resources->static_shared_bytes;
  input.timeline_warps = options.timeline_warps;
  input.seconds = options.seconds;
  input.buffers_start = options.buffers_start.value_or(input.buffers_start);
  input.stop = options.stop;
  Result<timing::Prediction> prediction = timing::predict(gpu, input, memory);
  // A partial simulation says nothing about the whole launch.
  if (options.stop != nullptr && options.stop->requested()) {
    return make_error("stopped", "stopped before the time was predicted");
  }
  return prediction;
}

}  // namespace warpshop::lab
