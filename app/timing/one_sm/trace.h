// Trace of a sample of blocks: each warp's path, and its accesses as the memory system sees them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/result.h"
#include "emulator/launch.h"
#include "issue_plan.h"
#include "one_sm/sharing.h"
#include "predict/flop_count.h"
#include "predict/sample_run.h"
#include "predict/texels.h"
#include "timing/memory_flow.h"

namespace warpshop::timing {

struct LineAccess {
  uint64_t line = 0;               // address / 128, less MemoryOp::from
  uint8_t sectors = 0;             // bit s: sector s is touched
  uint8_t whole = 0;               // bit s: all of its bytes are touched
  std::array<uint8_t, 4> bytes{};  // of each sector: bytes touched by lanes
  std::array<uint8_t, 4> words{};  // and which of its eight words
  uint8_t visits = 0;              // atomics: sector visits to some of the words
  uint8_t whole_visits = 0;        // and to all of them
};

struct MemoryOp {
  // Index into Trace::lines. Of a copy's store: its lowest address in shared memory.
  uint32_t first_line = 0;
  uint16_t line_count = 0;
  bool returned = true;  // of an atomic: the old values are used
  MemoryUse use = MemoryUse::kGlobalLoad;
  uint16_t wavefronts = 1;  // passes of the data stage: shared-memory banks, or L1
  // A shared atomic that is a loop (models/atomic_loop.h): the loop's rounds, and the wavefronts of
  // all its loads and swaps, which `wavefronts` adds up. Else 0.
  uint16_t rounds = 0;
  uint16_t load_wavefronts = 0;
  uint16_t load_rounds = 0;  // rounds that load: all, or the first
  // Of an arrival at an mbarrier object, a copy that the object counts, or a successful test:
  // 1 + index into BlockTrace::phases. 0: none, or a phase before the first.
  uint32_t phase = 0;
  bool tests = false;
  bool more = false;  // the copy in bulk that follows is another lane's of the same execution
  // Of a global atomic: sector visits, as counted by timing::Counters. Of a copy's store: the
  // pieces of 32 bytes that it writes.
  uint16_t visits = 0;
  // Added to its lines' numbers: accesses that repeat a pattern at other places share these.
  uint64_t from = 0;
};

// The lines of one access.
struct AccessedLines {
  const LineAccess* first = nullptr;
  size_t count = 0;
  uint64_t from = 0;
  LineAccess operator[](size_t n) const {
    LineAccess access = first[n];
    access.line += from;
    return access;
  }
};

struct WarpTrace {
  WarpPath path;
  std::vector<std::vector<MemoryOp>> ops;  // by site, then by fetch (FetchSites), in program order
};

struct BlockTrace {
  uint64_t block = 0;  // linear
  std::vector<WarpTrace> warps;
  // Of each phase of the block's mbarrier objects: arrivals of warps, and copies in bulk.
  std::vector<uint32_t> phases{};
  std::vector<uint64_t> objects{};  // of the same phases: the object's address in shared memory
};

// How much a block executes, in PTX warp instructions.
struct BlockWork {
  uint64_t block = 0;  // linear
  double all = 0;      // of all warps
  double longest = 0;  // of the warp that executes most
};

struct Trace {
  std::vector<LineAccess> lines;
  std::vector<BlockTrace> blocks;
  double flop = 0;  // of these blocks, counted by flop_count.h
  AccessedLines lines_of(const MemoryOp& op) const {
    return {lines.data() + op.first_line, op.line_count, op.from};
  }
};

class Recorder {
 public:
  // The trace is that of a warm launch, matching the contents of L2. If the kernel branches on
  // values returned by atomics (such as a flag that is taken once), blocks are emulated twice and
  // the second run is recorded.
  Recorder(const SampleRun& run, TexelLayout layout, emulator::DeviceMemory& memory);
  // Emulates blocks of the simulated SM in this order and appends their traces. Error: the launch
  // is refused, or the kernel fails.
  Status record(const std::vector<uint64_t>& blocks, Sharing::Who who, Trace& trace,
                Sharing& sharing);
  // Emulates other blocks only to find what they share with the recorded ones, and how much they
  // execute.
  Status look(const std::vector<uint64_t>& blocks, Sharing::Who who, int sm, Sharing& sharing);
  // Of the blocks of a trace, and of those only looked at.
  std::vector<BlockWork> work_of(const Trace& trace) const;
  const std::vector<BlockWork>& looked_at() const { return looked_at_; }
  // Whether the kernel has atomics whose results may decide its path.
  bool follows_atomics() const { return twice_; }
  // What emulating a block of the trace costs beyond its number of instructions, in instructions: a
  // product of matrices takes as long as many of them.
  double extra_cost(const BlockTrace& block) const;
  // PTX, over everything emulated
  uint64_t warp_instructions() const { return warp_instructions_; }

 private:
  Status launch(const std::vector<uint64_t>& blocks, emulator::AccessSinkFactory& accesses,
                emulator::PathSink* path, emulator::TextureSink& fetches);

  SampleRun run_;
  TexelLayout layout_;
  FetchSites fetches_;
  FlopCount flop_;
  emulator::DeviceMemory& memory_;
  bool twice_ = false;
  std::vector<IssuePlan> plans_;            // by access site
  std::vector<double> block_instructions_;  // by PTX basic block
  std::vector<double> block_extra_;         // likewise: of its products of matrices
  std::vector<BlockWork> looked_at_;
  uint64_t warp_instructions_ = 0;
};

}  // namespace warpshop::timing
