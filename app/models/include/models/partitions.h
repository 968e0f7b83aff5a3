// Memory partitions: which part of DRAM serves an address, how evenly the load spreads, and when it
// camps on a few partitions.
//
//   G80 to GT200:  partition = (address / 256) mod count     (envytools, g80-vram: linear surfaces)
//   since Fermi:   hashed by an unpublished function; modelled by an XOR fold, for illustration:
//                  partition = (block mod count) with the higher digits of the block number folded
//                  in, so that each row of `count` blocks still fills every partition once
//
// A partition serves its bytes serially, so a time window lasts as long as its busiest partition:
// camping on 1 of 8 partitions makes it up to eight times as long.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/gpu_profile.h"

namespace warpshop::models {

struct PartitionMap {
  int count = 8;
  uint32_t bytes = 256;       // consecutive bytes per partition
  bool hashed = false;        // by the XOR fold
  bool illustration = false;  // the real mapping is not published; this one only illustrates it
  Sentence note = {};         // assumptions, for users; empty: none
};

// Assumes 8 partitions of 256 bytes where the numbers are unknown, and says so in the note.
PartitionMap partition_map_of(const GpuProfile& gpu);

int partition_of(const PartitionMap& map, uint64_t address);

// --- Load over time ---

// The warp access that a transaction belongs to.
struct AccessOrigin {
  uint32_t warp = 0;  // within its block
  uint32_t step = 0;  // the warp's n-th global access, in issue order, from 0
  uint32_t site = 0;  // index into the kernel's access sites
};

// One transaction to DRAM. `time` is any increasing measure: a cycle, a wave of blocks, an access
// number.
struct MemoryRecord {
  uint64_t time = 0;
  uint64_t block = 0;  // linear block index
  uint64_t address = 0;
  uint32_t bytes = 32;
  AccessOrigin from = {};
};

struct PartitionWindow {
  uint64_t begin = 0;           // start time
  std::vector<uint64_t> bytes;  // by partition
  uint64_t busiest() const;
  uint64_t total() const;
};

struct PartitionLoad {
  PartitionMap map;
  uint64_t window_length = 1;            // in units of time
  std::vector<PartitionWindow> windows;  // ascending; windows without records are omitted
  std::vector<uint64_t> bytes;           // by partition, over all windows
  // Slowdown relative to a load that is balanced within each window: 1 is perfect, `count` means
  // one partition at a time. Work is the bytes of the busiest partition, summed over windows.
  double slowdown() const;
};

// Splits records that cross a boundary. A window_length of 0 counts as 1.
PartitionLoad partition_load(const PartitionMap& map, std::span<const MemoryRecord> records,
                             uint64_t window_length);

// --- Camping ---

// A load camps if it takes at least 1.5 times as long as a balanced one.
inline constexpr double kCampsFrom = 1.5;

// Partitions hit by the addresses 0, stride, 2 × stride, … (for a hashed map, the first 4096 of
// them).
int partitions_reached(const PartitionMap& map, uint64_t stride_bytes);

// The `how_many` nearest strides at or above `stride_bytes` that spread over every partition: as
// many consecutive blocks as there are partitions then hit all of them. They are multiples of a
// whole partition and of `unit_bytes` (a row must remain a whole number of elements). Empty if
// there is none within twice `count`.
std::vector<uint64_t> strides_without_camping(const PartitionMap& map, uint64_t stride_bytes,
                                              uint32_t unit_bytes, int how_many);

struct CampingReport {
  bool camps = false;  // the slowdown is at least kCampsFrom
  double slowdown = 1;
  int partitions = 0;                    // hit by the stride responsible
  uint64_t stride_bytes = 0;             // between the colliding accesses; 0: no dominant stride
  std::vector<uint64_t> better_strides;  // nearest first
  std::string text;                      // one or two sentences, for users
};

// Finds the stride that causes camping: the most frequent distance between places that neighbouring
// blocks access at the same time, among distances that hit few partitions. Takes the same arguments
// as partition_load.
CampingReport find_camping(const PartitionMap& map, std::span<const MemoryRecord> records,
                           uint64_t window_length, uint32_t element_bytes);

}  // namespace warpshop::models
