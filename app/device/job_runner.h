// Runs one job from message to result: buffers with guard zones, both kernels, the comparison, the
// timing.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/result.h"
#include "counters.h"
#include "device/protocol.h"
#include "gpu.h"

namespace warpshop::device {

class JobRunner {
 public:
  explicit JobRunner(Gpu& gpu) : gpu_(gpu), counters_(gpu) {}
  struct Hooks {
    std::function<void(std::string_view stage)> on_stage;  // compile, run, compare, time, count
    std::function<std::string()> take_printed;  // what kernels have printed since the last call
  };
  // Leaves nothing on the GPU except the compiled reference.
  Result<JobResult> run(const Job& job, const Hooks& hooks);

 private:
  Result<std::shared_ptr<const Kernel>> reference_kernel(const KernelSource& source);

  Gpu& gpu_;
  CounterReader counters_;
  // most recent first
  std::list<std::pair<std::string, std::shared_ptr<const Kernel>>> references_;
};

}  // namespace warpshop::device
