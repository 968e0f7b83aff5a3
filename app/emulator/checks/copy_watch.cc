#include "checks/copy_watch.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>

#include "analysis/source_place.h"
#include "checks/note_finding.h"
#include "checks/race_report.h"
#include "checks/race_watch.h"
#include "memory/address_space.h"
#include "shadows/pending_copies.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator {
namespace {

struct CopyConflict {
  const Warp* warp = nullptr;
  const AsyncCopies::Copy* copy = nullptr;
  int lane = -1;
};

bool overlap(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

// A pending copy of the block for which `conflicts(copy, lane)` is true; per warp the latest one.
template <typename Conflicts>
CopyConflict find_copy(const EmulationThread& worker, Conflicts conflicts) {
  for (const std::unique_ptr<Warp>& warp : worker.running) {
    if (!warp->copies || warp->copies->block != worker.block.linear ||
        warp->copies->warp != warp->index)
      continue;
    const std::vector<AsyncCopies::Copy>& pending = warp->copies->pending;
    for (auto copy = pending.rbegin(); copy != pending.rend(); ++copy) {
      for (uint32_t rest = copy->watched; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        if (conflicts(*copy, static_cast<size_t>(lane))) return {warp.get(), &*copy, lane};
      }
    }
  }
  return {};
}

void note_conflict(Warp& warp, const MicroOp* op, ptx::Space space, AccessIntent intent, int lane,
                   int bytes, const CopyConflict& conflict) {
  Finding* f = note_finding(warp, op, FindingKind::kRace, space, verb(intent), lane);
  if (f == nullptr) return;
  const EmulationThread& worker = *warp.worker;
  f->address = worker.access.address[static_cast<size_t>(lane)];
  f->size_bytes = static_cast<uint32_t>(bytes);
  f->other_access = space == ptx::Space::kShared ? "write" : "read";
  f->other_who = place_of_lane(*conflict.warp, conflict.lane);
  const AccessSite& site = worker.launch->program->sites[conflict.copy->op->site];
  f->other_place = source_place(*worker.launch->program->module, site.source);
  if (space == ptx::Space::kShared) {
    f->allocation = shared_array_at(*worker.launch, f->address);
  } else if (const Region* region = worker.launch->find(f->address, 1); region != nullptr) {
    f->allocation = region->name;
  }
  describe_copy_race(*f, conflict.warp == &warp && conflict.lane == lane);
}

// True if both copies write the same values to the overlap.
bool same_bytes(const AsyncCopies::Copy& a, size_t lane_a, const AsyncCopies::Copy& b,
                size_t lane_b) {
  const uint64_t from = std::max(a.to[lane_a], b.to[lane_b]);
  const uint64_t to = std::min(a.to[lane_a] + a.op->e, b.to[lane_b] + b.op->e);
  return std::memcmp(a.bytes[lane_a].data() + (from - a.to[lane_a]),
                     b.bytes[lane_b].data() + (from - b.to[lane_b]), to - from) == 0;
}

PendingCopies& pending_copies(EmulationThread& worker) {
  std::shared_ptr<PendingCopies>& pending = worker.block.pending_copies;
  if (!pending) pending = std::make_shared<PendingCopies>(worker.launch->shared_bytes);
  return *pending;
}

}  // namespace

void watch_destinations(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes,
                        AccessIntent intent) {
  const EmulationThread& worker = *warp.worker;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t address = worker.access.address[static_cast<size_t>(lane)];
    if (!worker.block.pending_copies->writes(address, static_cast<uint32_t>(bytes))) continue;
    const CopyConflict conflict = find_copy(worker, [&](const AsyncCopies::Copy& copy, size_t n) {
      return overlap(copy.to[n], copy.op->e, address, static_cast<uint64_t>(bytes));
    });
    if (conflict.copy != nullptr)
      note_conflict(warp, op, ptx::Space::kShared, intent, lane, bytes, conflict);
  }
}

void watch_sources(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes, AccessIntent intent) {
  const EmulationThread& worker = *warp.worker;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t address = worker.access.address[static_cast<size_t>(lane)];
    if (!worker.block.pending_copies->may_read(address, static_cast<uint32_t>(bytes))) continue;
    const CopyConflict conflict = find_copy(worker, [&](const AsyncCopies::Copy& copy, size_t n) {
      return overlap(copy.from[n], copy.from_bytes[n], address, static_cast<uint64_t>(bytes));
    });
    if (conflict.copy != nullptr)
      note_conflict(warp, op, ptx::Space::kGlobal, intent, lane, bytes, conflict);
  }
}

void watch_copy_start(Warp& warp, AsyncCopies::Copy& copy) {
  EmulationThread& worker = *warp.worker;
  const MicroOp* write = copy.op + 1;
  const uint32_t bytes = copy.op->e;
  const Region& region = worker.shared_of_site[write->site];
  PendingCopies& pending = pending_copies(worker);
  uint32_t lanes = 0;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(rest));
    const uint64_t to = copy.to[lane];
    // Out-of-range and misaligned copies are reported when they arrive.
    if (to % bytes == 0 && holds(region, to, bytes)) lanes |= 1u << lane;
  }
  std::memcpy(worker.access.address.data(), copy.to.data(), sizeof copy.to);
  if (pending.any()) {
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      const auto mine = static_cast<size_t>(lane);
      if (!pending.writes(copy.to[mine], bytes)) continue;
      const CopyConflict conflict =
          find_copy(worker, [&](const AsyncCopies::Copy& other, size_t n) {
            return overlap(other.to[n], other.op->e, copy.to[mine], bytes);
          });
      // If it writes the same as the latest copy, conflicts with the others were reported for that
      // one.
      if (conflict.copy == nullptr ||
          same_bytes(copy, mine, *conflict.copy, static_cast<size_t>(conflict.lane)))
        continue;
      note_conflict(warp, write, ptx::Space::kShared, AccessIntent::kWrite, lane,
                    static_cast<int>(bytes), conflict);
    }
  }
  watch_future_write(warp, write, lanes, static_cast<int>(bytes), CopiedValues(copy, bytes));
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(rest));
    pending.add(copy.to[lane], bytes);
    if (copy.from_bytes[lane] != 0) pending.add_source(copy.from[lane], copy.from_bytes[lane]);
  }
  copy.watched = lanes;
}

void end_watch(Warp& warp, AsyncCopies::Copy& copy, uint32_t lanes) {
  const uint32_t ended = copy.watched & lanes;
  copy.watched &= ~lanes;
  for (uint32_t rest = ended; rest != 0; rest &= rest - 1) {
    warp.worker->block.pending_copies->remove(copy.to[static_cast<size_t>(std::countr_zero(rest))],
                                              copy.op->e);
  }
}

}  // namespace warpshop::emulator
