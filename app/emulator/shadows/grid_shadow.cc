#include "shadows/grid_shadow.h"

#include <algorithm>
#include <bit>

#include "shadows/hazard_room.h"
#include "shadows/order_role.h"

namespace warpshop::emulator {
namespace {

// With more, the launch is no longer watched: lines of memory, and entries of what blocks know.
constexpr uint32_t kMostWatchedLines = 1u << 17;
constexpr uint64_t kMostWork = uint64_t{1} << 29;
constexpr uint64_t kMostKept = uint64_t{1} << 24;

}  // namespace

GridShadow::GridShadow(uint64_t blocks, uint32_t granule_bytes)
    : shift_(granule_bytes == 1 ? 0 : 2),
      clocks_(static_cast<size_t>(blocks)),
      by_fences_(clocks_, BlockOrder::Needs::kFences),
      by_words_(clocks_, BlockOrder::Needs::kWords) {}

bool GridShadow::gives_up() {
  off_ = off_ || granules_.lines() >= kMostWatchedLines ||
         by_fences_.work() + by_words_.work() > kMostWork ||
         by_fences_.kept() + by_words_.kept() > kMostKept;
  return off_;
}

void GridShadow::pass_barrier(uint64_t block) {
  if (off_) return;
  clocks_[static_cast<size_t>(block)].pass_barrier();
  by_fences_.pass_barrier(block);
  by_words_.pass_barrier(block);
}

void GridShadow::fence(uint64_t block, uint32_t warp) {
  if (off_) return;
  by_fences_.fence(block, warp);
  by_words_.fence(block, warp);
}

void GridShadow::order_by(const GridWarp& who, uint64_t address, uint32_t roles) {
  if (gives_up()) return;
  Granule& granule = granules_.at(address >> shift_);
  granule.is_flag = true;
  const bool acquires = (roles & kAcquires) != 0, releases = (roles & kReleases) != 0;
  const bool replaces = (roles & kReplaces) != 0;
  const Tag stored = granule.write;  // by a plain store
  // Only who waits for a word, or changes it, takes it for a flag.
  const bool waits = (roles & (kPolls | kLocks | kWrites)) != 0;
  for (BlockOrder* order : {&by_fences_, &by_words_}) {
    if ((roles & kReads) != 0) {
      if (waits && stored.time > 0 && stored.block != who.block)
        order->hand_over(stored.block, stored.warp, who.block, who.warp);
      order->read(who.block, who.warp, address, acquires);
    }
    if ((roles & kWrites) != 0) order->write(who.block, who.warp, address, replaces, releases);
  }
  if (replaces) granule.write = {};
}

GridShadow::Tag GridShadow::tag_of(const GridWarp& who) {
  BlockClock& clock = clocks_[static_cast<size_t>(who.block)];
  clock.accessed = true;
  return {.time = clock.now,
          .block = static_cast<uint16_t>(who.block),
          .warp = static_cast<uint16_t>(who.warp),
          .site = who.site};
}

bool GridShadow::ordered(const GridWarp& who, const Tag& other) const {
  return other.time == 0 || other.block == who.block ||
         by_fences_.knows(who.block, who.warp, other.block, other.warp, other.time);
}

void GridShadow::add(const GridWarp& who, const Tag& other, bool wrote, int lane, uint64_t address,
                     std::vector<GridHazard>& hazards) const {
  if (hazards.size() == kMostGlobalHazards) return;
  using Missing = GridHazard::Missing;
  const Missing missing =
      by_fences_.would_know(who.block, who.warp, other.block, other.warp, other.time)
          ? Missing::kFenceAfter
      : by_words_.knows(who.block, who.warp, other.block, other.warp, other.time)
          ? Missing::kFenceBefore
          : Missing::kOrder;
  hazards.push_back({.missing = missing,
                     .lane = lane,
                     .address = address,
                     .other_block = other.block,
                     .other_site = other.site,
                     .other_wrote = wrote});
}

// Calls visit(granule, its address, lane) for everything the access touches, lane by lane.
template <typename Visit>
void GridShadow::for_each_granule(const GlobalTouch& touch, Visit visit) {
  visit_granules(touch, shift_, [&](uint64_t granule, int lane) {
    visit(granules_.at(granule), granule << shift_, lane);
  });
}

void GridShadow::on_read(const GridWarp& who, const GlobalTouch& touch,
                         std::vector<GridHazard>& hazards) {
  if (gives_up()) return;
  const Tag mine = tag_of(who);
  for_each_granule(touch, [&](Granule& g, uint64_t address, int lane) {
    if (!ordered(who, g.write)) add(who, g.write, true, lane, address, hazards);
    if (touch.atomic) return;  // strong loads and plain stores: only the store is reported
    if (g.read.block != mine.block) g.read_before = g.read;
    g.read = mine;
  });
}

void GridShadow::on_write(const GridWarp& who, const GlobalTouch& touch,
                          std::vector<GridHazard>& hazards) {
  if (gives_up()) return;
  const Tag mine = tag_of(who);
  for_each_granule(touch, [&](Granule& g, uint64_t address, int lane) {
    if (g.is_flag) {
      order_by(who, address, kWrites | kReplaces);
      g.write = mine;
      return;
    }
    if (!ordered(who, g.write)) {
      add(who, g.write, true, lane, address, hazards);
    } else {
      for (const Tag& read : {g.read, g.read_before}) {
        if (!ordered(who, read)) add(who, read, false, lane, address, hazards);
      }
    }
    g = Granule{};
    g.write = mine;
  });
}

}  // namespace warpshop::emulator
