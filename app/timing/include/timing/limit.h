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
  Sentence why;                // "once blocks run, DRAM is busy 80% of the time": Prediction::reason, and more of DRAM
  // "Of the predicted 44.5 µs, 134.2 MB of DRAM traffic at 4,650 GB/s would take 28.9 µs (65%), the launch takes 4.5 µs (10%),
  // and the other 25% is what there is to gain."
  Sentence floor;
};

// `useful_bytes`: that the task needs; 0: not known, what the kernel moves counts. `empty_launch_us`: as a GPU measured it, in the
// place of the profile's.
Limit limit_of(const Prediction& prediction, const models::GpuProfile& gpu, double useful_bytes,
               std::optional<double> empty_launch_us = std::nullopt);

}  // namespace warpshop::timing
