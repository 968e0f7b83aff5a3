// Maps our counters to the GPU's metrics that count the same, by Nsight Compute's names. Used to
// read counters on a GPU and to find them in a profile.
#pragma once

#include <vector>

namespace warpshop::device {

struct CounterMetric {
  const char* counter = "";  // "global_load_sectors"
  const char* unit = "";     // "sector"
  // Equivalent metrics: the first that a chip, or a profile, has. Empty: a GPU has none.
  std::vector<const char*> metrics = {};
  // Metrics that a profile may have instead of these, and that count a little more.
  std::vector<const char*> near_metrics = {};
  bool read_on_gpu = false;  // by the GPU worker
};

// The emulator's counters in their order (core/counters.def), then those of machine code and of
// everything beyond L1, which only a GPU counts.
const std::vector<CounterMetric>& counter_metrics();

}  // namespace warpshop::device
