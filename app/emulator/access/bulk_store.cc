#include "access/bulk_store.h"

#include <bit>
#include <utility>
#include <vector>

#include "access/bulk_parts.h"
#include "checks/copy_watch.h"
#include "checks/note_finding.h"
#include "state/launch_state.h"

namespace warpshop::emulator::bulk_copy {
namespace {

uint32_t thread_of_lane(const Warp& warp, int lane) {
  return warp.index * kWarpSize + static_cast<uint32_t>(lane);
}

uint32_t& groups_of(Warp& warp, int lane) {
  std::vector<uint32_t>& groups = warp.block->bulk_groups;
  if (groups.empty()) groups.resize(warp.worker->launch->threads_per_block, 0);
  return groups[thread_of_lane(warp, lane)];
}

void perform(Warp& warp, BulkStore& store) {
  end_source_watch(warp, store);
  const DecodedFunction* const function = std::exchange(warp.function, store.function);
  for (const BulkStore::Piece& piece : store.pieces) write_global(warp, store, piece);
  warp.function = function;
}

// Performs the thread's copies for which `over(group)` is true.
template <typename Over>
void perform_if(Warp& warp, int lane, Over over) {
  std::vector<BulkStore>& stores = warp.block->bulk_stores;
  for (size_t n = 0; n < stores.size();) {
    if (stores[n].warp != warp.index || stores[n].lane != lane || !over(stores[n].group)) {
      ++n;
      continue;
    }
    BulkStore store = std::move(stores[n]);
    stores.erase(stores.begin() + static_cast<ptrdiff_t>(n));
    perform(warp, store);
  }
}

void note_unwaited(Warp& warp, const BulkStore& store) {
  Finding* f = note_finding(warp, store.op, FindingKind::kRace, ptx::Space::kShared, "read",
                            store.lane, 1, Severity::kWarning);
  if (f == nullptr) return;
  f->message = sentence(
      "a thread exits without having waited for its copy in bulk from shared memory, which may "
      "still read it");
  f->cause = sentence(
      "a block's shared memory is gone when its threads have exited: commit the group, and wait "
      "with cp.async.bulk.wait_group.read 0 before the end");
}

}  // namespace

void add_store(Warp& warp, BulkStore store) {
  store.function = warp.function;
  store.warp = warp.index;
  store.group = groups_of(warp, store.lane);
  watch_source_start(warp, store);
  warp.block->bulk_stores.push_back(std::move(store));
}

const MicroOp* start_store(Warp& warp, const MicroOp* op) {
  const MicroOp* const to = op + 1;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint32_t bytes = warp.reg<uint32_t>(op->b)[lane];
    BulkStore store;
    store.op = to;
    store.lane = lane;
    store.from = address_of(warp, op, lane);
    store.from_bytes = bytes;
    if (op->e != 0) store.reduction = warp.worker->launch->program->reductions[op->e - 1];
    const uint64_t target = address_of(warp, to, lane);
    if (note_wrong_size(warp, op, ptx::Space::kShared, lane, bytes) ||
        note_wrong_place(warp, op, ptx::Space::kShared, AccessIntent::kRead, lane, store.from) ||
        note_wrong_place(warp, to, ptx::Space::kGlobal, AccessIntent::kWrite, lane, target) ||
        !check_shared_place(warp, op, AccessIntent::kRead, lane, store.from, bytes, kPiece))
      continue;
    check_proxy_writes(warp, op, lane, store.from, bytes);
    store.bytes.resize(bytes);
    if (!read_source(warp, op, lane, store.from, store.bytes.data(), bytes)) continue;
    store.pieces.push_back({target, 0, bytes});
    add_store(warp, std::move(store));
  }
  return op + 2;
}

const MicroOp* commit_stores(Warp& warp, const MicroOp* op) {
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1)
    ++groups_of(warp, std::countr_zero(rest));
  return op + 1;
}

const MicroOp* wait_for_stores(Warp& warp, const MicroOp* op) {
  if (warp.block->bulk_stores.empty()) return op + 1;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t committed = groups_of(warp, lane);
    const auto over = [&](uint32_t group) { return group + op->imm < committed; };
    if (op->flags == 0) {
      perform_if(warp, lane, over);
      continue;
    }
    for (BulkStore& store : warp.block->bulk_stores) {
      if (store.warp == warp.index && store.lane == lane && over(store.group))
        end_source_watch(warp, store);
    }
  }
  return op + 1;
}

const MicroOp* fence_proxies(Warp& warp, const MicroOp* op) {
  if (warp.block->proxy_writes.watches())
    warp.block->proxy_writes.fence(warp.index, warp.block->intervals);
  return op + 1;
}

void finish_stores(Warp& warp, uint32_t lanes) {
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    for (const BulkStore& store : warp.block->bulk_stores) {
      if (store.warp != warp.index || store.lane != lane || !store.reading) continue;
      const DecodedFunction* const function = std::exchange(warp.function, store.function);
      note_unwaited(warp, store);
      warp.function = function;
    }
    perform_if(warp, lane, [](uint32_t) { return true; });
  }
}

}  // namespace warpshop::emulator::bulk_copy
