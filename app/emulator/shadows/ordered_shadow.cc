#include "shadows/ordered_shadow.h"

#include <algorithm>
#include <bit>

namespace warpshop::emulator {
namespace {

constexpr size_t kMostOrderedHazards = 32;

}  // namespace

void OrderedShadow::configure(uint32_t size_bytes, int shift) {
  shift_ = shift;
  granules_.assign((size_bytes >> shift) + 1, {});
  used_.clear();
}

void OrderedShadow::start_block(bool lockstep) {
  for (uint32_t g : used_) granules_[g] = {};
  used_.clear();
  lockstep_ = lockstep;
  now_ = floor_ = 1;
  run_ = 0;
  across_ = {};
  within_.clear();
  released_ = {};
  released_at_.clear();
}

void OrderedShadow::pass_barrier() { floor_ = ++now_; }

void OrderedShadow::arrive(uint32_t warp, int barrier) {
  Clock& released = released_[static_cast<size_t>(barrier)];
  const Clock& mine = across_[warp];
  for (size_t v = 0; v < kWarps; ++v) released[v] = std::max(released[v], mine[v]);
  released[warp] = ++now_;
}

void OrderedShadow::release(uint32_t warp, uint64_t address) {
  Clock& released = released_at_[address];
  for (size_t v = 0; v < kWarps; ++v) released[v] = std::max(released[v], across_[warp][v]);
  released[warp] = ++now_;
}

void OrderedShadow::acquire(uint32_t warp, uint64_t address) {
  const auto released = released_at_.find(address);
  if (released == released_at_.end()) return;
  for (size_t v = 0; v < kWarps; ++v)
    across_[warp][v] = std::max(across_[warp][v], released->second[v]);
}

void OrderedShadow::pass_barrier(int barrier, uint32_t waiting_warps) {
  Clock& joined = released_[static_cast<size_t>(barrier)];
  ++now_;
  for (uint32_t rest = waiting_warps; rest != 0; rest &= rest - 1) {
    const auto w = static_cast<size_t>(std::countr_zero(rest));
    for (size_t v = 0; v < kWarps; ++v) joined[v] = std::max(joined[v], across_[w][v]);
  }
  for (uint32_t rest = waiting_warps; rest != 0; rest &= rest - 1)
    joined[static_cast<size_t>(std::countr_zero(rest))] = now_;
  for (uint32_t rest = waiting_warps; rest != 0; rest &= rest - 1)
    across_[static_cast<size_t>(std::countr_zero(rest))] = joined;
  joined = {};
}

void OrderedShadow::sync_lanes(uint32_t warp, uint32_t lanes) {
  if (within_.empty()) within_.resize(kWarps);
  std::array<Clock, kWarps>& clocks = within_[warp];
  Clock joined{};
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const Clock& lane = clocks[static_cast<size_t>(std::countr_zero(rest))];
    for (size_t m = 0; m < kWarps; ++m) joined[m] = std::max(joined[m], lane[m]);
  }
  ++now_;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    joined[static_cast<size_t>(std::countr_zero(rest))] = now_;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    clocks[static_cast<size_t>(std::countr_zero(rest))] = joined;
}

uint32_t OrderedShadow::unordered_lanes(const Touch& touch, uint32_t warp, int lane) const {
  if (touch.time < floor_ || touch.time < across_[warp][touch.warp]) return 0;
  if (touch.warp != warp) return touch.lanes;
  uint32_t others = touch.lanes & ~(1u << lane);
  // Two lanes of one instruction are never ordered, on any chip.
  if (lockstep_) return touch.run == run_ ? others : 0;
  if (within_.empty()) return others;
  const Clock& clock = within_[warp][static_cast<size_t>(lane)];
  for (uint32_t rest = others; rest != 0; rest &= rest - 1) {
    if (touch.time < clock[static_cast<size_t>(std::countr_zero(rest))])
      others &= ~(rest & (0u - rest));
  }
  return others;
}

void OrderedShadow::add_hazards(Granule& granule, uint64_t address, const Touch& mine, int lane,
                                std::vector<Hazard>& hazards) const {
  for (const Touch& touch : granule.touches) {
    // Reads beside atomics may be intended: reserve half of the space for other hazards.
    const bool beside_atomics = (!mine.write && touch.atomic) || (mine.atomic && !touch.write);
    if (hazards.size() >= (beside_atomics ? kMostOrderedHazards / 2 : kMostOrderedHazards))
      continue;
    if ((!mine.write && !touch.write) || (mine.atomic && touch.atomic)) continue;
    const uint32_t others = unordered_lanes(touch, mine.warp, lane);
    if (others == 0) continue;
    hazards.push_back(
        {.lane = lane,
         .address = address,
         .other_thread = touch.warp * 32u + static_cast<uint32_t>(std::countr_zero(others)),
         .other_site = touch.site,
         .other_wrote = touch.write,
         .other_atomic = touch.atomic,
         .needs_values = mine.write && touch.write && !mine.atomic && !touch.atomic});
  }
}

// Drops touches that are ordered before everything that follows, and the lane's own earlier ones of
// this kind: an access ordered after the new one is also ordered after those.
void OrderedShadow::add(Granule& granule, const Touch& mine) const {
  for (Touch& touch : granule.touches) {
    if (touch.time < floor_) touch.lanes = 0;
    if (touch.warp == mine.warp && touch.write == mine.write && touch.atomic == mine.atomic) {
      if (touch.run == mine.run && touch.time == mine.time) {
        touch.lanes |= mine.lanes;
        return;
      }
      touch.lanes &= ~mine.lanes;
    }
  }
  std::erase_if(granule.touches, [](const Touch& touch) { return touch.lanes == 0; });
  granule.touches.push_back(mine);
}

template <typename Visit>
void OrderedShadow::each_granule(const ShadowAccess& access, int lane, Visit visit) {
  const int count = std::max(1, access.bytes >> shift_);
  for (int n = 0; n < count; ++n) {
    const auto g = static_cast<uint32_t>(access.address[lane] >> shift_) + static_cast<uint32_t>(n);
    Granule& granule = granules_[g];
    if (granule.touches.empty() && !granule.written) used_.push_back(g);
    visit(granule, uint64_t{g} << shift_);
  }
}

uint32_t OrderedShadow::on_read(const ShadowWarp& warp, const ShadowAccess& access,
                                std::vector<Hazard>& hazards) {
  ++run_;
  uint32_t missing = 0;
  Touch mine{.time = now_,
             .site = access.site,
             .run = run_,
             .warp = static_cast<uint8_t>(warp.first_thread / 32)};
  for (uint32_t rest = access.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    mine.lanes = 1u << lane;
    each_granule(access, lane, [&](Granule& granule, uint64_t address) {
      if (!granule.written) missing |= 1u << lane;
      add_hazards(granule, address, mine, lane, hazards);
      add(granule, mine);
    });
  }
  return missing;
}

void OrderedShadow::on_write(const ShadowWarp& warp, const ShadowAccess& access,
                             std::vector<Hazard>& hazards) {
  ++run_;
  Touch mine{.time = now_,
             .site = access.site,
             .run = run_,
             .warp = static_cast<uint8_t>(warp.first_thread / 32),
             .write = true,
             .atomic = access.atomic};
  for (uint32_t rest = access.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    mine.lanes = 1u << lane;
    each_granule(access, lane, [&](Granule& granule, uint64_t address) {
      add_hazards(granule, address, mine, lane, hazards);
      add(granule, mine);
      granule.written = true;
    });
  }
}

void OrderedShadow::before_write(const ShadowWarp& warp, const ShadowAccess& access,
                                 std::vector<Hazard>& hazards) {
  ++run_;
  Touch mine{.time = now_,
             .site = access.site,
             .run = run_,
             .warp = static_cast<uint8_t>(warp.first_thread / 32),
             .write = true};
  for (uint32_t rest = access.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    mine.lanes = 1u << lane;
    each_granule(access, lane, [&](Granule& granule, uint64_t address) {
      add_hazards(granule, address, mine, lane, hazards);
    });
  }
}

uint32_t OrderedShadow::unwritten(const ShadowAccess& access) const {
  uint32_t missing = 0;
  for (uint32_t rest = access.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    for (int n = 0; n < std::max(1, access.bytes >> shift_); ++n) {
      if (!granules_[(access.address[lane] >> shift_) + static_cast<uint64_t>(n)].written)
        missing |= 1u << lane;
    }
  }
  return missing;
}

uint64_t OrderedShadow::size_bytes() const {
  uint64_t bytes =
      granules_.size() * sizeof(Granule) + used_.size() * 4 + within_.size() * sizeof within_[0];
  for (uint32_t g : used_) bytes += granules_[g].touches.size() * sizeof(Touch);
  return bytes;
}

}  // namespace warpshop::emulator
