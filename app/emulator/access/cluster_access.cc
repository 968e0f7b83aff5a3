#include "access/cluster_access.h"

#include <bit>

#include "checks/access_findings.h"
#include "checks/cluster_watch.h"
#include "checks/note_finding.h"
#include "checks/words.h"
#include "state/cluster.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator {
namespace {

uint32_t blocks_of_cluster(const Warp& warp) {
  return static_cast<uint32_t>(warp.worker->launch->cluster.count());
}

void note_wrong_rank(Warp& warp, const MicroOp* op, int lane, uint32_t rank) {
  Finding* f = note_finding(warp, op, FindingKind::kOutOfBounds, ptx::Space::kShared, "", lane);
  if (f == nullptr) return;
  const uint32_t blocks = blocks_of_cluster(warp);
  f->message =
      blocks == 1
          ? sentence(
                "rank {rank} of a cluster: the launch has no clusters, so each block is one "
                "of its own, of rank 0",
                {{"rank", rank}})
          : sentence("rank {rank} of a cluster of {blocks} blocks: the ranks are 0 to {last}",
                     {{"rank", rank}, {"blocks", blocks}, {"last", blocks - 1}});
  f->cause =
      blocks == 1
          ? sentence("give the kernel __cluster_dims__(x, y, z), or launch it with a cluster size")
          : sentence(
                "a rank that is calculated from blockIdx or gridDim: use block_rank() and "
                "num_blocks() of this_cluster()");
}

}  // namespace

const MicroOp* map_address(Warp& warp, const MicroOp* op) {
  const bool generic = (op->flags & kGenericAddress) != 0;
  const uint32_t* ranks = warp.reg<uint32_t>(op->b);
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    uint64_t rank = ranks[lane];
    if (rank >= blocks_of_cluster(warp)) {
      note_wrong_rank(warp, op, lane, ranks[lane]);
      rank = kNoRank - 1;
    }
    if (generic) {
      const uint64_t address = warp.reg<uint64_t>(op->a)[lane];
      warp.reg<uint64_t>(op->d)[lane] =
          (address & kWindowMask) | mapped_address(address & ~kWindowMask, rank);
    } else {
      warp.reg<uint32_t>(op->d)[lane] =
          static_cast<uint32_t>(mapped_address(warp.reg<uint32_t>(op->a)[lane], rank));
    }
  }
  return op + 1;
}

const MicroOp* rank_of_address(Warp& warp, const MicroOp* op) {
  const bool generic = (op->flags & kGenericAddress) != 0;
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t address =
        generic ? warp.reg<uint64_t>(op->a)[lane] : warp.reg<uint32_t>(op->a)[lane];
    const uint64_t field = rank_field(address);
    warp.reg<uint32_t>(op->d)[lane] =
        field == 0 ? warp.block->rank : static_cast<uint32_t>(field) - 1;
  }
  return op + 1;
}

Block* owner_of(Warp& warp, uint64_t address) {
  const uint64_t field = rank_field(address);
  if (field == 0 || field == warp.block->rank + 1) return warp.block;
  const Cluster* cluster = warp.block->cluster;
  return cluster == nullptr || field > cluster->members.size() ? nullptr
                                                               : cluster->members[field - 1];
}

void settle_ranks(Warp& warp, uint32_t lanes) {
  EmulationThread& worker = *warp.worker;
  worker.remote_lanes = 0;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(rest));
    uint64_t& address = worker.access.address[lane];
    const uint64_t field = rank_field(address);
    if (field == 0 || (address >> kRankShift) > 31) continue;
    if (field == warp.block->rank + 1) {
      address &= kMappedOffset;
    } else {
      worker.remote_lanes |= 1u << lane;
    }
  }
}

Region remote_region(Warp& warp, const MicroOp* op, uint64_t address) {
  Block* owner = owner_of(warp, address);
  if (owner == nullptr) return {};
  const Region& mine = warp.worker->shared_of_site[op->site];
  return {.base = mapped_address(mine.base, owner->rank),
          .size_bytes = mine.size_bytes,
          .data = owner->shared.data() + mine.base,
          .name = mine.name};
}

bool check_remote(Warp& warp, const MicroOp* op, int lane, int bytes, AccessIntent intent,
                  Region& region) {
  const uint64_t address = warp.worker->access.address[static_cast<size_t>(lane)];
  const Block* owner = owner_of(warp, address);
  if (owner == nullptr) return false;  // reported by mapa
  const uint64_t offset = address & kMappedOffset;
  region = remote_region(warp, op, address);
  if (!holds(region, address, static_cast<uint64_t>(bytes))) {
    const Region& mine = warp.worker->shared_of_site[op->site];
    note_remote_out_of_bounds(warp, op, intent, lane, *owner, offset, bytes, mine.base,
                              mine.size_bytes);
    return false;
  }
  if (!owner->ended) return true;
  note_ended_block(warp, op, intent, lane, *owner, offset, bytes);
  return false;
}

void watch_remote_lanes(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes,
                        AccessIntent intent, const StoreValues* values) {
  EmulationThread& worker = *warp.worker;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const uint64_t address = worker.access.address[static_cast<size_t>(lane)];
    Block& owner = *owner_of(warp, address);
    uint64_t offset = address & kMappedOffset;
    watch_remote(warp, op, lane, owner, offset, bytes, intent, values);
    const ShadowAccess touched{.address = &offset, .mask = 1, .bytes = bytes, .site = op->site};
    if (intent != AccessIntent::kWrite && owner.shadow.unwritten(touched) != 0)
      note_uninitialised(warp, op, worker.shared_of_site[op->site], ptx::Space::kShared, lane,
                         offset, bytes);
    if (intent != AccessIntent::kRead) owner.shadow.mark_written(touched);
  }
}

}  // namespace warpshop::emulator
