#include "access/access_check.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "access/cluster_access.h"
#include "access/column_stores.h"
#include "access/memory_ops.h"
#include "checks/access_findings.h"
#include "checks/copy_watch.h"
#include "checks/race_watch.h"
#include "memory/address_math.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"
#include "state/memory_flags.h"

namespace warpshop::emulator {
namespace {

// Computes the running lanes' addresses. True if they are known to match `pattern`.
bool compute_addresses(Warp& warp, const MicroOp* op, const AddressPattern& pattern,
                       uint64_t* address) {
  if (warp.full && op->a != kNoRegister && (op->flags & kLocalFrame) == 0) {
    return (op->flags & kBase32) ? place_32(address, warp.reg<uint32_t>(op->a),
                                            static_cast<uint32_t>(op->imm), pattern)
                                 : place_64(address, warp.reg<uint64_t>(op->a), op->imm, pattern);
  }
  if (op->a == kNoRegister) {
    std::fill_n(address, kWarpSize, op->imm);
  } else if (op->flags & kBase32) {
    add_offset_32(address, warp.reg<uint32_t>(op->a), static_cast<uint32_t>(op->imm));
  } else {
    add_offset_64(address, warp.reg<uint64_t>(op->a), op->imm);
  }
  if (op->flags & kLocalFrame) {
    for (int lane = 0; lane < kWarpSize; ++lane) address[lane] += warp.local_base;
  }
  return false;
}

// The region against which an access to a space other than global is checked.
Region region_at(Warp& warp, const MicroOp* op, ptx::Space space, uint64_t address) {
  if (space == ptx::Space::kShared && warp.worker->launch->program->maps_cluster &&
      owner_of(warp, address) != warp.block)
    return remote_region(warp, op, address);
  if (space == ptx::Space::kShared && is_reserved(*warp.worker->launch, op->site, address))
    return reserved_region(*warp.worker);
  return region_of_space(warp, op, space);
}

// Offset of a lane's local memory in the warp's.
size_t local_of_lane(const Warp& warp, int lane) {
  return size_t{warp.worker->launch->local_stride} * static_cast<size_t>(lane);
}

// True if this launch has written all of the bytes that were uninitialised before it.
bool written_in_this_launch(const Region& region, uint64_t address, int bytes) {
  if (region.shadow == nullptr) return false;
  for (int b = 0; b < bytes; ++b) {
    const uint64_t at = address + static_cast<uint64_t>(b);
    if (region.written[at - region.base] != 0) continue;
    if (!region.shadow->covers({.address = &at, .base = region.base, .mask = 1, .bytes = 1}))
      return false;
  }
  return true;
}

// The slow path: lane by lane, each against its own region. Returns the lanes that may proceed.
uint32_t check_lanes(Warp& warp, const MicroOp* op, int bytes, AccessIntent intent,
                     uint32_t lanes) {
  EmulationThread& worker = *warp.worker;
  uint32_t good = 0;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t address = worker.access.address[static_cast<size_t>(lane)];
    const ptx::Space space = worker.lane_space[static_cast<size_t>(lane)];
    if ((address & static_cast<uint64_t>(bytes - 1)) != 0) {
      note_misaligned(warp, op, space, intent, lane, address, bytes);
      continue;
    }
    Region region;
    if (space == ptx::Space::kGlobal) {
      const Region* base = worker.launch->base_of_site[op->site];
      if (base == nullptr) {
        region = region_of_global(worker, op->site, address, static_cast<uint64_t>(bytes))
                     .value_or(Region());
      } else if (holds(*base, address, static_cast<uint64_t>(bytes))) {
        region = *base;
      }
    } else if (((worker.remote_lanes >> lane) & 1u) != 0) {
      if (!check_remote(warp, op, lane, bytes, intent, region)) continue;
    } else {
      region = region_at(warp, op, space, address);
      if (!holds(region, address, static_cast<uint64_t>(bytes))) region.data = nullptr;
    }
    if (region.data == nullptr || (intent != AccessIntent::kRead && read_only(space))) {
      note_out_of_bounds(warp, op, space, intent, lane, address, bytes);
      continue;
    }
    if (space == ptx::Space::kLocal)
      region.written = warp.local_written.data() + local_of_lane(warp, lane);
    if (intent != AccessIntent::kWrite && region.written != nullptr) {
      const uint8_t* shadow = region.written + (address - region.base);
      // Copies of structures also read their padding: in local memory one written byte is enough.
      const bool unwritten = space == ptx::Space::kLocal
                                 ? std::find(shadow, shadow + bytes, uint8_t{1}) == shadow + bytes
                                 : std::find(shadow, shadow + bytes, uint8_t{0}) != shadow + bytes;
      if (unwritten && !written_in_this_launch(region, address, bytes)) {
        if (space == ptx::Space::kLocal && intent == AccessIntent::kRead) {
          worker.unwritten_local |= 1u << lane;
        } else {
          note_uninitialised(warp, op, region, space, lane, address, bytes);
        }
      }
    }
    good |= 1u << lane;
  }
  return good;
}

constexpr uint64_t kAllOnes = 0x0101010101010101u;

// True if the bytes of all running lanes are initialised; one scan if they are contiguous.
bool all_written(const WarpAccess& access, const HostView& written, uint32_t lanes, int bytes,
                 bool contiguous) {
  if (contiguous) {
    const uint8_t* shadow = written + access.address[0];
    return std::memchr(shadow, 0, static_cast<size_t>(bytes) * kWarpSize) == nullptr;
  }
  // Every shadow byte is 0 or 1: AND finds a zero.
  uint64_t all = kAllOnes;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const uint8_t* shadow = written + access.address[static_cast<size_t>(std::countr_zero(rest))];
    uint64_t word = kAllOnes;
    std::memcpy(&word, shadow, static_cast<size_t>(std::min(bytes, 8)));
    all &= word;
    for (int b = 8; b < bytes; b += 8) {
      std::memcpy(&word, shadow + b, 8);
      all &= word;
    }
  }
  return all == kAllOnes;
}

// The lanes whose shared address is in the kernel's own memory; only that is watched.
uint32_t own_lanes(const Warp& warp, const MicroOp* op, uint32_t lanes) {
  const EmulationThread& worker = *warp.worker;
  lanes &= ~worker.remote_lanes;
  if (!worker.launch->program->uses_reserved_shared) return lanes;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const uint64_t address = worker.access.address[static_cast<size_t>(std::countr_zero(rest))];
    if (is_reserved(*worker.launch, op->site, address)) lanes &= ~(rest & (0u - rest));
  }
  return lanes;
}

// Checks shared accesses of lanes in bounds; `pattern`, if any, describes their addresses.
void check_shared(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes, AccessIntent intent,
                  const StoreValues* values, const AddressPattern* pattern) {
  const uint32_t unwritten = watch_shared(warp, op, lanes, bytes, intent, values, pattern);
  if (unwritten != 0) note_unwritten_shared(warp, op, unwritten, bytes);
}

bool is_strong_access(const MicroOp* op) { return (op->flags & (kStrong | kVolatile)) != 0; }

// Defers the store if possible. Any other access to such a buffer first performs the deferred
// stores.
bool waits(Warp& warp, const MicroOp* op, const Region& region, AccessIntent intent,
           const StoreValues* values, CheckedAccess& checked) {
  EmulationThread& worker = *warp.worker;
  const bool column = intent == AccessIntent::kWrite && (op->flags & kStrong) == 0 && warp.full &&
                      !checked.contiguous && values != nullptr;
  const uint32_t* words = column ? values->words() : nullptr;
  if (words == nullptr) {
    flush_columns(worker);
    return false;
  }
  if (worker.columns == nullptr) worker.columns = std::make_shared<ColumnStores>();
  checked.waits = worker.columns->take(warp, op, region, *checked.pattern, words);
  return checked.waits;
}

// Checks global accesses of lanes in bounds: uninitialised bytes and races.
void check_global(Warp& warp, const MicroOp* op, const Region& region, int bytes,
                  AccessIntent intent, const StoreValues* values, CheckedAccess& checked) {
  EmulationThread& worker = *warp.worker;
  const WarpAccess& access = worker.access;
  if (region.written == nullptr && region.shadow == nullptr && !region.watch_warps) return;
  if (region.stores_may_wait && waits(warp, op, region, intent, values, checked)) return;
  const GlobalTouch touch{.block = worker.block.linear,
                          .address = access.address.data(),
                          .base = region.base,
                          .mask = warp.mask,
                          .bytes = bytes,
                          .contiguous = checked.contiguous,
                          .atomic = intent == AccessIntent::kAtomic || is_strong_access(op)};
  if (region.written != nullptr) {
    const HostView written(region.written, region.base);
    const bool noted = region.shadow != nullptr;  // the shadow records writes
    if (!noted) checked.written = written;
    if (intent != AccessIntent::kWrite && !(noted && region.shadow->covers(touch)) &&
        !all_written(access, written, warp.mask, bytes, checked.contiguous)) {
      std::fill_n(worker.lane_space.begin(), kWarpSize, ptx::Space::kGlobal);
      check_lanes(warp, op, bytes, intent, warp.mask);
    }
  }
  const bool strong_store = intent == AccessIntent::kWrite && is_strong_access(op);
  const AccessIntent watched = strong_store ? AccessIntent::kAtomic : intent;
  if (region.shadow != nullptr) watch_global(warp, op, region, touch, watched, values);
  if (region.watch_warps) watch_warps(warp, op, region, touch, watched, values);
}

// Notes what the access, to global memory, may tell the block about others. `region`: nullptr if it
// is not known.
void note_what_is_read(Block& block, const MicroOp* op, AccessIntent intent, const Region* region) {
  const bool loads = intent == AccessIntent::kRead;
  if (loads ? is_strong_access(op) : intent == AccessIntent::kAtomic && op->d != kNoRegister)
    block.may_follow_others = true;
  const bool only_read =
      region != nullptr && region->shadow == nullptr && region->size_bytes <= kMaxWatchedBytes;
  if (loads && !only_read) block.has_loaded_stored = true;
}

// Splits a generic access by address window. Returns the lanes' common space, or kGeneric if they
// differ.
ptx::Space resolve_generic(Warp& warp) {
  WarpAccess& access = warp.worker->access;
  const ptx::Space first =
      space_of_window(access.address[static_cast<size_t>(std::countr_zero(warp.mask))]);
  bool mixed = false;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(rest));
    const ptx::Space space = space_of_window(access.address[lane]);
    warp.worker->lane_space[lane] = space;
    mixed = mixed || space != first;
    if (space != ptx::Space::kGlobal) access.address[lane] &= ~kWindowMask;
  }
  return mixed ? ptx::Space::kGeneric : first;
}

// Sets EmulationThread::remote_lanes.
void find_remote_lanes(Warp& warp, const MicroOp* op, ptx::Space space) {
  EmulationThread& worker = *warp.worker;
  worker.remote_lanes = 0;
  const bool may = written_space(op) == ptx::Space::kGeneric || (op->flags & kClusterSpace) != 0;
  if (!may || (space != ptx::Space::kShared && space != ptx::Space::kGeneric)) return;
  uint32_t lanes = warp.mask;
  if (space == ptx::Space::kGeneric) {
    for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
      if (worker.lane_space[static_cast<size_t>(std::countr_zero(rest))] != ptx::Space::kShared)
        lanes &= ~(rest & (0u - rest));
    }
  }
  settle_ranks(warp, lanes);
}

void report_access(Warp& warp, const MicroOp* op, ptx::Space space, uint32_t lanes) {
  EmulationThread& worker = *warp.worker;
  worker.access.space = space;
  if (worker.sink == nullptr || lanes == 0) return;
  worker.access.active_mask = lanes;
  worker.identity.warp = warp.index;
  worker.sink->on_access(worker.identity, worker.launch->program->sites[op->site], worker.access);
}

}  // namespace

void note_unwritten_shared(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes) {
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const uint64_t address = warp.worker->access.address[static_cast<size_t>(lane)];
    note_uninitialised(warp, op, warp.worker->shared_of_site[op->site], ptx::Space::kShared, lane,
                       address, bytes);
  }
}

ptx::Space lane_space(Warp& warp, const MicroOp*, int lane) {
  return warp.worker->lane_space[static_cast<size_t>(lane)];
}

HostPlace host_of_lane(Warp& warp, const MicroOp* op, uint64_t address, ptx::Space space, int lane,
                       int bytes) {
  if (space == ptx::Space::kGlobal) {
    const std::optional<Region> region =
        region_of_global(*warp.worker, op->site, address, static_cast<uint64_t>(bytes));
    if (!region) {  // another thread has freed it since: its contents are undefined
      alignas(16) thread_local uint8_t nowhere[64];
      return {nowhere, nullptr};
    }
    return {region->data + (address - region->base),
            region->written == nullptr ? nullptr : region->written + (address - region->base)};
  }
  if (space == ptx::Space::kLocal) {
    const size_t at = local_of_lane(warp, lane) + address;
    return {warp.local.data() + at, warp.local_written.data() + at};
  }
  const Region region = region_at(warp, op, space, address);
  const uint64_t offset = address - region.base;
  return {region.data + offset, region.written == nullptr ? nullptr : region.written + offset};
}

CheckedAccess check_access(Warp& warp, const MicroOp* op, int bytes, AccessIntent intent,
                           const StoreValues* values) {
  EmulationThread& worker = *warp.worker;
  Launch& launch = *worker.launch;
  WarpAccess& access = worker.access;
  access.site = op->site;
  access.active_mask = warp.mask;
  AddressPattern& pattern = worker.pattern_of_site[op->site];
  access.same_pattern = compute_addresses(warp, op, pattern, access.address.data());

  if (warp.known_arrivals != worker.block.arrivals) [[unlikely]] {
    const bool atomic =
        intent == AccessIntent::kAtomic &&
        launch.program->sites[op->site].path != AccessPath::kBarrier;  // which may find it closed
    if (atomic || (op->flags & (kStrong | kVolatile)) != 0)
      warp.known_arrivals = worker.block.arrivals;
  }
  ptx::Space space = written_space(op);
  const bool was_generic = space == ptx::Space::kGeneric;
  if (was_generic) space = resolve_generic(warp);
  if (launch.program->maps_cluster) [[unlikely]]
    find_remote_lanes(warp, op, space);

  if (worker.waits_in_turn && launch.in_turn[op->site] != 0 && space != ptx::Space::kShared) {
    launch.turnstile.wait(worker.index, launch.halt);
    worker.waits_in_turn = false;
  }

  CheckedAccess checked;
  std::optional<Region> of_space;  // storage for regions that are not permanent
  const Region* region = nullptr;
  bool reserved = false;
  if (space == ptx::Space::kGlobal) {
    region = launch.base_of_site[op->site];
    if (region == nullptr) {
      const Region*& cached = worker.region_of_site[op->site];
      const uint64_t first = access.address[static_cast<size_t>(std::countr_zero(warp.mask))];
      if (cached == nullptr || first - cached->base >= cached->size_bytes)
        cached = launch.find(first, 1);
      region = cached;
      if (region == nullptr && launch.heap && is_heap_address(first)) {
        of_space = region_of_global(worker, op->site, first, 1);
        if (of_space) region = &*of_space;
      }
    }
  } else if (space != ptx::Space::kGeneric && space != ptx::Space::kLocal) {
    if (space == ptx::Space::kShared) {
      region = &worker.shared_of_site[op->site];
      reserved = is_reserved(launch, op->site,
                             access.address[static_cast<size_t>(std::countr_zero(warp.mask))]);
      if (reserved) region = &of_space.emplace(reserved_region(worker));
      if (region->size_bytes == 0) region = nullptr;
    } else {
      of_space = region_of_space(warp, op, space);
      if (of_space->size_bytes > 0 && (intent == AccessIntent::kRead || !read_only(space)))
        region = &*of_space;
    }
  }

  if (space == ptx::Space::kGlobal || space == ptx::Space::kGeneric)
    note_what_is_read(worker.block, op, intent, region);
  if (was_generic || !access.same_pattern) {
    access.same_pattern = repeats(pattern, access.address.data(), warp.mask, warp.lane_mask);
  }
  if (!access.same_pattern)
    describe(pattern, access.address.data(), warp.mask, static_cast<uint64_t>(bytes));
  if (region != nullptr &&
      lies_in(*region, pattern, access.address[static_cast<size_t>(pattern.first)], bytes)) {
    checked.lanes = warp.mask;
    checked.one_region = true;
    checked.contiguous = pattern.contiguous;
    checked.pattern = &pattern;
    checked.same = warp.full && pattern.distinct_count == 1;
    checked.host = HostView(region->data, region->base);
    if ((op->flags & kWithoutValue) != 0) {
      report_access(warp, op, space, warp.mask);
      return checked;
    }
    if (space == ptx::Space::kShared && !reserved)
      check_shared(warp, op, warp.mask, bytes, intent, values, &pattern);
    if (space == ptx::Space::kGlobal && intent != AccessIntent::kRead &&
        worker.block.pending_copies) {
      watch_sources(warp, op, warp.mask, bytes, intent);
    }
    if (space == ptx::Space::kGlobal)
      check_global(warp, op, *region, bytes, intent, values, checked);
    report_access(warp, op, space, warp.mask);
    return checked;
  }

  flush_columns(worker);
  // Some lanes are rejected, or they access several spaces: the sink's records have no common
  // pattern.
  pattern.mask = 0;
  access.same_pattern = false;
  if (space != ptx::Space::kGeneric) std::fill_n(worker.lane_space.begin(), kWarpSize, space);
  worker.unwritten_local = 0;
  const bool watched = (op->flags & kWithoutValue) == 0;
  checked.lanes = check_lanes(warp, op, bytes, intent, warp.mask);
  // The network between the SMs is not modelled: such accesses are not reported.
  const uint32_t remote = checked.lanes & worker.remote_lanes;
  if (remote != 0) {
    ++worker.remote_requests;
    if (watched) watch_remote_lanes(warp, op, remote, bytes, intent, values);
  }
  if (space != ptx::Space::kGeneric) {
    if (watched && space == ptx::Space::kShared)
      check_shared(warp, op, own_lanes(warp, op, checked.lanes), bytes, intent, values, nullptr);
    report_access(warp, op, space, checked.lanes & ~remote);
  } else {
    for (const ptx::Space part : {ptx::Space::kGlobal, ptx::Space::kShared, ptx::Space::kLocal,
                                  ptx::Space::kConst, ptx::Space::kParam}) {
      uint32_t lanes = 0;
      for (uint32_t rest = checked.lanes; rest != 0; rest &= rest - 1) {
        if (worker.lane_space[static_cast<size_t>(std::countr_zero(rest))] == part)
          lanes |= rest & (0u - rest);
      }
      if (watched && part == ptx::Space::kShared)
        check_shared(warp, op, own_lanes(warp, op, lanes), bytes, intent, values, nullptr);
      report_access(warp, op, part, lanes & ~remote);
    }
  }
  access.active_mask = warp.mask;
  return checked;
}

}  // namespace warpshop::emulator
