// Clocks, temperature and throttling from NVML, when it is there: it comes with every driver.
// https://docs.nvidia.com/deploy/nvml-api/
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace warpshop::device {

struct ClockReading {
  int clock_mhz = 0;  // of the SMs; 0: not known
  int memory_clock_mhz = 0;
  int temperature_c = 0;
  std::vector<std::string> throttled;  // why the clocks are lower than asked: "power cap", …
};

class Clocks {
 public:
  // For the GPU at this PCI address. Reads nothing where NVML is missing.
  explicit Clocks(const std::string& pci);
  ~Clocks();
  Clocks(const Clocks&) = delete;
  Clocks& operator=(const Clocks&) = delete;
  ClockReading read() const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

// "580.159.04"; empty where NVML is missing.
std::string driver_version();

}  // namespace warpshop::device
