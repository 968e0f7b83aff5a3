// The emulation of some blocks of a launch, for a prediction: what both kinds of trace have in common.
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

// A warp's way through the PTX: block, times in a row.
using WarpPath = std::vector<std::pair<uint32_t, uint32_t>>;

void append(WarpPath& path, uint32_t basic_block);

// What an access of the kind to global, local or shared memory is for.
MemoryUse memory_use(emulator::AccessKind kind, ptx::Space space);

struct SampleRun {
  const emulator::Program* program = nullptr;
  const emulator::LaunchConfig* launch = nullptr;
  emulator::MachineLimits limits{};
  const StopFlag* stop = nullptr;
};

// Emulates the blocks (linear) in this order, on one thread. `path` and `fetches` may be null. Returns the warp instructions of the
// PTX that were run; none for no blocks. Error: a launch that the machine refuses, a kernel that does not end well or that prints a lot.
Result<uint64_t> run_sample(const SampleRun& run, const std::vector<uint64_t>& blocks, emulator::DeviceMemory& memory,
                            emulator::AccessSinkFactory& accesses, emulator::PathSink* path,
                            emulator::TextureSink* fetches = nullptr);

}  // namespace warpshop::timing
