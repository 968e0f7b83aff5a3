#include "shadows/shared_shadow.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "memory/host_clones.h"
#include "shadows/hazard_room.h"

namespace warpshop::emulator {
namespace {

constexpr uint64_t kSeveral = 4;
constexpr uint64_t kMany = 2;
constexpr uint64_t kAtomic = 1;
constexpr int kStampShift = 42;
constexpr uint64_t kLastStamp = (uint64_t{1} << (64 - kStampShift)) - 2;
constexpr size_t kMaxNotes = 2048;
constexpr size_t kMaxPatterns = 128;
constexpr uint32_t kSiteMask = 0x7fff;
constexpr uint32_t kOrderMask = 0x3fff;

uint32_t thread_of(uint64_t tag) { return static_cast<uint32_t>(tag >> 3) & 0x3ffu; }
uint32_t order_of(uint64_t tag) { return static_cast<uint32_t>(tag >> 28) & kOrderMask; }
uint32_t site_of(uint64_t tag) { return static_cast<uint32_t>(tag >> 13) & kSiteMask; }
bool same_warp(uint64_t tag, uint64_t other) { return ((tag ^ other) & 0x1f00u) == 0; }

// True for threads whose accesses in one barrier interval are unordered: of different warps, or of
// one warp without a __syncwarp between them.
bool unordered(const ShadowWarp& warp, uint32_t thread, uint64_t other) {
  if (thread_of(other) == thread) return false;
  if (thread_of(other) / 32 != thread / 32) return true;
  return !warp.lockstep && order_of(other) == (warp.order & kOrderMask);
}

// Reads beside atomics may be intended: reserve half of the space for other hazards.
bool has_room(const std::vector<Hazard>& hazards, bool beside_atomics) {
  return has_room_for(hazards, beside_atomics ? kMostSharedHazards / 2 : kMostSharedHazards);
}

struct Extent {
  uint64_t earliest = 0;
  uint64_t latest = 0;
};

// The earliest and the latest tag.
WARPSHOP_CLONES Extent extent_of(const uint64_t* tags, const uint32_t* granule, int count) {
  uint64_t earliest = ~uint64_t{0};
  uint64_t latest = 0;
  for (int n = 0; n < count; ++n) {
    const uint64_t tag = tags[granule[n]];
    earliest = tag < earliest ? tag : earliest;
    latest = tag > latest ? tag : latest;
  }
  return {earliest, latest};
}

// Writes the tags of lanes 0 to 31 to 32 neighbouring granules, unless one was touched since `now`:
// false.
WARPSHOP_CLONES bool put_row(uint64_t* writes, const uint64_t* reads, uint64_t now, uint64_t base) {
  uint64_t latest = 0;
  for (int n = 0; n < 32; ++n) {
    const uint64_t tag = writes[n] > reads[n] ? writes[n] : reads[n];
    latest = tag > latest ? tag : latest;
  }
  if (latest >= now) return false;
  for (int n = 0; n < 32; ++n) writes[n] = base + (static_cast<uint64_t>(n) << 3);
  return true;
}

// Merges old read tags into new ones: flags granules that other warps or lanes have read in this
// interval. Returns the OR of all new flags; the old tags go to `before_these`.
WARPSHOP_CLONES uint64_t merge_reads(const uint64_t* tags, const uint32_t* granule, int count,
                                     uint64_t now, uint64_t* fresh, uint64_t* before_these) {
  uint64_t all = 0;
  for (int n = 0; n < count; ++n) {
    const uint64_t old = tags[granule[n]];
    before_these[n] = old;
    const uint64_t mine = fresh[n];
    const uint64_t different = old ^ mine;
    const bool before = old >= now;
    const bool other_warp = (different & 0x1f00u) != 0;
    const bool other_order = (different & (uint64_t{kOrderMask} << 28)) != 0;
    const bool other_lane = (different & 0xf8u) != 0 || (old & kSeveral) != 0;
    uint64_t flags = old & kMany;
    flags |= other_warp ? kMany : 0;
    flags |= !other_warp && !other_order && other_lane ? kSeveral : 0;
    fresh[n] = mine | (before ? flags : 0);
    all |= fresh[n];
  }
  return all & (kMany | kSeveral);
}

}  // namespace

void SharedShadow::configure(uint32_t size_bytes, uint32_t granule_bytes, size_t sites,
                             bool parts_wait) {
  shift_ = granule_bytes == 1 ? 0 : 2;
  ordered_.reset();
  if (parts_wait) {
    ordered_.emplace().configure(size_bytes, shift_);
    return;
  }
  const size_t granules = (size_bytes >> shift_) + 1;
  granule_count_ = size_bytes >> shift_;
  written_count_ = 0;
  writes_.assign(granules, 0);
  reads_.assign(granules, 0);
  other_readers_.assign(granules, {});
  written_.assign(granules / 64 + 2, 0);
  pattern_of_site_.assign(sites, {});
  first_stamp_ = stamp_ = 1;
}

void SharedShadow::drop_notes() {
  notes_.clear();
  // The same patterns will appear in the next interval.
  if (patterns_.size() < kMaxPatterns / 2) return;
  patterns_.clear();
  ++pattern_round_;
}

uint64_t SharedShadow::size_bytes() const {
  if (ordered_) return ordered_->size_bytes();
  return 8 * (writes_.size() + reads_.size() + written_.size()) +
         other_readers_.size() * sizeof(OtherReaders) + notes_.size() * sizeof(ReadNote) +
         patterns_.size() * sizeof(AddressPattern) +
         pattern_of_site_.size() * sizeof(PatternOfSite);
}

void SharedShadow::start_block(bool lockstep) {
  if (ordered_) return ordered_->start_block(lockstep);
  drop_notes();
  writes_now_ = false;
  std::fill(written_.begin(), written_.end(), 0);
  written_count_ = 0;
  if (stamp_ >= kLastStamp) {
    std::fill(writes_.begin(), writes_.end(), 0);
    std::fill(reads_.begin(), reads_.end(), 0);
    stamp_ = 0;
  }
  first_stamp_ = ++stamp_;
}

void SharedShadow::pass_barrier(int barrier, uint32_t waiting_warps) {
  if (!ordered_) return pass_barrier();
  ordered_->pass_barrier(barrier, waiting_warps);
}

void SharedShadow::arrive(uint32_t warp, int barrier) {
  if (ordered_) ordered_->arrive(warp, barrier);
}

void SharedShadow::start_object(uint64_t address) {
  if (ordered_) ordered_->start_object(address);
}

void SharedShadow::arrive_at_object(uint32_t warp, uint32_t lanes, uint64_t address) {
  if (ordered_) ordered_->arrive_at_object(warp, lanes, address);
}

void SharedShadow::arrive_from_outside(uint64_t address) {
  if (ordered_) ordered_->arrive_from_outside(address);
}

void SharedShadow::complete_phase(uint64_t address) {
  if (ordered_) ordered_->complete_phase(address);
}

void SharedShadow::pass_object(uint32_t warp, uint64_t address) {
  if (ordered_) ordered_->pass_object(warp, address);
}

void SharedShadow::fence(uint32_t warp, uint32_t lanes) {
  if (ordered_) ordered_->fence(warp, lanes);
}

void SharedShadow::order_by(uint32_t warp, int lane, uint64_t address, uint32_t roles) {
  if (ordered_) ordered_->order_by(warp, lane, address, roles);
}

void SharedShadow::end_products(uint32_t warps) {
  if (ordered_) ordered_->end_products(warps);
}

void SharedShadow::follow_products(uint32_t warp, uint32_t warps) {
  if (ordered_) ordered_->follow_products(warp, warps);
}

void SharedShadow::sync_lanes(uint32_t warp, uint32_t lanes) {
  if (ordered_) ordered_->sync_lanes(warp, lanes);
}

void SharedShadow::pass_barrier() {
  if (ordered_) return ordered_->pass_barrier();
  drop_notes();
  writes_now_ = false;
  if (stamp_ >= kLastStamp) {
    // The stamps have run out inside a block: keep only the fact that it has written.
    const uint64_t first = first_stamp_ << kStampShift;
    for (uint64_t& tag : writes_) tag = tag >= first ? uint64_t{1} << kStampShift : 0;
    std::fill(reads_.begin(), reads_.end(), 0);
    first_stamp_ = stamp_ = 1;
  }
  ++stamp_;
}

uint64_t SharedShadow::base_tag(const ShadowWarp& warp, uint32_t site) const {
  return stamp_ << kStampShift | uint64_t{warp.order & kOrderMask} << 28 |
         uint64_t{std::min(site, kSiteMask)} << 13 | uint64_t{warp.first_thread} << 3;
}

void SharedShadow::pack(const ShadowWarp& warp, const ShadowAccess& access, int part, bool all,
                        Lanes& lanes) const {
  const uint64_t base = base_tag(warp, access.site) | (access.atomic ? kAtomic : 0);
  const auto offset = static_cast<uint32_t>(part);
  auto put = [&](uint32_t lane) {
    lanes.granule[lanes.count] = static_cast<uint32_t>(access.address[lane] >> shift_) + offset;
    lanes.tag[lanes.count] =
        base + (uint64_t{lane} << 3) + (access.sharer == nullptr ? 0 : access.sharer[lane]);
    lanes.lane[lanes.count++] = static_cast<uint8_t>(lane);
  };
  lanes.count = 0;
  if (!all && access.distinct != nullptr) {
    for (int n = 0; n < access.distinct_count; ++n) put(access.distinct[n]);
  } else if (access.mask == 0xffffffffu && access.sharer == nullptr) {
    lanes.count = 32;
    for (uint32_t lane = 0; lane < 32; ++lane) {
      lanes.granule[lane] = static_cast<uint32_t>(access.address[lane] >> shift_) + offset;
      lanes.tag[lane] = base + (uint64_t{lane} << 3);
      lanes.lane[lane] = static_cast<uint8_t>(lane);
    }
  } else {
    for (uint32_t rest = access.mask; rest != 0; rest &= rest - 1)
      put(static_cast<uint32_t>(std::countr_zero(rest)));
  }
}

// True if an earlier lane of the running store has left this tag. Two lanes of one instruction are
// never ordered, on any chip; lanes of two executions are if a warp runs in step.
bool SharedShadow::in_this_store(const Lanes& lanes, int n, uint64_t write) {
  for (int before = 0; before < n; ++before) {
    if (lanes.granule[before] == lanes.granule[n] &&
        thread_of(lanes.tag[before]) == thread_of(write))
      return true;
  }
  return false;
}

void SharedShadow::read_hazards(const ShadowWarp& warp, const Lanes& lanes,
                                std::vector<Hazard>& hazards, uint32_t& unwritten) const {
  for (int n = 0; n < lanes.count; ++n) {
    const uint64_t write = writes_[lanes.granule[n]];
    if ((write >> kStampShift) < first_stamp_) unwritten |= 1u << lanes.lane[n];
    if (!is_now(write) || !unordered(warp, thread_of(lanes.tag[n]), write)) continue;
    const bool atomic = (write & kAtomic) != 0 && (write & kMany) == 0;
    if (!has_room(hazards, atomic)) continue;
    hazards.push_back({.lane = lanes.lane[n],
                       .address = uint64_t{lanes.granule[n]} << shift_,
                       .other_thread = thread_of(write),
                       .other_site = site_of(write),
                       .other_wrote = true,
                       .other_atomic = atomic});
  }
}

void SharedShadow::read_granules(const ShadowWarp& warp, const ShadowAccess& access, int part,
                                 Lanes& lanes, std::vector<Hazard>& hazards, uint32_t& unwritten) {
  pack(warp, access, part, false, lanes);
  const Extent writes = extent_of(writes_.data(), lanes.granule, lanes.count);
  if (is_now(writes.latest) || (writes.earliest >> kStampShift) < first_stamp_) {
    // A lane that represents others may be the writer itself: check all of them.
    Lanes every;
    pack(warp, access, part, true, every);
    read_hazards(warp, every, hazards, unwritten);
  }
  put_reads(access, lanes);
}

void SharedShadow::put_reads(const ShadowAccess& access, Lanes& lanes) {
  alignas(64) uint64_t before[32];
  const uint64_t flags = merge_reads(reads_.data(), lanes.granule, lanes.count,
                                     stamp_ << kStampShift, lanes.tag, before);
  for (int n = 0; n < lanes.count; ++n) reads_[lanes.granule[n]] = lanes.tag[n];
  if (flags != 0) keep_other_readers(access, lanes, before);
  if (access.sharers_known) return;
  // Lanes that read the same granule: the last one's tag is stored, and the others differ from it.
  for (int n = 0; n < lanes.count; ++n) {
    uint64_t& there = reads_[lanes.granule[n]];
    if (thread_of(there) == thread_of(lanes.tag[n])) continue;
    there |= kSeveral;
    other_readers_[lanes.granule[n]].lane = lanes.tag[n];
  }
}

// For granules with several readers: keeps readers that the new tags do not name.
void SharedShadow::keep_other_readers(const ShadowAccess& access, const Lanes& lanes,
                                      const uint64_t* before) {
  for (int n = 0; n < lanes.count; ++n) {
    const uint64_t mine = lanes.tag[n];
    if ((mine & (kMany | kSeveral)) == 0) continue;
    OtherReaders& others = other_readers_[lanes.granule[n]];
    if (is_now(before[n]) && !same_warp(before[n], mine)) others.warp = before[n];
    if ((mine & kSeveral) == 0) continue;
    if (access.sharer != nullptr && access.sharer[lanes.lane[n]] != 0) {
      // A lane with the same address in this very read.
      const int me = lanes.lane[n];
      for (int lane = 31; lane >= 0; --lane) {
        if (lane == me || ((access.mask >> lane) & 1u) == 0 ||
            access.address[lane] != access.address[me])
          continue;
        others.lane = (mine & ~(uint64_t{31} << 3)) | static_cast<uint64_t>(lane) << 3;
        break;
      }
    } else if (is_now(before[n]) && same_warp(before[n], mine) &&
               thread_of(before[n]) != thread_of(mine)) {
      others.lane = before[n];
    }
  }
}

// True if the block has written every granule of such an access.
bool SharedShadow::all_written(const AddressPattern& pattern, uint64_t first, int bytes) const {
  if (written_count_ == granule_count_) return true;
  const int granules = std::max(1, bytes >> shift_);
  if (pattern.contiguous && granules == 1 && bytes == 1 << shift_) {
    const uint64_t at = first >> shift_;
    const uint64_t low = written_[at / 64] >> (at % 64);
    const uint64_t high = at % 64 == 0 ? 0 : written_[at / 64 + 1] << (64 - at % 64);
    return static_cast<uint32_t>(low | high) == 0xffffffffu;
  }
  // An aligned access is inside one word of the bits.
  const uint64_t unit = (uint64_t{1} << granules) - 1;
  uint64_t missing = 0;
  if (pattern.distinct_count == 32) {
    for (const uint64_t delta : pattern.delta) {
      const uint64_t at = (first + delta) >> shift_;
      missing |= ~(written_[at / 64] >> (at % 64)) & unit;
    }
    return missing == 0;
  }
  for (int n = 0; n < pattern.distinct_count; ++n) {
    const uint64_t at = (first + pattern.delta[pattern.distinct[n]]) >> shift_;
    missing |= ~(written_[at / 64] >> (at % 64)) & unit;
  }
  return missing == 0;
}

void SharedShadow::set_written(const ShadowAccess& access) {
  if (written_count_ == granule_count_) return;
  auto set = [&](uint64_t word, uint64_t bits) {
    written_count_ += static_cast<uint64_t>(std::popcount(bits & ~written_[word]));
    written_[word] |= bits;
  };
  const int granules = std::max(1, access.bytes >> shift_);
  if (access.contiguous && granules == 1 && access.bytes == 1 << shift_) {
    const uint64_t at = access.address[0] >> shift_;
    const uint64_t run = 0xffffffffu;
    set(at / 64, run << (at % 64));
    if (at % 64 > 32) set(at / 64 + 1, run >> (64 - at % 64));
    return;
  }
  const uint64_t unit = (uint64_t{1} << granules) - 1;
  for (uint32_t rest = access.mask; rest != 0; rest &= rest - 1) {
    const uint64_t at = access.address[std::countr_zero(rest)] >> shift_;
    set(at / 64, unit << (at % 64));
  }
}

void SharedShadow::mark_written(const ShadowAccess& access) {
  if (ordered_) return ordered_->mark_written(access);
  set_written(access);
  for (uint32_t rest = access.mask; rest != 0; rest &= rest - 1) {
    const uint64_t first = access.address[std::countr_zero(rest)] >> shift_;
    const auto granules = static_cast<uint64_t>(std::max(1, access.bytes >> shift_));
    for (uint64_t g = first; g < first + granules; ++g) {
      if ((writes_[g] >> kStampShift) < first_stamp_) writes_[g] = first_stamp_ << kStampShift;
    }
  }
}

bool SharedShadow::note_read(const ShadowWarp& warp, uint32_t site, const AddressPattern& pattern,
                             uint64_t first, int bytes) {
  if (ordered_ || writes_now_ || !all_written(pattern, first, bytes)) return false;
  if (notes_.size() >= kMaxNotes || patterns_.size() >= kMaxPatterns) flush_notes();
  PatternOfSite& kept = pattern_of_site_[site];
  if (kept.version != pattern.version || kept.round != pattern_round_) {
    kept = {.version = pattern.version,
            .round = pattern_round_,
            .index = static_cast<uint32_t>(patterns_.size())};
    patterns_.push_back(pattern);
  }
  notes_.push_back(
      {.warp = warp, .first = first, .site = site, .pattern = kept.index, .bytes = bytes});
  return true;
}

// Turns the listed reads into tags, in their original order.
void SharedShadow::flush_notes() {
  uint64_t address[32];
  Lanes lanes;
  for (const ReadNote& note : notes_) {
    const AddressPattern& pattern = patterns_[note.pattern];
    for (int lane = 0; lane < 32; ++lane) address[lane] = note.first + pattern.delta[lane];
    const ShadowAccess access{.address = address,
                              .mask = pattern.mask,
                              .bytes = note.bytes,
                              .site = note.site,
                              .sharer = pattern.shares ? pattern.sharer : nullptr,
                              .sharers_known = true,
                              .distinct = pattern.shares ? pattern.distinct : nullptr,
                              .distinct_count = pattern.distinct_count};
    for (int g = 0; g < note.bytes >> shift_; ++g) {
      pack(note.warp, access, g, false, lanes);
      put_reads(access, lanes);
    }
  }
  drop_notes();
}

// An unordered reader of the granule in this interval: of another warp if possible, since within a
// warp the lanes may be intended to be in step. 0: none.
uint64_t SharedShadow::unordered_reader(const ShadowWarp& warp, uint32_t thread,
                                        uint32_t granule) const {
  const uint64_t read = reads_[granule];
  if (!is_now(read)) return 0;
  if (thread_of(read) / 32 != thread / 32) return read;
  if ((read & kMany) != 0) return other_readers_[granule].warp;
  if (unordered(warp, thread, read)) return read;
  const bool several_here =
      !warp.lockstep && (read & kSeveral) != 0 && order_of(read) == (warp.order & kOrderMask);
  return several_here ? other_readers_[granule].lane : 0;
}

// Adds the hazards of the n-th lane's write.
void SharedShadow::write_hazards(const ShadowWarp& warp, const Lanes& lanes, int n,
                                 std::vector<Hazard>& hazards) const {
  const uint64_t mine = lanes.tag[n];
  const uint32_t granule = lanes.granule[n];
  const uint32_t thread = thread_of(mine);
  const bool atomic = (mine & kAtomic) != 0;
  const uint64_t reader = unordered_reader(warp, thread, granule);
  if (reader != 0 && has_room(hazards, atomic)) {
    hazards.push_back({.lane = lanes.lane[n],
                       .address = uint64_t{granule} << shift_,
                       .other_thread = thread_of(reader),
                       .other_site = site_of(reader)});
  }
  const uint64_t write = writes_[granule];
  const bool needs_values = !atomic && !(write & kAtomic);
  if (!is_now(write) || (atomic && (write & kAtomic) != 0) ||
      !(needs_values || has_room_for(hazards, kMostSharedHazards)))
    return;
  if (!unordered(warp, thread, write) && !in_this_store(lanes, n, write)) return;
  hazards.push_back({.lane = lanes.lane[n],
                     .address = uint64_t{granule} << shift_,
                     .other_thread = thread_of(write),
                     .other_site = site_of(write),
                     .other_wrote = true,
                     .other_atomic = (write & kAtomic) != 0,
                     .needs_values = needs_values});
}

void SharedShadow::write_one_by_one(const ShadowWarp& warp, const Lanes& lanes,
                                    std::vector<Hazard>& hazards) {
  for (int n = 0; n < lanes.count; ++n) {
    write_hazards(warp, lanes, n, hazards);
    const uint64_t mine = lanes.tag[n];
    uint64_t& write = writes_[lanes.granule[n]];
    const bool atomic = (mine & kAtomic) != 0;
    // An atomic after a plain write of the same thread: other threads' atomics still race with the
    // write.
    const bool after_own_write = atomic && is_now(write) && !(write & kAtomic) &&
                                 thread_of(write) == thread_of(mine) &&
                                 order_of(write) == order_of(mine);
    const bool over_plain = atomic && is_now(write) && (!(write & kAtomic) || (write & kMany));
    if (!after_own_write) write = (mine & ~kSeveral) | (over_plain ? kMany : 0);
  }
}

void SharedShadow::write_granules(const ShadowWarp& warp, const ShadowAccess& access, Lanes& lanes,
                                  std::vector<Hazard>& hazards) {
  const Extent writes = extent_of(writes_.data(), lanes.granule, lanes.count);
  const Extent reads = extent_of(reads_.data(), lanes.granule, lanes.count);
  if (is_now(writes.latest) || is_now(reads.latest)) return write_one_by_one(warp, lanes, hazards);
  for (int n = 0; n < lanes.count; ++n) writes_[lanes.granule[n]] = lanes.tag[n];
  if (access.atomic || (access.sharers_known && access.sharer == nullptr)) return;
  for (int n = 0; n < lanes.count; ++n) {
    const uint64_t there = writes_[lanes.granule[n]];
    if (there == lanes.tag[n]) continue;
    hazards.push_back({.lane = lanes.lane[n],
                       .address = uint64_t{lanes.granule[n]} << shift_,
                       .other_thread = thread_of(there),
                       .other_site = site_of(there),
                       .other_wrote = true,
                       .needs_values = true});
  }
}

uint32_t SharedShadow::on_read(const ShadowWarp& warp, const ShadowAccess& access,
                               std::vector<Hazard>& hazards) {
  if (ordered_) return ordered_->on_read(warp, access, hazards);
  if (!notes_.empty()) flush_notes();
  uint32_t unwritten = 0;
  Lanes lanes;
  for (int g = 0; g < access.bytes >> shift_; ++g)
    read_granules(warp, access, g, lanes, hazards, unwritten);
  return unwritten;
}

void SharedShadow::on_write(const ShadowWarp& warp, const ShadowAccess& access,
                            std::vector<Hazard>& hazards) {
  if (ordered_) return ordered_->on_write(warp, access, hazards);
  if (!notes_.empty()) flush_notes();
  writes_now_ = true;
  set_written(access);
  // Fast path: the way most kernels fill a tile.
  if (access.contiguous && !access.atomic && access.bytes == 1 << shift_) {
    const uint64_t at = access.address[0] >> shift_;
    if (put_row(&writes_[at], &reads_[at], stamp_ << kStampShift, base_tag(warp, access.site)))
      return;
  }
  Lanes lanes;
  for (int g = 0; g < access.bytes >> shift_; ++g) {
    pack(warp, access, g, true, lanes);
    write_granules(warp, access, lanes, hazards);
  }
}

void SharedShadow::before_write(const ShadowWarp& warp, const ShadowAccess& access,
                                std::vector<Hazard>& hazards) {
  if (ordered_) return ordered_->before_write(warp, access, hazards);
  if (!notes_.empty()) flush_notes();
  Lanes lanes;
  for (int g = 0; g < access.bytes >> shift_; ++g) {
    pack(warp, access, g, true, lanes);
    for (int n = 0; n < lanes.count; ++n) write_hazards(warp, lanes, n, hazards);
  }
}

uint32_t SharedShadow::unwritten(const ShadowAccess& access) const {
  if (ordered_) return ordered_->unwritten(access);
  uint32_t lanes = 0;
  for (uint32_t rest = access.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    for (int g = 0; g < access.bytes >> shift_; ++g) {
      const uint64_t tag = writes_[(access.address[lane] >> shift_) + static_cast<uint64_t>(g)];
      if ((tag >> kStampShift) < first_stamp_) lanes |= 1u << lane;
    }
  }
  return lanes;
}

}  // namespace warpshop::emulator
