#include "shadows/block_shadow.h"

#include <algorithm>
#include <bit>

#include "emulator/program.h"
#include "shadows/hazard_room.h"

namespace warpshop::emulator {
namespace {

// A block that touches more starts over: earlier accesses are forgotten, and races with them
// missed.
constexpr uint32_t kMostLines = 1u << 16;

uint32_t thread_of_tag(uint64_t tag) { return static_cast<uint32_t>(tag >> 1) & 0x7ffu; }
uint32_t warp_of(uint64_t tag) { return thread_of_tag(tag) / kWarpSize; }
uint32_t site_of_tag(uint64_t tag) { return static_cast<uint32_t>(tag >> 12) & 0xfffffu; }
bool atomic_of(uint64_t tag) { return (tag & 1) != 0; }

uint64_t tag_of(uint64_t interval, uint32_t site, uint32_t thread, bool atomic) {
  return interval << 32 | uint64_t{site & 0xfffffu} << 12 | uint64_t{thread} << 1 |
         (atomic ? 1 : 0);
}

// True if an earlier lane of the running store writes there as well.
bool in_this_store(const GlobalTouch& touch, uint32_t other, int lane, uint64_t address) {
  return other < static_cast<uint32_t>(lane) && ((touch.mask >> other) & 1u) != 0 &&
         address - touch.address[other] < static_cast<uint64_t>(touch.bytes);
}

// Reads beside atomics may be intended: reserve half of the space for other hazards.
bool has_room(const std::vector<WarpHazard>& hazards, bool beside_atomics) {
  return has_room_for(hazards, beside_atomics ? kMostGlobalHazards / 2 : kMostGlobalHazards);
}

}  // namespace

void BlockShadow::configure(uint32_t granule_bytes) {
  shift_ = granule_bytes == 1 ? 0 : 2;
  granules_.clear();
}

void BlockShadow::start_block() {
  // Tags of an earlier interval count as empty, so the previous block's lines may stay.
  if (++interval_ >= (uint64_t{1} << 31)) {
    interval_ = 1;
    configure(1u << shift_);
  }
}

// Calls visit(granule, its address, lane) for everything the access touches, lane by lane.
template <typename Visit>
void BlockShadow::for_each_granule(const GlobalTouch& touch, Visit visit) {
  visit_granules(touch, shift_, [&](uint64_t granule, int lane) {
    if (granules_.lines() == kMostLines) granules_.clear();
    visit(granules_.at(granule), granule << shift_, lane);
  });
}

void BlockShadow::on_read(const GlobalTouch& touch, uint32_t warp, uint32_t site,
                          std::vector<WarpHazard>& hazards) {
  const uint64_t mine = tag_of(interval_, site, warp * kWarpSize, false);
  for_each_granule(touch, [&](Granule& g, uint64_t address, int lane) {
    if (is_now(g.write) && warp_of(g.write) != warp && has_room(hazards, atomic_of(g.write))) {
      hazards.push_back({.lane = lane,
                         .address = address,
                         .other_thread = thread_of_tag(g.write),
                         .other_site = site_of_tag(g.write),
                         .other_wrote = true,
                         .other_atomic = atomic_of(g.write)});
    }
    if (is_now(g.read) && warp_of(g.read) != warp) g.read_before = g.read;
    g.read = mine + (static_cast<uint64_t>(lane) << 1);
  });
}

void BlockShadow::on_write(const GlobalTouch& touch, uint32_t warp, uint32_t site,
                           std::vector<WarpHazard>& hazards) {
  const uint64_t mine = tag_of(interval_, site, warp * kWarpSize, touch.atomic);
  for_each_granule(touch, [&](Granule& g, uint64_t address, int lane) {
    const uint64_t tag = mine + (static_cast<uint64_t>(lane) << 1);
    const auto add_hazard = [&](uint64_t other, bool wrote) {
      const bool needs_values = wrote && !touch.atomic && !atomic_of(other);
      if (!needs_values && !has_room(hazards, !wrote && touch.atomic)) return;
      hazards.push_back({.lane = lane,
                         .address = address,
                         .other_thread = thread_of_tag(other),
                         .other_site = site_of_tag(other),
                         .other_wrote = wrote,
                         .other_atomic = wrote && atomic_of(other),
                         .needs_values = needs_values});
    };
    const bool other_writer =
        warp_of(g.write) != warp ||
        in_this_store(touch, thread_of_tag(g.write) % kWarpSize, lane, address);
    if (is_now(g.write) && other_writer && !(touch.atomic && atomic_of(g.write)))
      add_hazard(g.write, true);
    const uint64_t reader = is_now(g.read) && warp_of(g.read) != warp ? g.read : g.read_before;
    if (is_now(reader) && warp_of(reader) != warp) add_hazard(reader, false);
    // An atomic after a plain write of the same warp: other warps' atomics still race with the
    // write.
    const bool after_own_write =
        touch.atomic && is_now(g.write) && warp_of(g.write) == warp && !atomic_of(g.write);
    if (!after_own_write) g.write = tag;
  });
}

}  // namespace warpshop::emulator
