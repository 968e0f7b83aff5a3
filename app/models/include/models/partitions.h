// Memory partitions: which part of DRAM an address goes to, how the load spreads over them, and
// when it camps on a few.
//
//   G80 to GT200:  partition = (address / 256) mod count     (envytools, g80-vram: linear surfaces)
//   since Fermi:   hashed by a function that is not published; here an XOR fold, an illustration:
//                  partition = (block mod count) with the higher digits of the block number folded
//                  in, so that each row of `count` blocks still fills every partition once
//
// A partition serves its bytes one after the other, so a stretch of time lasts as long as its
// busiest partition: camping on 1 of 8 partitions makes that stretch up to eight times as long.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/gpu_profile.h"

namespace warpshop::models {

struct PartitionMap {
  int count = 8;
  uint32_t bytes = 256;       // consecutive bytes of one partition
  bool hashed = false;        // by the XOR fold
  bool illustration = false;  // the mapping is not published: a picture of it, not the chip's
  Sentence note = {};      // what is assumed, for people; empty: nothing
};

// Unknown counts and sizes are assumed (8 partitions of 256 bytes), and the note says so.
PartitionMap partition_map_of(const GpuProfile& gpu);

int partition_of(const PartitionMap& map, uint64_t address);

// ---- load over time
// -------------------------------------------------------------------------------

// Which access of a warp a transaction belongs to.
struct AccessOrigin {
  uint32_t warp = 0;  // of its block
  uint32_t step = 0;  // n: the warp's n-th access to global memory, as issued, from 0
  uint32_t site = 0;  // of the kernel's access sites
};

// One transaction on its way to DRAM. `time` is any measure that grows: a cycle, a wave of blocks,
// an access number.
struct MemoryRecord {
  uint64_t time = 0;
  uint64_t block = 0;  // linear block of the grid
  uint64_t address = 0;
  uint32_t bytes = 32;
  AccessOrigin from = {};
};

struct PartitionWindow {
  uint64_t begin = 0;           // of time
  std::vector<uint64_t> bytes;  // by partition
  uint64_t busiest() const;
  uint64_t total() const;
};

struct PartitionLoad {
  PartitionMap map;
  uint64_t window_length = 1;            // in units of time
  std::vector<PartitionWindow> windows;  // ascending; windows without a record are left out
  std::vector<uint64_t> bytes;           // by partition, over all windows
  // How much longer the windows take than if each spread its bytes evenly: 1 is perfect, `count` is
  // one partition at a time. Work: bytes of the busiest partition, window by window.
  double slowdown() const;
  // Partitions that a window keeps busy at once: count / slowdown.
  double busy_partitions() const;
};

// A record that crosses a border is split. window_length 0 counts as 1.
PartitionLoad partition_load(const PartitionMap& map, std::span<const MemoryRecord> records,
                             uint64_t window_length);

// ---- camping
// --------------------------------------------------------------------------------------

// A load half again as long as an even one camps.
inline constexpr double kCampsFrom = 1.5;

// How many partitions the addresses 0, stride, 2 × stride, … reach (a hashed map: those of the
// first 4096 of them).
int partitions_reached(const PartitionMap& map, uint64_t stride_bytes);

// The strides at or above `stride_bytes`, nearest first, that reach every partition, at most
// `how_many`: those from which as many blocks as there are partitions reach them all, so whole partitions, and multiples
// of `unit_bytes` (a row must stay a multiple of its elements). Empty where none is within twice `count` of them.
std::vector<uint64_t> strides_without_camping(const PartitionMap& map, uint64_t stride_bytes,
                                              uint32_t unit_bytes, int how_many);

struct CampingReport {
  bool camps = false;  // the load is at least half again as long as an even one
  double slowdown = 1;
  int partitions = 0;         // reached by the stride that causes it
  uint64_t stride_bytes = 0;  // distance between the accesses that meet; 0: none stands out
  std::vector<uint64_t> better_strides;  // nearest first
  std::string text;                      // one sentence or two, for people
};

// Names the stride that makes the load camp: the most frequent distance between the places that
// neighbouring blocks reach at the same time, among those that reach few partitions. Takes what
// partition_load took.
CampingReport find_camping(const PartitionMap& map, std::span<const MemoryRecord> records,
                           uint64_t window_length, uint32_t element_bytes);

}  // namespace warpshop::models
