// The GPU figures that the simulation needs, in SM clock cycles.
#pragma once

#include <array>
#include <cstdint>

#include "core/result.h"
#include "models/gpu_profile.h"

namespace warpshop::timing {

struct OneSmFigures {
  int sm_count = 0;
  double cycles_per_us = 0;
  double launch_us = 0;       // of an empty kernel
  double block_interval = 0;  // cycles between two block starts, for the whole chip
  double block_refill = 0;    // from a block's end to the first instruction of its successor
  double barrier = 0;
  double barrier_per_warp = 0;
  double shared_latency = 0;
  double l1_latency = 0;
  double texture_warp = 8;  // time of the SM's texture units for a full warp's fetch
  double port_bytes = 64;   // from L2 into an SM, per cycle
  double l2_latency = 0;
  double dram_latency = 0;         // from issue to data if L2 misses and DRAM is idle
  double first_access = 0;         // what a launch's first access takes longer than a later one
  double first_access_per_sm = 0;  // likewise, for each further active SM
  int merging_sms = 1;    // SMs whose simultaneous reads of the same data share one request to L2
  double dram_mixed = 0;  // extra fraction of DRAM time if reads and writes are equal parts
  double dram_write_wait = 0;     // extra read latency while DRAM only writes
  uint64_t l1_bytes = 0;          // L1 and shared memory together
  uint64_t l2_keeps_bytes = 0;    // a footprint up to this size is still there at the next launch
  uint64_t l2_forgets_bytes = 0;  // a footprint from this size on is gone entirely
  // L2: time of a slice per request, divided by the number of slices.
  double l2_read = 0;
  double l2_read_sector = 0;  // each further sector of the line
  double l2_write = 0;
  double l2_write_sector = 0;
  double l2_partial = 0;
  double l2_partial_sector = 0;
  double l2_atomic = 0;          // per visit to some of a sector's words
  double l2_atomic_request = 0;  // a request's first visit to a line that is not visited constantly
  double l2_atomic_returned = 0;  // likewise if the old value is used
  double l2_atomic_whole = 0;     // per visit to all words of a sector
  double access = 1;     // cycles that the load/store unit takes at least for a warp's access
  double wavefront = 1;  // of the data stage of shared memory and L1
  int l2_slices = 0;
  double dram_unit = 0;  // 64 bytes, for the whole chip
  double dram_row = 0;   // 2 KiB, for one channel
  // Relative cost of the same bytes if only some of the 32 units (reads) or 64 sectors (writes) of
  // 2 KiB are used; indexed by log2 of n where one in n is used.
  std::array<double, 6> sparse_read{};
  std::array<double, 7> sparse_write{};
};

// Error: numbers missing from the profile.
Result<OneSmFigures> one_sm_figures(const models::GpuProfile& gpu);

}  // namespace warpshop::timing
