// Outputs compared on the GPU: device/protocol.h, OutputComparison, gives the rule.
#pragma once

#include <vector>

#include "core/result.h"
#include "device/protocol.h"
#include "gpu.h"
#include "job_buffers.h"

namespace warpshop::device {

// The outputs of launches that began with the first poison and, where something was poisoned, of
// launches that began with the second.
struct OutputPair {
  std::vector<DeviceBytes> first;
  std::vector<DeviceBytes> second;  // empty: nothing was poisoned
};

// The mean magnitude of each expected output, which the tolerance needs; zeros without one.
Result<std::vector<double>> mean_magnitudes(Gpu& gpu, const Job& job, const JobBuffers& buffers,
                                            const std::vector<DeviceBytes>& expected);

Result<std::vector<OutputComparison>> compare_outputs(Gpu& gpu, const Job& job,
                                                      const JobBuffers& buffers,
                                                      const OutputPair& expected,
                                                      const OutputPair& got,
                                                      const std::vector<double>& magnitudes);

// How many elements are wrong: what a timed launch left in the copies against what the reference
// just left in the buffers. Both began with `poison`.
Result<uint64_t> count_wrong(Gpu& gpu, const Job& job, const JobBuffers& buffers,
                             const std::vector<DeviceBytes>& got,
                             const std::vector<double>& magnitudes, unsigned char poison);

}  // namespace warpshop::device
