// The GPU's own counters beside the emulator's, for the command line and the window.
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
  // What the emulator counted; none where it does not count the same: instructions of the machine
  // code, and what lies behind the L1.
  std::optional<uint64_t> simulated;

  bool differs() const { return simulated && measured != static_cast<double>(*simulated); }
};

// In the worker's order.
std::vector<MeasuredCounter> measured_counters(const device::CounterReading& reading,
                                               const timing::Counters& simulated);

// Of the student's kernel; empty when the GPU's were not read.
std::vector<MeasuredCounter> measured_counters(const SizeResult& size);

}  // namespace warpshop::lab
