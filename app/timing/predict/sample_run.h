// Emulates some blocks of a launch for a prediction; shared by both kinds of trace.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/result.h"
#include "core/stop.h"
#include "emulator/access.h"
#include "emulator/launch.h"
#include "timing/memory_flow.h"

namespace warpshop::timing {

// A warp's path through the PTX: (basic block, consecutive executions).
using WarpPath = std::vector<std::pair<uint32_t, uint32_t>>;

void append(WarpPath& path, uint32_t basic_block);

// The purpose of a global, local or shared access of this kind.
MemoryUse memory_use(emulator::AccessKind kind, ptx::Space space);

struct SampleRun {
  const emulator::Program* program = nullptr;
  const emulator::LaunchConfig* launch = nullptr;
  emulator::MachineLimits limits{};
  const StopFlag* stop = nullptr;
};

// Emulates the blocks (linear indices) in this order, on one thread. `path` and `fetches` may be
// null. Returns the number of PTX warp instructions executed; 0 if there are no blocks. Error: the
// launch is refused, or the kernel fails or prints a lot.
Result<uint64_t> run_sample(const SampleRun& run, const std::vector<uint64_t>& blocks,
                            emulator::DeviceMemory& memory, emulator::AccessSinkFactory& accesses,
                            emulator::PathSink* path, emulator::TextureSink* fetches = nullptr);

}  // namespace warpshop::timing
