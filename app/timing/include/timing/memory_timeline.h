// What a launch asks of the memory chips over time: the load of each partition, and the bursts,
// banks and rows of DRAM, by the rules of one GPU (models/partitions.h, models/dram.h). Time is
// counted in accesses, as in timing/model_figures.h: blocks march in step inside a wave.
#pragma once

#include <cstdint>
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

}  // namespace warpshop::timing
