// Trace of a sample of blocks for the whole-chip simulation: each warp's path through the PTX, and
// its accesses as transactions and passes of the chip's generation.
#pragma once

#include <cstdint>
#include <vector>

#include "core/result.h"
#include "predict/sample_run.h"
#include "whole_chip/chip_memory.h"
#include "whole_chip/figures.h"

namespace warpshop::timing {

struct ChipAccess {
  uint32_t first_piece = 0;  // index into ChipTrace::pieces
  uint16_t pieces = 0;       // of global memory; for a fetch, lines of the texture cache
  uint16_t passes = 0;       // shared-memory bank passes
  uint16_t idle = 0;         // port slots that transfer nothing, for lanes that are inactive
  MemoryUse use = MemoryUse::kGlobalLoad;
};

struct ChipWarp {
  WarpPath path;
  std::vector<std::vector<ChipAccess>> accesses;  // by site, then by fetch (FetchSites), in program
                                                  // order
};

struct ChipBlock {
  uint64_t block = 0;  // linear
  std::vector<ChipWarp> warps;
};

struct ChipTrace {
  std::vector<Piece> pieces;
  std::vector<ChipBlock> blocks;
  uint64_t warp_instructions = 0;  // PTX
  double flop = 0;                 // of these blocks, counted by flop_count.h
};

// Adds one access: a request with its sectors, or its passes.
void count_access(const ChipTrace& trace, const ChipAccess& access, MemoryFlow& flow);

// Emulates the blocks in this order and appends their traces. Error: the launch is refused, or the
// kernel fails.
Status record_blocks(const SampleRun& run, const WholeChipFigures& chip,
                     const std::vector<uint64_t>& blocks, emulator::DeviceMemory& memory,
                     ChipTrace& trace);

}  // namespace warpshop::timing
