// Races between the warps of one block in global memory: a warp writes what another reads or writes
// differently, with no barrier between them.
//
// Only the running block is tracked: each granule that it touches (4 bytes; 1 if the kernel stores
// parts of words) has a tag for the last write and two for reads, the latest by two different
// warps. A tag holds the barrier interval, the site and the thread. A hash table that grows with
// the memory that the block touches maps lines to their 32 granules.
//
// Watched: buffers that the kernel both loads and stores, since a second warp rarely returns to a
// place that is only written; store-only buffers up to kMaxStoredOnlyBytes. Not watched: kernels
// that use fences, volatile, acquire or release, whose warps may have their own protocol. Every
// barrier, of the whole block or of part of it, and the end of an mbarrier's phase start a new
// interval. Threads of one warp are assumed to be in step, except for two lanes of one store.
#pragma once

#include <cstdint>
#include <vector>

#include "shadows/global_shadow.h"
#include "shadows/line_table.h"

namespace warpshop::emulator {

inline constexpr uint64_t kMaxStoredOnlyBytes = uint64_t{1} << 20;

// Two threads of a block that access the same place.
struct WarpHazard {
  int lane = -1;              // of the running access
  uint64_t address = 0;       // of the granule
  uint32_t other_thread = 0;  // of the block
  uint32_t other_site = 0;
  bool other_wrote = false;
  bool other_atomic = false;  // with other_wrote: by an atomic
  bool needs_values = false;  // write after write: a race only if the values differ
};

class BlockShadow {
 public:
  // `granule_bytes`: 1 or 4.
  void configure(uint32_t granule_bytes);
  void start_block();
  void pass_barrier() { ++interval_; }

  // An access of a warp; addresses are in range and aligned. Adds hazards to `hazards` (at most 8).
  void on_read(const GlobalTouch& touch, uint32_t warp, uint32_t site,
               std::vector<WarpHazard>& hazards);
  void on_write(const GlobalTouch& touch, uint32_t warp, uint32_t site,
                std::vector<WarpHazard>& hazards);

 private:
  // bits 63..32 interval, 31..12 site, 11..1 thread, 0 atomic
  struct Granule {
    uint64_t write = 0;
    uint64_t read = 0;         // the latest
    uint64_t read_before = 0;  // the latest by a different warp
  };
  bool is_now(uint64_t tag) const { return (tag >> 32) == interval_; }
  template <typename Visit>
  void for_each_granule(const GlobalTouch& touch, Visit visit);

  int shift_ = 2;
  uint64_t interval_ = 1;
  LineTable<Granule> granules_;
};

}  // namespace warpshop::emulator
