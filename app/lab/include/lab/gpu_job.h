// An exercise at one size as a job of the GPU worker.
#pragma once

#include "device/protocol.h"
#include "lab/lab.h"
#include "lab/run_result.h"

namespace warpshop::lab {

// `size` holds what the emulator launched: its grids are the GPU's too. `run` names the student's
// text. Buffers are named, filled and compared as on the emulator.
device::Job gpu_job(const Exercise& exercise, const SizeResult& size, const RunResult& run,
                    int gpu);

// What a perfect kernel moves at this size; 0 when the lab says nothing.
double useful_bytes_of(const Exercise& exercise, const ProblemSize& size);

}  // namespace warpshop::lab
