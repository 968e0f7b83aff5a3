// An exercise at one size as a job for the GPU worker.
#pragma once

#include "device/protocol.h"
#include "lab/lab.h"
#include "lab/run_result.h"

namespace warpshop::lab {

// `size` holds what the emulator launched; the GPU uses the same grids. `run` has the student's
// text. Buffers are named, filled and compared as on the emulator. Error: as in content_of.
Result<device::Job> gpu_job(const Exercise& exercise, const SizeResult& size, const RunResult& run,
                            int gpu);

// Bytes that a perfect kernel moves at this size; 0 if the lab does not say.
double useful_bytes_of(const Exercise& exercise, const ProblemSize& size);

}  // namespace warpshop::lab
