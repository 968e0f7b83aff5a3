#include "checks/copy_watch.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "analysis/source_place.h"
#include "checks/cluster_watch.h"
#include "checks/note_finding.h"
#include "checks/race_report.h"
#include "checks/race_watch.h"
#include "checks/words.h"
#include "memory/address_space.h"
#include "shadows/pending_copies.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator {
namespace {

// One thread's copy of either kind.
struct OneCopy {
  const Warp* warp = nullptr;  // null: its warp runs no longer
  int lane = -1;
  const MicroOp* op = nullptr;
  uint64_t to = 0, to_bytes = 0;
  uint64_t from = 0, from_bytes = 0;
  const uint8_t* bytes = nullptr;  // that it writes; null: not all of its range
  bool in_bulk = false;
};

bool overlap(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

OneCopy copy_of_lane(const Warp& warp, const AsyncCopies::Copy& copy, int lane) {
  const auto n = static_cast<size_t>(lane);
  return {&warp,
          lane,
          copy.op,
          copy.to[n],
          copy.op->e,
          copy.from[n],
          copy.from_bytes[n],
          copy.bytes[n].data()};
}

OneCopy copy_in_bulk(const EmulationThread& worker, const BulkCopy& copy) {
  const Warp* issuer = nullptr;
  for (const std::unique_ptr<Warp>& warp : worker.running) {
    if (warp->index == copy.warp) issuer = warp.get();
  }
  const uint64_t bytes = copy.extent();
  if (copy.rank != worker.block.rank) issuer = nullptr;
  const uint8_t* const dense = copy.row_pitch == copy.row_bytes ? copy.bytes.data() : nullptr;
  if (copy.from_shared) return {issuer, copy.lane, copy.op, copy.to, bytes, 0, 0, dense, true};
  return {issuer, copy.lane, copy.op, copy.to, bytes, copy.from, bytes, dense, true};
}

// A pending copy of the block for which `conflicts(copy)` is true; per warp the latest one. None:
// its op is null.
template <typename Conflicts>
OneCopy find_copy(const EmulationThread& worker, Conflicts conflicts) {
  for (const std::unique_ptr<Warp>& warp : worker.running) {
    if (!warp->copies || warp->copies->block != worker.block.linear ||
        warp->copies->warp != warp->index)
      continue;
    const std::vector<AsyncCopies::Copy>& pending = warp->copies->pending;
    for (auto copy = pending.rbegin(); copy != pending.rend(); ++copy) {
      for (uint32_t rest = copy->watched; rest != 0; rest &= rest - 1) {
        const OneCopy one = copy_of_lane(*warp, *copy, std::countr_zero(rest));
        if (conflicts(one)) return one;
      }
    }
  }
  const std::vector<BulkCopy>& bulk = worker.block.bulk_copies;
  for (auto copy = bulk.rbegin(); copy != bulk.rend(); ++copy) {
    if (!copy->watched) continue;
    const OneCopy one = copy_in_bulk(worker, *copy);
    if (conflicts(one)) return one;
  }
  return {};
}

void note_conflict(Warp& warp, const MicroOp* op, ptx::Space space, AccessIntent intent, int lane,
                   int bytes, const OneCopy& copy) {
  Finding* f = note_finding(warp, op, FindingKind::kRace, space, verb(intent), lane);
  if (f == nullptr) return;
  const EmulationThread& worker = *warp.worker;
  f->address = worker.access.address[static_cast<size_t>(lane)];
  f->size_bytes = static_cast<uint32_t>(bytes);
  f->other_access = space == ptx::Space::kShared ? "write" : "read";
  f->other_who = place_of_lane(copy.warp != nullptr ? *copy.warp : warp, copy.lane);
  const AccessSite& site = worker.launch->program->sites[copy.op->site];
  f->other_place = source_place(*worker.launch->program->module, site.source);
  if (space == ptx::Space::kShared) {
    f->allocation = shared_array_at(*worker.launch, f->address);
  } else if (const Region* region = worker.launch->find(f->address, 1); region != nullptr) {
    f->allocation = region->name;
  }
  describe_copy_race(*f, copy.warp == &warp && copy.lane == lane, copy.in_bulk);
}

// True if both copies write the same values to the overlap.
bool same_bytes(const OneCopy& a, const OneCopy& b) {
  if (a.bytes == nullptr || b.bytes == nullptr) return false;
  const uint64_t from = std::max(a.to, b.to);
  const uint64_t to = std::min(a.to + a.to_bytes, b.to + b.to_bytes);
  return std::memcmp(a.bytes + (from - a.to), b.bytes + (from - b.to), to - from) == 0;
}

// Reports that a copy starts into the destination of another one.
void note_second_copy(Warp& warp, const MicroOp* write, const OneCopy& copy) {
  const EmulationThread& worker = *warp.worker;
  const OneCopy other = find_copy(
      worker, [&](const OneCopy& o) { return overlap(o.to, o.to_bytes, copy.to, copy.to_bytes); });
  // If it writes the same as the latest copy, conflicts with the others were reported for that one.
  if (other.op == nullptr || same_bytes(copy, other)) return;
  note_conflict(warp, write, ptx::Space::kShared, AccessIntent::kWrite, copy.lane,
                static_cast<int>(copy.to_bytes), other);
}

PendingCopies& pending_copies(EmulationThread& worker) {
  std::shared_ptr<PendingCopies>& pending = worker.block.pending_copies;
  if (!pending) pending = std::make_shared<PendingCopies>(worker.launch->shared_bytes);
  return *pending;
}

// The copy from shared memory or the product that may still read any of these bytes.
struct Reader {
  const MicroOp* op = nullptr;  // null: none
  bool multiplies = false;
};
Reader reader_of(const EmulationThread& worker, uint64_t address, uint64_t bytes) {
  const auto& stores = worker.block.bulk_stores;
  const auto store = std::find_if(stores.rbegin(), stores.rend(), [&](const BulkStore& s) {
    return s.reading && overlap(s.from, s.from_bytes, address, bytes);
  });
  if (store != stores.rend()) return {store->op, false};
  const auto& products = worker.block.products;
  const auto product = std::find_if(products.rbegin(), products.rend(), [&](const auto& p) {
    return std::any_of(p.addresses.begin(), p.addresses.end(),
                       [&](uint64_t piece) { return overlap(piece, kBulkPiece, address, bytes); });
  });
  if (product != products.rend()) return {product->op, true};
  return {};
}

// Notes a race in shared memory with another instruction, all but its words. Null: it is noted
// already.
Finding* note_shared_race(Warp& warp, const MicroOp* op, std::string_view access, int lane,
                          uint64_t address, std::string_view other_access, uint32_t other_site) {
  Finding* f = note_finding(warp, op, FindingKind::kRace, ptx::Space::kShared, access, lane);
  if (f == nullptr) return nullptr;
  const Launch& launch = *warp.worker->launch;
  f->address = address;
  f->allocation = shared_array_at(launch, address);
  f->other_access = other_access;
  f->other_place = source_place(*launch.program->module, launch.program->sites[other_site].source);
  return f;
}

// A store to what a copy from shared memory or a product may still read.
void note_overwritten_source(Warp& warp, const MicroOp* op, AccessIntent intent, int lane,
                             int bytes) {
  EmulationThread& worker = *warp.worker;
  const uint64_t address = worker.access.address[static_cast<size_t>(lane)];
  const Reader reader = reader_of(worker, address, static_cast<uint64_t>(bytes));
  if (reader.op == nullptr) return;
  Finding* f = note_shared_race(warp, op, verb(intent), lane, address, "read", reader.op->site);
  if (f == nullptr) return;
  f->size_bytes = static_cast<uint32_t>(bytes);
  const std::vector<SentencePart> parts = {{"access", access_words(f->access)},
                                           {"memory", memory_words(*f)},
                                           {"who", thread_words(f->who)},
                                           {"line", f->other_place->line}};
  if (reader.multiplies) {
    f->message = sentence(
        "{access} of {memory} by {who} meets a wgmma that may still read it, started in line "
        "{line}",
        parts);
    f->cause = sentence(
        "a wgmma reads its tiles at any time until one of its four warps has waited for its group: "
        "commit the group, wait with wgmma.wait_group, and let others overwrite the tile only "
        "after a barrier that follows the wait");
    return;
  }
  f->message = sentence(
      "{access} of {memory} by {who} meets a copy in bulk to global memory that may still read it, "
      "started in line {line}",
      parts);
  f->cause = sentence(
      "the thread that issued the copy commits its group and waits with "
      "cp.async.bulk.wait_group.read, then a __syncthreads() lets the others overwrite the source");
}

}  // namespace

void watch_source_start(Warp& warp, BulkStore& store) {
  if (store.from_bytes == 0) return;
  pending_copies(*warp.worker).add_shared_source(store.from, store.from_bytes);
  store.reading = true;
}

void end_source_watch(Warp& warp, BulkStore& store) {
  if (!std::exchange(store.reading, false)) return;
  warp.worker->block.pending_copies->remove_shared_source(store.from, store.from_bytes);
}

void watch_product_start(Warp& warp, const PendingProduct& product) {
  PendingCopies& pending = pending_copies(*warp.worker);
  for (const uint64_t piece : product.addresses) pending.add_shared_source(piece, kBulkPiece);
}

void end_product_watch(Warp& warp, const PendingProduct& product) {
  PendingCopies& pending = *warp.worker->block.pending_copies;
  for (const uint64_t piece : product.addresses) pending.remove_shared_source(piece, kBulkPiece);
  // It may have read as late as now.
  auto& address = warp.worker->access.address;
  warp.worker->access.same_pattern = false;
  for (size_t first = 0; first < product.addresses.size(); first += kWarpSize) {
    const size_t count = std::min<size_t>(kWarpSize, product.addresses.size() - first);
    std::copy_n(product.addresses.begin() + static_cast<ptrdiff_t>(first), count, address.begin());
    watch_late_read(warp, product.op, count == kWarpSize ? 0xffffffffu : (1u << count) - 1,
                    kBulkPiece);
  }
}

void check_proxy_writes(Warp& warp, const MicroOp* op, int lane, uint64_t from, uint64_t bytes,
                        bool by_product) {
  EmulationThread& worker = *warp.worker;
  uint32_t writer = 0;
  if (!worker.block.proxy_writes.needs_fence(from, bytes, writer)) return;
  Finding* f = note_shared_race(warp, op, "read", lane, from, "write", writer);
  if (f == nullptr) return;
  const std::vector<SentencePart> parts = {{"memory", memory_words(*f)},
                                           {"line", f->other_place->line}};
  if (by_product) {
    f->message = sentence(
        "wgmma reads {memory}, which ordinary stores in line {line} have written without a "
        "fence.proxy.async since: it may read the old values",
        parts);
    f->cause = sentence(
        "wgmma reads past the caches that ordinary stores go through: let each thread that has "
        "stored execute fence.proxy.async.shared::cta, then a __syncthreads(), and then wgmma");
    return;
  }
  f->message = sentence(
      "a copy in bulk reads {memory}, which ordinary stores in line {line} have written without a "
      "fence.proxy.async since: it may read the old values",
      parts);
  f->cause = sentence(
      "copies in bulk read past the caches that ordinary stores go through: let each thread that "
      "has stored execute fence.proxy.async.shared::cta, then a __syncthreads(), and then issue "
      "the copy");
}

void watch_destinations(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes,
                        AccessIntent intent) {
  const EmulationThread& worker = *warp.worker;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t address = worker.access.address[static_cast<size_t>(lane)];
    if (intent != AccessIntent::kRead &&
        worker.block.pending_copies->reads(address, static_cast<uint32_t>(bytes)))
      note_overwritten_source(warp, op, intent, lane, bytes);
    if (!worker.block.pending_copies->writes(address, static_cast<uint32_t>(bytes))) continue;
    const OneCopy copy = find_copy(worker, [&](const OneCopy& c) {
      return overlap(c.to, c.to_bytes, address, static_cast<uint64_t>(bytes));
    });
    if (copy.op != nullptr) note_conflict(warp, op, ptx::Space::kShared, intent, lane, bytes, copy);
  }
}

void note_arrival(Block& block, const BulkCopy& copy) {
  // More stages than any pipeline has.
  constexpr size_t kMostArrived = 64;
  if (copy.bytes.empty()) return;
  std::vector<ArrivedCopy>& arrived = block.arrived_copies;
  std::erase_if(arrived, [&](const ArrivedCopy& earlier) { return earlier.to == copy.to; });
  if (arrived.size() == kMostArrived) arrived.erase(arrived.begin());
  arrived.push_back({copy.op, copy.to, copy.extent(), ++block.arrivals});
}

void watch_arrived_copies(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes,
                          AccessIntent intent) {
  const EmulationThread& worker = *warp.worker;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t address = worker.access.address[static_cast<size_t>(lane)];
    const auto& arrived = worker.block.arrived_copies;
    const auto copy = std::find_if(arrived.rbegin(), arrived.rend(), [&](const ArrivedCopy& c) {
      return c.number > warp.known_arrivals &&
             overlap(c.to, c.bytes, address, static_cast<uint64_t>(bytes));
    });
    if (copy == arrived.rend()) continue;
    Finding* f = note_shared_race(warp, op, verb(intent), lane, address, "write", copy->op->site);
    if (f == nullptr) continue;
    f->size_bytes = static_cast<uint32_t>(bytes);
    f->message = sentence(
        "{access} of {memory} by {who} meets a copy in bulk, started in line {line}, that another "
        "warp has waited for and this one has not",
        {{"access", access_words(f->access)},
         {"memory", memory_words(*f)},
         {"who", thread_words(f->who)},
         {"line", f->other_place->line}});
    f->cause = sentence(
        "a copy in bulk is there for the threads that have found the phase of its barrier over: "
        "let each thread that needs it wait for the phase, or let all meet the one that has waited "
        "at a __syncthreads()");
  }
}

void watch_sources(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes, AccessIntent intent) {
  const EmulationThread& worker = *warp.worker;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t address = worker.access.address[static_cast<size_t>(lane)];
    if (!worker.block.pending_copies->may_read(address, static_cast<uint32_t>(bytes))) continue;
    const OneCopy copy = find_copy(worker, [&](const OneCopy& c) {
      return overlap(c.from, c.from_bytes, address, static_cast<uint64_t>(bytes));
    });
    if (copy.op != nullptr) note_conflict(warp, op, ptx::Space::kGlobal, intent, lane, bytes, copy);
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
      const uint64_t to = copy.to[static_cast<size_t>(lane)];
      if (pending.writes(to, bytes)) note_second_copy(warp, write, copy_of_lane(warp, copy, lane));
      if (pending.reads(to, bytes))
        note_overwritten_source(warp, write, AccessIntent::kWrite, lane, static_cast<int>(bytes));
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

void watch_copy_start(Warp& warp, BulkCopy& copy) {
  EmulationThread& worker = *warp.worker;
  PendingCopies& pending = pending_copies(worker);
  const uint64_t bytes = copy.extent();
  if (bytes == 0) return;
  const auto lane = static_cast<size_t>(copy.lane);
  worker.access.address[lane] = copy.to;
  if (pending.any() && pending.writes(copy.to, static_cast<uint32_t>(bytes)))
    note_second_copy(warp, copy.op, copy_in_bulk(worker, copy));
  const bool is_read = pending.any() && pending.reads(copy.to, static_cast<uint32_t>(bytes));
  const uint64_t step = bytes % kBulkPiece == 0 ? kBulkPiece : 4;
  for (uint64_t at = 0; at < copy.bytes.size(); at += step) {
    worker.access.address[lane] = copy.place_of(at);
    if (is_read && pending.reads(copy.place_of(at), static_cast<uint32_t>(step)))
      note_overwritten_source(warp, copy.op, AccessIntent::kWrite, copy.lane,
                              static_cast<int>(step));
    watch_future_write(warp, copy.op, 1u << copy.lane, static_cast<int>(step),
                       BulkPieceValues(copy.bytes.data() + at, step));
  }
  pending.add(copy.to, static_cast<uint32_t>(bytes));
  if (!copy.from_shared) pending.add_source(copy.from, static_cast<uint32_t>(bytes));
  copy.watched = true;
}

void watch_remote_copy(Warp& warp, BulkCopy& copy, Block& owner) {
  if (copy.bytes.empty()) return;
  if (!owner.pending_copies)
    owner.pending_copies = std::make_shared<PendingCopies>(warp.worker->launch->shared_bytes);
  owner.pending_copies->add(copy.to, static_cast<uint32_t>(copy.extent()));
  copy.watched = true;
  if (!owner.cluster_shadow) return;
  const AccessIntent intent =
      copy.reduction == nullptr ? AccessIntent::kWrite : AccessIntent::kAtomic;
  const size_t step = copy.bytes.size() % kBulkPiece == 0 ? kBulkPiece : 4;
  for (size_t at = 0; at < copy.bytes.size(); at += step)
    watch_remote_future_write(warp, copy.op, copy.lane, owner, copy.place_of(at),
                              static_cast<int>(step), intent,
                              BulkPieceValues(copy.bytes.data() + at, step));
}

void end_watch(Warp& warp, BulkCopy& copy) {
  if (!std::exchange(copy.watched, false)) return;
  warp.worker->block.pending_copies->remove(copy.to, static_cast<uint32_t>(copy.extent()));
}

void watch_restored_copies(EmulationThread& worker) {
  if (worker.block.pending_copies) worker.block.pending_copies->clear();
  (void)find_copy(worker, [&](const OneCopy& copy) {
    PendingCopies& pending = pending_copies(worker);
    pending.add(copy.to, static_cast<uint32_t>(copy.to_bytes));
    if (copy.from_bytes != 0) pending.add_source(copy.from, static_cast<uint32_t>(copy.from_bytes));
    return false;
  });
  for (const BulkStore& store : worker.block.bulk_stores) {
    if (store.reading) pending_copies(worker).add_shared_source(store.from, store.from_bytes);
  }
  for (const PendingProduct& product : worker.block.products) {
    for (const uint64_t piece : product.addresses)
      pending_copies(worker).add_shared_source(piece, kBulkPiece);
  }
}

}  // namespace warpshop::emulator
