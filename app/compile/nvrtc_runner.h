// Runs NVRTC for a compiler, in another process.
#pragma once

#include <cstdint>
#include <variant>

#include "compile/no_answer.h"
#include "core/stop.h"
#include "nvrtc_job.h"

namespace warpshop::compile {

using NvrtcOutcome = std::variant<NvrtcAnswer, NoAnswer>;

class NvrtcRunner {
 public:
  virtual ~NvrtcRunner() = default;
  virtual NvrtcOutcome run(const NvrtcJob& job, const StopFlag* stop) = 0;
  virtual uint64_t most_bytes() const = 0;  // memory that one job may use
};

}  // namespace warpshop::compile
