#include "operations/cluster_barrier.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "checks/note_finding.h"
#include "checks/words.h"
#include "operations/barriers.h"
#include "operations/control.h"
#include "operations/paths.h"
#include "state/cluster.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator {
namespace {

// Everything before the arrivals happens before everything after the waits, in all blocks.
void complete_cluster_phase(Cluster& cluster) {
  if (cluster.live_warps == 0 || cluster.arrived < cluster.live_warps) return;
  ++cluster.phase;
  cluster.arrived = 0;
  for (Block* block : cluster.members) {
    block->pass_barrier();
    block->may_follow_others = true;
  }
}

void arrive_if_complete(Warp& warp) {
  if (warp.cluster_arrived || warp.live == 0 || (warp.live & ~warp.cluster_lanes) != 0) return;
  warp.cluster_arrived = true;
  ++warp.cluster_arrivals;
  Cluster& cluster = *warp.block->cluster;
  ++cluster.arrived;
  complete_cluster_phase(cluster);
}

const MicroOp* wrong_turn(Warp& warp, const MicroOp* op, int lane, Sentence what) {
  if (Finding* f =
          note_finding(warp, op, FindingKind::kDivergentBarrier, ptx::Space::kGeneric, "", lane)) {
    f->message = std::move(what);
    f->cause = sentence(
        "every thread of the cluster arrives once and then waits once: each barrier_arrive() needs "
        "its barrier_wait(), in the same order everywhere");
  }
  fail_launch(warp);
  return control::finish(warp);
}

}  // namespace

bool may_pass_cluster_barrier(const Warp& warp) {
  return warp.block->cluster->phase > warp.cluster_waits;
}

void pass_cluster_barrier(Warp& warp) {
  ++warp.cluster_waits;
  warp.known_arrivals = warp.block->arrivals;
  warp.cluster_lanes = 0;
  warp.cluster_arrived = false;
  warp.block->cluster_waits = std::max(warp.block->cluster_waits, warp.cluster_waits);
}

void leave_cluster_barrier(Warp& warp) {
  if (warp.live != 0) return arrive_if_complete(warp);
  Cluster& cluster = *warp.block->cluster;
  --cluster.live_warps;
  // It has arrived in the running phase, not in one that is over and that it did not wait for.
  if (warp.cluster_arrived && cluster.phase < warp.cluster_arrivals) --cluster.arrived;
  complete_cluster_phase(cluster);
}

bool waits_for_cluster(const EmulationThread& worker) {
  for (const auto& warp : worker.running) {
    if (warp->status == WarpStatus::kWaiting && warp->barrier == kClusterBarrier) return true;
  }
  return false;
}

bool report_stuck_cluster(EmulationThread& worker, const SourcePlace& elsewhere) {
  for (const auto& warp : worker.running) {
    if (warp->status != WarpStatus::kWaiting || warp->barrier != kClusterBarrier) continue;
    Finding* f = note_finding(*warp, warp->barrier_op, FindingKind::kDeadlock, ptx::Space::kGeneric,
                              "", std::countr_zero(warp->barrier_lanes));
    if (f == nullptr) return true;
    const Cluster& cluster = *worker.block.cluster;
    f->message = sentence(
        "block {place} waits forever at this barrier of its cluster: {missing} of the {all} warps "
        "that have not ended never come to it",
        {{"place", text_of(worker.block.index)},
         {"missing", cluster.live_warps - cluster.arrived},
         {"all", cluster.live_warps}});
    if (elsewhere.line > 0) {
      f->other_place = elsewhere;
      f->message.then(sentence("one of them waits in line {line}", {{"line", elsewhere.line}}),
                      "; ");
    }
    f->cause = sentence(
        "every thread of every block of the cluster has to come to each cluster.sync(), or end: no "
        "branch around it, and no other barrier that waits for a thread that is already there");
    return true;
  }
  return false;
}

namespace control {

const MicroOp* cluster_arrive(Warp& warp, const MicroOp* op) {
  if ((warp.cluster_lanes & warp.mask) != 0) {
    return wrong_turn(
        warp, op, std::countr_zero(warp.cluster_lanes & warp.mask),
        sentence("a thread arrives at the barrier of its cluster again without having "
                 "waited there"));
  }
  warp.cluster_lanes |= warp.mask;
  arrive_if_complete(warp);
  return op + 1;
}

const MicroOp* cluster_wait(Warp& warp, const MicroOp* op) {
  if (const uint32_t missing = warp.mask & ~warp.cluster_lanes; missing != 0) {
    return wrong_turn(
        warp, op, std::countr_zero(missing),
        sentence("a thread waits at the barrier of its cluster without having arrived there"));
  }
  if (warp.barrier_lanes != 0 && warp.barrier != kClusterBarrier) note_different_barriers(warp, op);
  return wait_at_barrier(warp, op, kClusterBarrier);
}

}  // namespace control
}  // namespace warpshop::emulator
