// The load on the memory chips over time: on each partition, and on the bursts, banks and rows of
// DRAM, by the rules of one GPU (models/partitions.h, models/dram.h). Time is measured in accesses,
// as in timing/model_figures.h: the blocks of a wave advance in lockstep.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/dram.h"
#include "models/gpu_profile.h"
#include "models/partitions.h"

namespace warpshop::timing {

// Bursts of one time window, by the state of their row.
struct RowWindow {
  uint64_t begin = 0;      // start time
  uint64_t hits = 0;       // the row was open
  uint64_t empties = 0;    // the bank had no open row
  uint64_t conflicts = 0;  // another row had to be closed first
};

struct MemoryTimeline {
  std::string gpu;                // profile id
  models::PartitionLoad load;     // in at most `most_windows` windows, for display
  models::CampingReport camping;  // evaluated per access, not per window
  models::DramService dram;       // every burst
  std::vector<RowWindow> rows;    // same windows as `load`
  uint64_t steps = 0;             // accesses per warp: the length of the time axis
  uint64_t transactions = 0;
  uint64_t blocks = 0;  // blocks included, from the start of the grid
  uint64_t grid_blocks = 0;
  int busiest_channel() const;  // by bursts; the lowest index wins ties
};

// `records` sorted by time. `element_bytes`: better strides are multiples of it.
MemoryTimeline memory_timeline(const models::GpuProfile& gpu,
                               std::span<const models::MemoryRecord> records,
                               uint32_t element_bytes, size_t most_windows = 240);

// --- From a time window back to its accesses ---

// One global access of a warp and the bytes it moves to or from DRAM.
struct TimedAccess {
  uint64_t block = 0;  // linear
  models::AccessOrigin from = {};
  uint64_t time = 0;
  uint64_t bytes = 0;  // of the bursts in question
};

// The access with the most burst bytes served in [begin, end) by this partition (none: by any).
// Ties go to `near`'s warp, then to its block, then to the grid's first block; within a warp, to
// its first access. None: nothing was served.
std::optional<TimedAccess> heaviest_access(const MemoryTimeline& timeline, uint64_t begin,
                                           uint64_t end, std::optional<int> partition,
                                           std::optional<TimedAccess> near = std::nullopt);

// When an access reaches memory. None: its block was not included.
std::optional<uint64_t> time_of_access(const MemoryTimeline& timeline, uint64_t block,
                                       uint32_t warp, uint32_t step);

}  // namespace warpshop::timing
