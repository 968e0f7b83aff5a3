// The asynchronous copies of one block into its shared memory, and what its warps wait for, over
// the cycles of the simulated SM: the time axis of WarpTimeline.
//
// Copies that a warp can only wait for together are one stage: those of a phase of an mbarrier
// object, or of a group of cp.async. All warps' n-th groups are one stage, since a block's warps
// share the work of filling a buffer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/access.h"
#include "ptx/module.h"

namespace warpshop::timing {

// A part of shared memory that stages fill one after another: where the lowest of their copies
// goes or, for copies in bulk, the mbarrier object that counts them.
struct CopySlot {
  uint64_t address = 0;  // bytes from the start of the block's shared memory
  bool is_object = false;
  std::string array = {};  // the shared array that contains it; empty: unknown
  uint64_t offset = 0;     // bytes from the start of that array
};

struct CopyStage {
  int slot = 0;            // index into Pipeline::slots
  double issue_cycle = 0;  // of the first copy
  double last_issue_cycle = 0;
  double arrival_cycle = 0;  // all of it is in shared memory
  uint64_t bytes = 0;        // that lanes asked for, or that copies in bulk move
  int ptx_line = 0;          // of a copy; 0: unknown
  ptx::SourceLine source = {};
};

enum class WaitFor : uint8_t {
  kCopies,    // cp.async.wait_group, or wait_all
  kMbarrier,  // mbarrier.test_wait, or try_wait
  kBarrier,   // __syncthreads
};

// A warp stood still; a wait that did not hold it up is not listed.
struct PipelineWait {
  uint32_t warp = 0;  // of the block
  double start_cycle = 0;
  double end_cycle = 0;
  WaitFor what = WaitFor::kCopies;
  int stage = -1;               // index into Pipeline::stages; -1: it waits for no copies
  uint64_t object_address = 0;  // kMbarrier: as CopySlot::address
  std::string object = {};      // kMbarrier: "full[1]"; empty: unknown
  int ptx_line = 0;
  ptx::SourceLine source = {};
};

struct PipelineWarp {
  double start_cycle = 0;
  double end_cycle = 0;
};

struct Pipeline {
  uint64_t block = 0;  // linear: the first of the simulated SM
  std::vector<CopySlot> slots;
  std::vector<CopyStage> stages;  // by issue_cycle
  std::vector<PipelineWait> waits;
  std::vector<PipelineWarp> warps;
  bool cut = false;  // only the start: it has more stages or waits than are kept

  // Of the warps' time while copies are in flight, the part in which they do not wait; 0 to 1.
  double overlap() const;
  // Of all of the warps' time, the part that they wait: for stages, and at __syncthreads.
  double waiting_for_copies() const;
  double waiting_at_barriers() const;
  // At once, between a stage's first issue and its arrival.
  int most_in_flight() const;
  double end_cycle() const;
};

// Whether a kernel has such copies; the sites are its program's.
bool copies_asynchronously(const std::vector<emulator::AccessSite>& sites);

}  // namespace warpshop::timing
