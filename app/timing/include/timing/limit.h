// What limits a kernel, and how much time a better one could save at most: the headline of its times.
#pragma once

#include <optional>

#include "core/sentence.h"
#include "models/gpu_profile.h"
#include "timing/prediction.h"

namespace warpshop::timing {

struct Limit {
  // Of a launch that only moves the task's bytes at the bandwidth of the memory that they come from, and only does the
  // kernel's operations at the peak of the FP32 units, whichever takes longer; the launch itself included.
  double floor_us = 0;
  std::optional<double> gain;  // 1 − floor_us / predicted time, 0 to 1; none: there is neither work nor traffic to go by
  Sentence headline;           // "Limited by DRAM bandwidth: up to 20% to gain"
  Sentence why;                // "DRAM is busy 80% of the time, moving 3,240 of 4,050 GB/s": Prediction::reason
  Sentence floor;              // "134.2 MB of DRAM traffic at 4,050 GB/s and the launch alone would take 37.6 µs."
};

// `useful_bytes`: that the task needs; 0: not known, what the kernel moves counts.
Limit limit_of(const Prediction& prediction, const models::GpuProfile& gpu, double useful_bytes);

}  // namespace warpshop::timing
