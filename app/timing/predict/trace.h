// What the emulator tells of a sample of blocks: the way of each warp, and its accesses as the memory system sees
// them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/result.h"
#include "emulator/launch.h"
#include "predict/flop_count.h"
#include "predict/sample_run.h"
#include "predict/sharing.h"
#include "predict/texels.h"
#include "timing/memory_flow.h"

namespace warpshop::timing {

struct LineAccess {
  uint64_t line = 0;     // address / 128
  uint8_t sectors = 0;   // bit s: sector s is touched
  uint8_t whole = 0;     // bit s: all of its bytes are
  std::array<uint8_t, 4> bytes{};  // of each sector, that the lanes touch
  uint8_t visits = 0;    // atomics: of sectors, by a part of their words
  uint8_t whole_visits = 0;  // and by all of them
};

struct MemoryOp {
  uint32_t first_line = 0;   // in Trace::lines
  uint16_t line_count = 0;
  bool returned = true;      // of an atomic: the old values are wanted
  MemoryUse use = MemoryUse::kGlobalLoad;
  uint16_t wavefronts = 1;   // passes of the data stage: banks of shared memory, or of L1
  uint16_t visits = 0;       // of a global atomic: of sectors, as timing::Counters counts them
};

struct WarpTrace {
  WarpPath path;
  std::vector<std::vector<MemoryOp>> ops;  // by site, then by fetch (FetchSites), in program order
};

struct BlockTrace {
  uint64_t block = 0;  // linear
  std::vector<WarpTrace> warps;
};

struct Trace {
  std::vector<LineAccess> lines;
  std::vector<BlockTrace> blocks;
  double flop = 0;  // of the blocks, as flop_count.h counts
};

class Recorder {
 public:
  // The time is that of a launch that has run before, as what L2 holds is. Where a kernel goes on by what an atomic
  // returns (a flag that is taken once), blocks are emulated twice for that, and the second time is recorded.
  Recorder(const SampleRun& run, TexelLayout layout, emulator::DeviceMemory& memory);
  // Emulates blocks of the simulated SM, in this order, and appends what they did. Error: a launch that the machine
  // refuses, a kernel that does not end well.
  Status record(const std::vector<uint64_t>& blocks, Sharing::Who who, Trace& trace, Sharing& sharing);
  // Emulates other blocks only for what they share with those recorded.
  Status look(const std::vector<uint64_t>& blocks, Sharing::Who who, int sm, Sharing& sharing);
  uint64_t warp_instructions() const { return warp_instructions_; }  // PTX, of all that was emulated

 private:
  Status launch(const std::vector<uint64_t>& blocks, emulator::AccessSinkFactory& accesses, emulator::PathSink* path,
                emulator::TextureSink& fetches);

  SampleRun run_;
  TexelLayout layout_;
  FetchSites fetches_;
  FlopCount flop_;
  emulator::DeviceMemory& memory_;
  bool twice_ = false;
  uint64_t warp_instructions_ = 0;
};

}  // namespace warpshop::timing
