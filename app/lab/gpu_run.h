// The last stage of a run: student's kernel and reference on a real GPU, through the worker.
#pragma once

#include <optional>

#include "core/result.h"
#include "lab/lab.h"
#include "lab/run_result.h"
#include "lab/runner.h"

namespace warpshop::lab {

// Measures every size that the emulator has launched, until a kernel faults or hangs; fills
// `measured`, `measured_on` and `measure_problems`, and says how the stage went.
StageReport measure_on_gpu(const RunRequest& request, RunResult& result);

// The check "gpu-correct": outputs on the GPU, those of timed launches included, equal the
// reference's. None when the GPU said nothing about the kernel.
std::optional<CheckResult> check_on_gpu(const RunResult& result);

}  // namespace warpshop::lab
