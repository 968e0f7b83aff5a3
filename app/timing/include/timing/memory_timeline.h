// What a launch asks of the memory chips over time: the load of each partition, and the bursts,
// banks and rows of DRAM, by the rules of one GPU (models/partitions.h, models/dram.h). Time is
// counted in accesses, as in timing/model_figures.h: blocks march in step inside a wave.
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

// The bursts of a stretch of time by what they found.
struct RowWindow {
  uint64_t begin = 0;      // of time
  uint64_t hits = 0;       // the row was open
  uint64_t empties = 0;    // the bank had none open
  uint64_t conflicts = 0;  // another row had to be closed
};

struct MemoryTimeline {
  std::string gpu;                      // id of the profile
  models::PartitionLoad load;           // in at most `most_windows` windows, for the picture
  models::CampingReport camping;        // judged access by access, not by these windows
  models::DramService dram;             // every burst
  std::vector<RowWindow> rows;          // over the same windows as `load`
  uint64_t steps = 0;                   // accesses that a warp makes: the length of time
  uint64_t transactions = 0;
  uint64_t blocks = 0;                  // of the grid's first, that were looked at
  uint64_t grid_blocks = 0;
  int busiest_channel() const;          // by bursts; the first of those
};

// `records` in the order of time. `element_bytes`: what better strides are multiples of.
MemoryTimeline memory_timeline(const models::GpuProfile& gpu,
                               std::span<const models::MemoryRecord> records,
                               uint32_t element_bytes, size_t most_windows = 240);

// ---- from a stretch of time back to the accesses that made it
// -------------------------------------------------------------------------------------------------

// One access of a warp to global memory, and what it moves over the memory chips.
struct TimedAccess {
  uint64_t block = 0;  // linear
  models::AccessOrigin from = {};
  uint64_t time = 0;
  uint64_t bytes = 0;  // of its bursts that were asked about
};

// The access whose bursts, served in [begin, end) by this partition (none: by any), are the most
// bytes. Of equals the one by `near`'s warp, else by its block, else the first of the grid; where
// a warp has several, its first. None: nothing was served then.
std::optional<TimedAccess> heaviest_access(const MemoryTimeline& timeline, uint64_t begin,
                                           uint64_t end, std::optional<int> partition,
                                           std::optional<TimedAccess> near = std::nullopt);

// When an access reaches memory. None: its block was not looked at.
std::optional<uint64_t> time_of_access(const MemoryTimeline& timeline, uint64_t block,
                                       uint32_t warp, uint32_t step);

}  // namespace warpshop::timing
