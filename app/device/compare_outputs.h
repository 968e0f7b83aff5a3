// Compares outputs on the GPU. OutputComparison in device/protocol.h gives the rule.
#pragma once

#include <vector>

#include "core/result.h"
#include "device/protocol.h"
#include "gpu.h"
#include "job_buffers.h"

namespace warpshop::device {

// Outputs of a launch whose buffers started with the first poison value and, if anything was
// poisoned, of a launch that started with the second.
struct OutputPair {
  std::vector<DeviceBytes> first;
  std::vector<DeviceBytes> second;  // empty: nothing was poisoned
};

// The mean magnitude of each expected output, for the tolerance; zeros if there is none.
Result<std::vector<double>> mean_magnitudes(Gpu& gpu, const Job& job, const JobBuffers& buffers,
                                            const std::vector<DeviceBytes>& expected);

Result<std::vector<OutputComparison>> compare_outputs(Gpu& gpu, const Job& job,
                                                      const JobBuffers& buffers,
                                                      const OutputPair& expected,
                                                      const OutputPair& got,
                                                      const std::vector<double>& magnitudes);

// Counts wrong elements: compares a timed launch's outputs, in the copies, with what the reference
// just left in the buffers. Both started with `poison`.
Result<uint64_t> count_wrong(Gpu& gpu, const Job& job, const JobBuffers& buffers,
                             const std::vector<DeviceBytes>& got,
                             const std::vector<double>& magnitudes, unsigned char poison);

}  // namespace warpshop::device
