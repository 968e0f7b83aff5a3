#include "checks/cluster_watch.h"

#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "analysis/source_place.h"
#include "checks/note_finding.h"
#include "checks/race_watch.h"
#include "checks/words.h"
#include "core/dim3.h"
#include "state/cluster.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"
#include "state/memory_flags.h"

namespace warpshop::emulator {
namespace {

constexpr int kMostWatchedBytes = 32;

// The shared array with this byte, in quotes, or "shared memory".
Sentence array_words(const std::string& name) {
  return name.empty() ? sentence("shared memory") : sentence("\"{name}\"", {{"name", name}});
}

ThreadPlace place_of(const EmulationThread& worker, const Block& block, uint32_t thread) {
  return {block.index, index_in(worker.launch->config->block, thread)};
}

Sentence who_words(const ThreadPlace& who) {
  return sentence("{thread} of {block}",
                  {{"thread", thread_words(who)}, {"block", block_words(who.block)}});
}

bool is_atomic(const MicroOp* op, AccessIntent intent) {
  return intent == AccessIntent::kAtomic || (op->flags & (kStrong | kVolatile)) != 0;
}

// True if the store leaves the memory as it is.
bool changes_nothing(const Block& owner, uint64_t address, int lane, int bytes,
                     const StoreValues& values) {
  uint8_t mine[kMostWatchedBytes];
  values.lane(lane, mine);
  return std::memcmp(mine, owner.shared.data() + address, static_cast<size_t>(bytes)) == 0;
}

void report(Warp& warp, const MicroOp* op, AccessIntent intent, const Block& owner, int bytes,
            const ClusterHazard& h) {
  EmulationThread& worker = *warp.worker;
  Finding* f =
      note_finding(warp, op, FindingKind::kRace, ptx::Space::kShared, verb(intent), h.lane);
  if (f == nullptr) return;
  f->address = h.address;
  f->size_bytes = static_cast<uint32_t>(bytes);
  f->allocation = shared_array_at(*worker.launch, h.address);
  const Block& other = *warp.block->cluster->members[h.other.rank];
  f->other_who = place_of(worker, other, h.other.thread);
  f->other_access = h.other.atomic ? "atomic" : h.other_wrote ? "write" : "read";
  const AccessSite& site = worker.launch->program->sites[h.other.site];
  f->other_place = source_place(*worker.launch->program->module, site.source);
  if (f->access != "read" && f->other_access == "read") {
    std::swap(f->place, *f->other_place);
    std::swap(f->who, *f->other_who);
    std::swap(f->access, f->other_access);
  }
  f->message = sentence(
      "{access} of {memory} of {owner} by {who} meets {other}: no barrier of the cluster is "
      "between them",
      {{"access", access_words(f->access)},
       {"memory", array_words(f->allocation)},
       {"owner", block_words(owner.index)},
       {"who", who_words(f->who)},
       {"other", an_access_by(f->other_access, who_words(*f->other_who))}});
  f->cause = sentence(
      "__syncthreads() waits for one block only: put cluster.sync() between the write and what "
      "other blocks do with it, and another before it is overwritten");
}

// `later`: the write happens at some time from now on.
void watch(Warp& warp, const MicroOp* op, int lane, Block& owner, uint64_t address, int bytes,
           AccessIntent intent, const StoreValues* values, bool later = false) {
  const Block& mine = *warp.block;
  Cluster& cluster = *mine.cluster;
  ClusterShadow& shadow = *owner.cluster_shadow;
  const ClusterShadow::Access access{
      .who = {.time = cluster.now,
              .arrivals = warp.cluster_arrivals,
              .interval = mine.intervals,
              .site = op->site,
              .thread = static_cast<uint16_t>(warp.index * kWarpSize + static_cast<uint32_t>(lane)),
              .rank = static_cast<uint8_t>(mine.rank),
              .atomic = is_atomic(op, intent)},
      .waits = warp.cluster_waits,
      .floor = cluster.floor,
      .owner = owner.rank,
      .address = address,
      .bytes = bytes,
      .lane = lane};
  std::vector<ClusterHazard> hazards;
  if (later) {
    shadow.before_write(access, hazards);
  } else if (intent == AccessIntent::kRead) {
    shadow.on_read(access, hazards);
  } else {
    shadow.on_write(access, hazards);
  }
  // Blocks may order themselves by flags and fences; that is not followed.
  if (hazards.empty() || warp.worker->launch->program->orders_by_flags) return;
  for (const ClusterHazard& h : hazards) {
    if (h.other_wrote && intent == AccessIntent::kWrite && values != nullptr &&
        changes_nothing(owner, address, lane, bytes, *values))
      continue;
    report(warp, op, intent, owner, bytes, h);
  }
}

Sentence stay_until_done() {
  return sentence(
      "a block's shared memory is gone when its last thread has exited: let all blocks of the "
      "cluster meet at a cluster.sync() after the last access to another block's memory");
}

}  // namespace

void watch_cluster(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes, AccessIntent intent,
                   const StoreValues* values) {
  Block& mine = *warp.block;
  ++mine.cluster->now;
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    watch(warp, op, lane, mine, warp.worker->access.address[static_cast<size_t>(lane)], bytes,
          intent, values);
  }
}

void watch_remote(Warp& warp, const MicroOp* op, int lane, Block& owner, uint64_t address,
                  int bytes, AccessIntent intent, const StoreValues* values) {
  Cluster& cluster = *owner.cluster;
  ++cluster.now;
  watch(warp, op, lane, owner, address, bytes, intent, values);
  // An arrival at an mbarrier object: its owner waits for that before it ends.
  if (warp.worker->launch->program->sites[op->site].text.starts_with("mbarrier")) return;
  owner.last_remote = {.function = warp.function,
                       .op = op,
                       .who = place_of_lane(warp, lane),
                       .access = verb(intent),
                       .warp = warp.index,
                       .arrivals = warp.cluster_arrivals,
                       .time = cluster.now};
}

void watch_remote_future_write(Warp& warp, const MicroOp* op, int lane, Block& owner,
                               uint64_t address, int bytes, AccessIntent intent,
                               const StoreValues& values) {
  ++owner.cluster->now;
  watch(warp, op, lane, owner, address, bytes, intent, &values, true);
}

void check_end_in_cluster(EmulationThread& worker) {
  const Block& block = worker.block;
  const RemoteAccess& last = block.last_remote;
  if (last.op == nullptr || block.cluster_waits > last.arrivals ||
      block.object_passed > last.time || worker.launch->program->orders_by_flags ||
      worker.pool.empty())
    return;
  // The finding belongs to another block's warp, which may be anywhere by now.
  Warp& warp = *worker.pool.back();
  const DecodedFunction* const function = std::exchange(warp.function, last.function);
  const uint32_t index = std::exchange(warp.index, last.warp);
  Finding* f = note_finding(warp, last.op, FindingKind::kRace, ptx::Space::kShared, last.access, 0);
  warp.function = function;
  warp.index = index;
  if (f == nullptr) return;
  f->who = last.who;
  f->message = sentence(
      "{access} of shared memory of {owner} by {who}: {owner} may have ended by then, since no "
      "barrier of the cluster comes after it",
      {{"access", access_words(f->access)},
       {"owner", block_words(block.index)},
       {"who", who_words(f->who)}});
  f->cause = stay_until_done();
}

void note_ended_block(Warp& warp, const MicroOp* op, AccessIntent intent, int lane,
                      const Block& owner, uint64_t address, int bytes) {
  Finding* f =
      note_finding(warp, op, FindingKind::kOutOfBounds, ptx::Space::kShared, verb(intent), lane);
  if (f == nullptr) return;
  f->address = address;
  f->size_bytes = static_cast<uint32_t>(bytes);
  f->allocation = shared_array_at(*warp.worker->launch, address);
  f->message = sentence("{access} of {memory} of {owner}, which has ended",
                        {{"access", access_words(f->access)},
                         {"memory", array_words(f->allocation)},
                         {"owner", block_words(owner.index)}});
  f->cause = stay_until_done();
}

void note_remote_out_of_bounds(Warp& warp, const MicroOp* op, AccessIntent intent, int lane,
                               const Block& owner, uint64_t address, int bytes, uint64_t base,
                               uint64_t size_bytes) {
  Finding* f =
      note_finding(warp, op, FindingKind::kOutOfBounds, ptx::Space::kShared, verb(intent), lane);
  if (f == nullptr) return;
  f->address = address;
  f->size_bytes = static_cast<uint32_t>(bytes);
  f->allocation = shared_array_at(*warp.worker->launch, base);
  const bool before = address < base;
  const uint64_t distance =
      before ? base - address : address + static_cast<uint64_t>(bytes) - base - size_bytes;
  f->distance_bytes = before ? -static_cast<int64_t>(distance) : static_cast<int64_t>(distance);
  const std::vector<SentencePart> parts = {
      {"access", access_words(f->access)},    {"bytes", bytes},
      {"memory", array_words(f->allocation)}, {"owner", block_words(owner.index)},
      {"distance", count_words(distance)},    {"size", count_words(size_bytes)}};
  f->message =
      before ? sentence(
                   "{access} of {bytes} bytes of {memory} of {owner}, {distance} bytes before its "
                   "start ({size} bytes)",
                   parts)
             : sentence(
                   "{access} of {bytes} bytes of {memory} of {owner} ends {distance} bytes past "
                   "its end ({size} bytes)",
                   parts);
  f->cause = sentence("an index that is too large for an array of fixed size");
}

}  // namespace warpshop::emulator
