// Pairs the GPU's own counters with the emulator's, for the command line and the window.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device/protocol.h"
#include "lab/run_result.h"
#include "timing/counters.h"

namespace warpshop::lab {

struct MeasuredCounter {
  std::string name;  // "global_load_sectors"
  std::string unit;  // "sector"
  std::string metric;
  double measured = 0;
  // The emulator's count; none where it has no equivalent: machine instructions, and everything
  // past L1.
  std::optional<uint64_t> simulated;

  bool differs() const { return simulated && measured != static_cast<double>(*simulated); }
};

// In the worker's order.
std::vector<MeasuredCounter> measured_counters(const device::CounterReading& reading,
                                               const timing::Counters& simulated);

// For the student's kernel; empty if the GPU's counters were not read.
std::vector<MeasuredCounter> measured_counters(const SizeResult& size);

}  // namespace warpshop::lab
