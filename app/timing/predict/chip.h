// What the simulation needs of a GPU, in the units that it works in: cycles of the SM's clock.
#pragma once

#include <array>
#include <cstdint>

#include "core/result.h"
#include "models/gpu_profile.h"

namespace warpshop::timing {

struct Chip {
  int sm_count = 0;
  double cycles_per_us = 0;
  double launch_us = 0;          // of an empty kernel
  double block_interval = 0;     // cycles between two block starts, of the whole chip
  double block_refill = 0;       // from a block's end to the first instruction of the next in its place
  double barrier = 0;
  double barrier_a_warp = 0;
  double shared_latency = 0;
  double l1_latency = 0;
  double texture_warp = 8;       // of an SM's texture units for a fetch by a whole warp
  double l2_latency = 0;
  double dram_latency = 0;       // from issue to data when L2 misses and DRAM is idle
  int merging_sms = 1;           // whose reads of the same data at about the same time are one request to L2
  double dram_mixed = 0;         // part more of DRAM's time where it reads and writes in equal parts
  double dram_write_wait = 0;    // more of it for reads while DRAM does nothing but write
  uint64_t l1_bytes = 0;         // of L1 and shared memory together
  uint64_t l2_keeps_bytes = 0;   // a footprint up to this is all still there at the next launch
  uint64_t l2_forgets_bytes = 0; // of one from this on nothing is
  // L2: time of a slice for one request, divided by the number of slices.
  double l2_read = 0;
  double l2_read_sector = 0;  // each further sector of the line
  double l2_write = 0;
  double l2_write_sector = 0;
  double l2_partial = 0;
  double l2_partial_sector = 0;
  double l2_atomic = 0;  // a visit of some of a sector's words
  double l2_atomic_request = 0;   // likewise, the first one of a request to a line that others do not visit all the time
  double l2_atomic_returned = 0;  // likewise, where the old value is wanted
  double l2_atomic_whole = 0;  // of all of them
  int l2_slices = 0;
  double dram_unit = 0;  // 64 bytes, of the whole chip
  // More for the same bytes when only some of the 32 units (reads) or 64 sectors (writes) of 2 KiB are used: by log2
  // of one in how many.
  std::array<double, 6> sparse_read{};
  std::array<double, 7> sparse_write{};
};

// Error: the numbers that the profile lacks.
Result<Chip> chip_of(const models::GpuProfile& gpu);

}  // namespace warpshop::timing
