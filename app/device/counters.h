// Reads the GPU's hardware counters for one launch of a kernel.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "cupti.h"
#include "device/protocol.h"
#include "gpu.h"
#include "job_buffers.h"

namespace warpshop::device {

class CounterReader {
 public:
  explicit CounterReader(Gpu& gpu) : gpu_(gpu) {}
  ~CounterReader();
  CounterReader(const CounterReader&) = delete;
  CounterReader& operator=(const CounterReader&) = delete;

  // Launches the kernel once per counter pass, each time with freshly filled buffers and a flushed
  // L2. If the counters cannot be read, the result's problems say why. Error: the launch failed.
  Result<CounterReading> read(JobBuffers& buffers, const Kernel& kernel);

 private:
  struct Metric {
    const char* name;  // CounterValue's
    const char* unit;
    const char* metric;  // CUPTI's
  };
  Status prepare();
  Status choose_metrics();
  Status make_config();
  Status enable();
  void disable();

  Gpu& gpu_;
  bool prepared_ = false;
  Diagnostics problems_;  // why counters can never be read here
  std::shared_ptr<const Cupti> cupti_;
  CuptiHost host_ = nullptr;
  CuptiRanges ranges_ = nullptr;
  std::vector<Metric> metrics_;
  std::vector<const char*> names_;  // of metrics_, in the form CUPTI takes
  std::vector<uint8_t> available_;  // must outlive the host object, which keeps reading it
  std::vector<uint8_t> config_;
  std::vector<uint8_t> data_;
};

}  // namespace warpshop::device
