#include "shadows/ordered_shadow.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "shadows/hazard_room.h"
#include "shadows/order_role.h"

namespace warpshop::emulator {
namespace {

// Without the lanes of the touch whose accesses until then the thread knows.
uint32_t without_known(uint32_t lanes, uint32_t time, uint32_t warp,
                       const ThreadOrder::Times* known) {
  if (known == nullptr) return lanes;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    if (time < (*known)[warp * 32 + lane]) lanes &= ~(1u << lane);
  }
  return lanes;
}

template <size_t kCount>
std::array<uint32_t, kCount> latest(std::array<uint32_t, kCount> a,
                                    const std::array<uint32_t, kCount>& b) {
  for (size_t n = 0; n < kCount; ++n) a[n] = std::max(a[n], b[n]);
  return a;
}

constexpr uint32_t kAllLanes = ~0u;

// What is known of a warp, for each of its threads.
ThreadOrder::Times by_thread(const std::array<uint32_t, 32>& clock) {
  ThreadOrder::Times times;
  for (size_t t = 0; t < times.size(); ++t) times[t] = clock[t / 32];
  return times;
}

}  // namespace

ThreadOrder::Times OrderedShadow::strict_of(const Published& published) {
  return published.strict == nullptr ? by_thread(published.clock) : *published.strict;
}

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
  objects_.clear();
  strict_.clear();
  products_ended_ = {};
  by_fences_.clear();
  by_locks_.clear();
}

void OrderedShadow::pass_barrier() {
  floor_ = ++now_;
  by_fences_.clear();
  by_locks_.clear();
}

void OrderedShadow::publish(uint32_t warp, uint32_t lanes, Published& to) {
  if (!strict_.empty()) publish_strict(warp, lanes, now_ + 1, to);
  to.clock = latest(to.clock, across_[warp]);
  to.clock[warp] = ++now_;
  const auto add = [&](const ThreadOrder& order, ThreadOrder::Knowledge& known) {
    if (order.empty()) return;
    for (uint32_t lane = 0; lane < 32; ++lane)
      known = ThreadOrder::join(known, order.knowledge(warp * 32 + lane));
  };
  add(by_fences_, to.by_fences);
  add(by_locks_, to.by_locks);
}

void OrderedShadow::arrive(uint32_t warp, int barrier) {
  publish(warp, kAllLanes, released_[static_cast<size_t>(barrier)]);
}

void OrderedShadow::arrive_at_object(uint32_t warp, uint32_t lanes, uint64_t address) {
  if (lanes != kAllLanes && strict_.empty() && !lockstep_) start_strict();
  publish(warp, lanes, objects_[address].arrived);
}

// Until now, what is known of a warp is known of each of its lanes.
void OrderedShadow::start_strict() {
  strict_.resize(kWarps);
  for (size_t w = 0; w < kWarps; ++w) strict_[w] = by_thread(across_[w]);
}

void OrderedShadow::publish_strict(uint32_t warp, uint32_t lanes, uint32_t now,
                                   Published& to) const {
  ThreadOrder::Times times = strict_[warp];
  for (size_t m = 0; m < 32; ++m) {
    uint32_t& time = times[warp * 32 + m];
    if ((lanes >> m) & 1u) time = now;
    if (within_.empty()) continue;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
      time = std::max(time, within_[warp][static_cast<size_t>(std::countr_zero(rest))][m]);
  }
  to.strict = std::make_shared<const ThreadOrder::Times>(latest(times, strict_of(to)));
}

void OrderedShadow::arrive_from_outside(uint64_t address) {
  Published& arrived = objects_[address].arrived;
  arrived.clock.fill(++now_);
  arrived.strict = nullptr;
}

void OrderedShadow::complete_phase(uint64_t address) {
  Object& object = objects_[address];
  object.over = object.arrived;
}

void OrderedShadow::pass_object(uint32_t warp, uint64_t address) {
  const auto object = objects_.find(address);
  if (object == objects_.end()) return;
  const Published& over = object->second.over;
  across_[warp] = latest(across_[warp], over.clock);
  if (!strict_.empty()) strict_[warp] = latest(strict_[warp], strict_of(over));
  hand_on(by_fences_, 1u << warp, over.by_fences);
  hand_on(by_locks_, 1u << warp, over.by_locks);
}

void OrderedShadow::fence(uint32_t warp, uint32_t lanes) {
  ++now_;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const uint32_t thread = warp * 32 + static_cast<uint32_t>(std::countr_zero(rest));
    by_fences_.fence(thread, now_);
    by_locks_.fence(thread, now_);
  }
}

ThreadOrder::Knowledge OrderedShadow::known_until(const ThreadOrder& order, uint32_t warp, int lane,
                                                  uint32_t until) const {
  auto times = std::make_shared<ThreadOrder::Times>();
  const uint32_t me = warp * 32 + static_cast<uint32_t>(lane);
  const ThreadOrder::Times* known = order.of(me);
  for (uint32_t t = 0; t < ThreadOrder::kThreads; ++t) {
    uint32_t time = std::max(across_[warp][t / 32], known == nullptr ? 0 : (*known)[t]);
    if (t / 32 == warp && !within_.empty())
      time = std::max(time, within_[warp][static_cast<size_t>(lane)][t % 32]);
    if (t == me || (t / 32 == warp && lockstep_)) time = until;
    (*times)[t] = std::min(time, until);
  }
  return times;
}

// A fence before the write makes it a release; so does `unlocks`.
void OrderedShadow::write_at(ThreadOrder& order, uint32_t warp, int lane, uint64_t address,
                             uint32_t roles, bool unlocks) {
  const bool releases = unlocks || (roles & kReleases) != 0;
  const uint32_t until = releases ? ++now_ : order.fenced(warp * 32 + static_cast<uint32_t>(lane));
  if (until > 0) {
    order.publish(address, known_until(order, warp, lane, until), (roles & kReplaces) != 0);
  } else if ((roles & kReplaces) != 0) {
    order.overwrite(address);
  }
}

void OrderedShadow::order_by(uint32_t warp, int lane, uint64_t address, uint32_t roles) {
  const uint32_t me = warp * 32 + static_cast<uint32_t>(lane);
  if ((roles & kReads) != 0) {
    by_fences_.read(me, address);
    by_locks_.read(me, address);
  }
  if ((roles & kAcquires) != 0) by_fences_.acquire(me, address);
  if ((roles & (kAcquires | kLocks)) != 0) by_locks_.acquire(me, address);
  if ((roles & kWrites) == 0) return;
  write_at(by_fences_, warp, lane, address, roles, false);
  write_at(by_locks_, warp, lane, address, roles, (roles & kUnlocks) != 0);
}

void OrderedShadow::hand_on(ThreadOrder& order, uint32_t waiting_warps,
                            ThreadOrder::Knowledge joined) const {
  const auto each_thread = [&](auto visit) {
    for (uint32_t rest = waiting_warps; rest != 0; rest &= rest - 1) {
      for (uint32_t lane = 0; lane < 32; ++lane)
        visit(static_cast<uint32_t>(std::countr_zero(rest)) * 32 + lane);
    }
  };
  if (!order.empty())
    each_thread([&](uint32_t t) { joined = ThreadOrder::join(joined, order.knowledge(t)); });
  if (joined == nullptr) return;
  each_thread([&](uint32_t t) { order.learn(t, joined); });
}

void OrderedShadow::pass_barrier(int barrier, uint32_t waiting_warps) {
  Published released = std::exchange(released_[static_cast<size_t>(barrier)], {});
  Clock& joined = released.clock;
  ++now_;
  for (uint32_t rest = waiting_warps; rest != 0; rest &= rest - 1)
    joined = latest(joined, across_[static_cast<size_t>(std::countr_zero(rest))]);
  for (uint32_t rest = waiting_warps; rest != 0; rest &= rest - 1)
    joined[static_cast<size_t>(std::countr_zero(rest))] = now_;
  for (uint32_t rest = waiting_warps; rest != 0; rest &= rest - 1)
    across_[static_cast<size_t>(std::countr_zero(rest))] = joined;
  if (!strict_.empty()) {
    ThreadOrder::Times known = released.strict == nullptr ? by_thread(joined) : *released.strict;
    for (uint32_t rest = waiting_warps; rest != 0; rest &= rest - 1)
      known = latest(known, strict_[static_cast<size_t>(std::countr_zero(rest))]);
    for (uint32_t rest = waiting_warps; rest != 0; rest &= rest - 1) {
      const auto warp = static_cast<size_t>(std::countr_zero(rest));
      std::fill_n(known.begin() + static_cast<ptrdiff_t>(warp * 32), 32, now_);
    }
    for (uint32_t rest = waiting_warps; rest != 0; rest &= rest - 1)
      strict_[static_cast<size_t>(std::countr_zero(rest))] = known;
  }
  hand_on(by_fences_, waiting_warps, std::move(released.by_fences));
  hand_on(by_locks_, waiting_warps, std::move(released.by_locks));
}

void OrderedShadow::sync_lanes(uint32_t warp, uint32_t lanes) {
  if (within_.empty()) within_.resize(kWarps);
  std::array<Clock, kWarps>& clocks = within_[warp];
  Clock joined{};
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    joined = latest(joined, clocks[static_cast<size_t>(std::countr_zero(rest))]);
  ++now_;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    joined[static_cast<size_t>(std::countr_zero(rest))] = now_;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    clocks[static_cast<size_t>(std::countr_zero(rest))] = joined;
  for (ThreadOrder* order : {&by_fences_, &by_locks_}) {
    if (order->empty()) continue;
    ThreadOrder::Knowledge all;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
      all = ThreadOrder::join(
          all, order->knowledge(warp * 32 + static_cast<uint32_t>(std::countr_zero(rest))));
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
      order->learn(warp * 32 + static_cast<uint32_t>(std::countr_zero(rest)), all);
  }
}

void OrderedShadow::end_products(uint32_t warps) {
  ++now_;
  for (uint32_t rest = warps; rest != 0; rest &= rest - 1)
    products_ended_[static_cast<size_t>(std::countr_zero(rest))] = now_;
}

void OrderedShadow::follow_products(uint32_t warp, uint32_t warps) {
  for (uint32_t rest = warps; rest != 0; rest &= rest - 1) {
    const auto v = static_cast<size_t>(std::countr_zero(rest));
    across_[warp][v] = std::max(across_[warp][v], products_ended_[v]);
    if (strict_.empty()) continue;
    for (size_t t = v * 32; t < v * 32 + 32; ++t)
      strict_[warp][t] = std::max(strict_[warp][t], products_ended_[v]);
  }
}

uint32_t OrderedShadow::unordered_lanes(const Touch& touch, uint32_t warp, int lane) const {
  if (touch.time < floor_ || touch.time < across_[warp][touch.warp]) return 0;
  uint32_t others = touch.lanes;
  if (touch.warp == warp) {
    others &= ~(1u << lane);
    // Two lanes of one instruction are never ordered, on any chip.
    if (lockstep_) return touch.run == run_ ? others : 0;
    if (!within_.empty()) {
      const Clock& clock = within_[warp][static_cast<size_t>(lane)];
      for (uint32_t rest = others; rest != 0; rest &= rest - 1) {
        if (touch.time < clock[static_cast<size_t>(std::countr_zero(rest))])
          others &= ~(rest & (0u - rest));
      }
    }
  }
  return without_known(others, touch.time, touch.warp,
                       by_fences_.of(warp * 32 + static_cast<uint32_t>(lane)));
}

// Lanes of another warp's touch that are ordered before `mine`, but not by the manual: one lane has
// arrived at an mbarrier object for them.
uint32_t OrderedShadow::unordered_strictly(const Touch& touch, const Touch& mine, int lane) const {
  if (strict_.empty() || touch.warp == mine.warp || touch.time < floor_) return 0;
  const uint32_t others = without_known(touch.lanes, touch.time, touch.warp, &strict_[mine.warp]);
  return without_known(others, touch.time, touch.warp,
                       by_fences_.of(mine.warp * 32u + static_cast<uint32_t>(lane)));
}

void OrderedShadow::add_hazards(Granule& granule, uint64_t address, const Touch& mine, int lane,
                                std::vector<Hazard>& hazards) const {
  for (const Touch& touch : granule.touches) {
    // Reads beside atomics may be intended: reserve half of the space for other hazards.
    const bool beside_atomics = (!mine.write && touch.atomic) || (mine.atomic && !touch.write);
    const bool needs_values = mine.write && touch.write && !mine.atomic && !touch.atomic;
    if (!needs_values &&
        !has_room_for(hazards, beside_atomics ? kMostSharedHazards / 2 : kMostSharedHazards))
      continue;
    if ((!mine.write && !touch.write) || (mine.atomic && touch.atomic)) continue;
    uint32_t others = unordered_lanes(touch, mine.warp, lane);
    const bool elected = others == 0;
    if (elected) others = unordered_strictly(touch, mine, lane);
    if (others == 0) continue;
    const uint32_t unlocked =
        without_known(others, touch.time, touch.warp,
                      by_locks_.of(mine.warp * 32u + static_cast<uint32_t>(lane)));
    const bool locked = unlocked == 0;
    if (elected && (locked || beside_atomics)) continue;
    if (!locked) others = unlocked;
    if ((locked || elected) && !has_room_for(hazards, kMostSharedHazards / 2)) continue;
    hazards.push_back(
        {.lane = lane,
         .address = address,
         .other_thread = touch.warp * 32u + static_cast<uint32_t>(std::countr_zero(others)),
         .other_site = touch.site,
         .other_wrote = touch.write,
         .other_atomic = touch.atomic,
         .locked = locked,
         .elected = elected,
         .needs_values = needs_values});
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

void OrderedShadow::mark_written(const ShadowAccess& access) {
  for (uint32_t rest = access.mask; rest != 0; rest &= rest - 1)
    each_granule(access, std::countr_zero(rest),
                 [](Granule& granule, uint64_t) { granule.written = true; });
}

uint64_t OrderedShadow::size_bytes() const {
  uint64_t bytes =
      granules_.size() * sizeof(Granule) + used_.size() * 4 + within_.size() * sizeof within_[0];
  for (uint32_t g : used_) bytes += granules_[g].touches.size() * sizeof(Touch);
  return bytes;
}

}  // namespace warpshop::emulator
