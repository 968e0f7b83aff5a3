// Clocks, temperature and throttling from NVML, if available; every driver includes it.
// https://docs.nvidia.com/deploy/nvml-api/
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace warpshop::device {

struct ClockReading {
  int clock_mhz = 0;  // SM clock; 0: unknown
  int memory_clock_mhz = 0;
  int temperature_c = 0;
  std::vector<std::string> throttled;  // why clocks are below the requested ones: "power cap", …
};

class Clocks {
 public:
  // Opens the GPU at this PCI address. Reads nothing if NVML is missing.
  explicit Clocks(const std::string& pci);
  ~Clocks();
  Clocks(const Clocks&) = delete;
  Clocks& operator=(const Clocks&) = delete;
  ClockReading read() const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

// "580.159.04"; empty if NVML is missing.
std::string driver_version();

}  // namespace warpshop::device
