// Tracks who wrote and who read each part of a block's shared memory since the last barrier: finds
// races even if the result happens to be right, and reads of uninitialised memory.
//
// Two accesses race if they touch the same bytes from different threads, at least one writes (a
// value other than the current one), they are not both atomic, and neither a barrier of the block
// nor, within one warp, a __syncwarp separates them. These are the RAW, WAR and WAW hazards of
// compute-sanitizer's racecheck.
//
// Each granule (4 bytes; 1 if the kernel accesses parts of words) has one tag for its last write
// and one for its reads:
//
//   bits 63..42 stamp     barrier interval, counted over all blocks of the emulation thread
//   bits 41..28 order     number of synchronisations of the thread's warp, modulo 2^14
//   bits 27..13 site      the access site
//   bits 12..3  thread    in the block; the last of several readers (other_readers_ has another)
//   bit  2      several   read by more than one lane of that warp at that order
//   bit  1      many      read by more than one warp; for an atomic: it follows a plain write of
//                         the same interval
//   bit  0      atomic
//
// A typical access finds no tag of this interval: one pass over the tags checks this, and a second
// one writes the new tags. Only potential hazards are handled lane by lane.
//
// Between two barriers kernels mostly only read: reads before the first write of an interval are
// only listed (note_read) and become tags if a write follows before the barrier.
//
// If parts of a block wait for each other, the kernel is tracked by an OrderedShadow instead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "memory/address_math.h"
#include "shadows/ordered_shadow.h"
#include "shadows/shared_hazard.h"

namespace warpshop::emulator {

class SharedShadow {
 public:
  // Allocates for `size_bytes` of shared memory and `sites` access sites. `granule_bytes`: 1 or 4.
  // `parts_wait`: parts of the block wait for each other.
  void configure(uint32_t size_bytes, uint32_t granule_bytes, size_t sites, bool parts_wait);
  void start_block(bool lockstep);
  // Every thread of the block has arrived at a barrier.
  void pass_barrier();
  // The warps in `waiting_warps` continue; warps that only arrived have called arrive().
  void pass_barrier(int barrier, uint32_t waiting_warps);
  void arrive(uint32_t warp, int barrier);
  // Some of a warp's running lanes have waited for each other.
  void sync_lanes(uint32_t warp, uint32_t lanes);
  // As in OrderedShadow.
  void start_object(uint64_t address);
  void arrive_at_object(uint32_t warp, uint32_t lanes, uint64_t address);
  void arrive_from_outside(uint64_t address);
  void complete_phase(uint64_t address);
  void pass_object(uint32_t warp, uint64_t address);
  void end_products(uint32_t warps);
  void follow_products(uint32_t warp, uint32_t warps);
  void fence(uint32_t warp, uint32_t lanes);
  void order_by(uint32_t warp, int lane, uint64_t address, uint32_t roles);

  // Fast path for a read that repeats its site's pattern, with the pattern's first lane at `first`.
  // False: call on_read.
  bool note_read(const ShadowWarp& warp, uint32_t site, const AddressPattern& pattern,
                 uint64_t first, int bytes);

  // Adds hazards to `hazards` (at most 32). Returns the lanes that read a granule that was never
  // written in this block.
  uint32_t on_read(const ShadowWarp& warp, const ShadowAccess& access,
                   std::vector<Hazard>& hazards);
  void on_write(const ShadowWarp& warp, const ShadowAccess& access, std::vector<Hazard>& hazards);
  // The hazards of a write that happens later, as in on_write; records no write yet.
  void before_write(const ShadowWarp& warp, const ShadowAccess& access,
                    std::vector<Hazard>& hazards);
  // Another block of the cluster has written this, in an interval of its own: reads find it
  // initialised. The block must have passed a barrier since start_block.
  void mark_written(const ShadowAccess& access);
  // Memory used by the shadow.
  uint64_t size_bytes() const;
  // Lanes that would read uninitialised memory.
  uint32_t unwritten(const ShadowAccess& access) const;

 private:
  // The lanes of an access, packed: granule and thread bits of each.
  struct Lanes {
    int count = 0;
    alignas(64) uint32_t granule[32];
    alignas(64) uint64_t tag[32];
    uint8_t lane[32];
  };
  uint64_t base_tag(const ShadowWarp& warp, uint32_t site) const;
  bool is_now(uint64_t tag) const { return (tag >> 42) == stamp_; }
  // Packs all lanes, or one lane per address.
  void pack(const ShadowWarp& warp, const ShadowAccess& access, int part, bool all,
            Lanes& lanes) const;
  void read_granules(const ShadowWarp& warp, const ShadowAccess& access, int part, Lanes& lanes,
                     std::vector<Hazard>& hazards, uint32_t& unwritten);
  void write_granules(const ShadowWarp& warp, const ShadowAccess& access, Lanes& lanes,
                      std::vector<Hazard>& hazards);
  void read_hazards(const ShadowWarp& warp, const Lanes& lanes, std::vector<Hazard>& hazards,
                    uint32_t& unwritten) const;
  void write_hazards(const ShadowWarp& warp, const Lanes& lanes, int n,
                     std::vector<Hazard>& hazards) const;
  void write_one_by_one(const ShadowWarp& warp, const Lanes& lanes, std::vector<Hazard>& hazards);
  static bool in_this_store(const Lanes& lanes, int n, uint64_t write);
  uint64_t unordered_reader(const ShadowWarp& warp, uint32_t thread, uint32_t granule) const;
  void put_reads(const ShadowAccess& access, Lanes& lanes);
  void keep_other_readers(const ShadowAccess& access, const Lanes& lanes, const uint64_t* before);
  bool all_written(const AddressPattern& pattern, uint64_t first, int bytes) const;
  void set_written(const ShadowAccess& access);
  void flush_notes();
  void drop_notes();

  // Tags of readers of a granule other than the one in its tag, since a thread does not race with
  // itself.
  struct OtherReaders {
    uint64_t warp = 0;  // with `many`: of a different warp than the last reader
    uint64_t lane = 0;  // with `several`: a different lane of its warp
  };

  // A listed read and the pattern of its addresses.
  struct ReadNote {
    ShadowWarp warp;
    uint64_t first = 0;
    uint32_t site = 0;
    uint32_t pattern = 0;  // index in patterns_
    int bytes = 4;
  };
  struct PatternOfSite {
    uint64_t version = 0;
    uint64_t round = 0;  // pattern_round_ when it was stored
    uint32_t index = 0;
  };

  int shift_ = 2;
  uint64_t first_stamp_ = 1;  // of the running block
  uint64_t stamp_ = 1;
  std::vector<uint64_t> writes_;
  std::vector<uint64_t> reads_;
  std::vector<OtherReaders> other_readers_;  // valid where a tag in reads_ has `many` or `several`
  std::vector<uint64_t> written_;            // one bit per granule: the block has written it
  uint64_t written_count_ = 0;  // number of set bits; if all are set, reads need no check
  uint64_t granule_count_ = 0;
  bool writes_now_ = false;  // something was written in this interval
  std::vector<ReadNote> notes_;
  std::vector<AddressPattern> patterns_;
  std::vector<PatternOfSite> pattern_of_site_;
  uint64_t pattern_round_ = 1;
  std::optional<OrderedShadow> ordered_;
};

}  // namespace warpshop::emulator
