// A kernel's limiter, and the most time that a better kernel could save: the summary above its
// times.
#pragma once

#include <optional>

#include "core/sentence.h"
#include "models/gpu_profile.h"
#include "timing/prediction.h"

namespace warpshop::timing {

struct LimiterSummary {
  // The time of a launch that only moves the task's bytes, at the bandwidth of the memory they come
  // from, or only does the kernel's operations, at the peak FP32 rate, or its products on tensor
  // cores at theirs, whichever is longest;
  // including launch overhead.
  double floor_us = 0;
  std::optional<double> gain;  // 1 − floor_us / predicted time, 0 to 1; none: neither work nor
                               // traffic to compare with
  Sentence headline;           // "Limited by DRAM bandwidth: up to 20% to gain"
  Sentence
      why;  // "once blocks run, DRAM is busy 80% of the time": Prediction::reason, and more of DRAM
  // "Of the predicted 44.5 µs, 134.2 MB of DRAM traffic at 4,650 GB/s would take 28.9 µs (65%), the
  // launch takes 4.5 µs (10%), and the other 25% is what there is to gain."
  Sentence floor;
};

// `useful_bytes`: bytes that the task needs; 0: unknown, so the kernel's own traffic is used.
// `empty_launch_us`: as measured on a GPU; none: the profile's.
LimiterSummary limiter_summary_of(const Prediction& prediction, const models::GpuProfile& gpu,
                                  double useful_bytes,
                                  std::optional<double> empty_launch_us = std::nullopt);

}  // namespace warpshop::timing
