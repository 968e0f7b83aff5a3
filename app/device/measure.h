// Times of a kernel and its reference on the GPU.
#pragma once

#include <vector>

#include "core/result.h"
#include "device/protocol.h"
#include "gpu.h"
#include "job_buffers.h"

namespace warpshop::device {

// Each cold launch has new inputs, poisoned outputs and a flushed L2, and its outputs are compared
// with the reference's for the same inputs. This catches kernels that skip work when timed or that
// cache results. Student and reference alternate, so both see the same clocks.
Result<Timing> measure(Gpu& gpu, const Job& job, JobBuffers& buffers, const Kernel& student,
                       const Kernel* reference, const std::vector<double>& magnitudes);

// Median, quartiles and outliers of samples.
KernelTiming summary_of(std::vector<double> cold_us, std::vector<double> warm_us);

}  // namespace warpshop::device
