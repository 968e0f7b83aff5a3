#include "operations/barriers.h"

#include <algorithm>
#include <string>

#include "checks/note_finding.h"
#include "operations/barrier_places.h"
#include "operations/cluster_barrier.h"
#include "operations/control.h"
#include "operations/paths.h"
#include "operations/warpgroup_product.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator {
namespace {

constexpr uint32_t kBarriers = 16;

struct BarrierUse {
  uint32_t id = 0;
  uint32_t threads = 0;  // 0: the whole block
};

// An invalid barrier ends the kernel: a chip's behaviour is undefined.
const MicroOp* refuse(Warp& warp, const MicroOp* op, int lane, Sentence what, Sentence cause) {
  if (Finding* f =
          note_finding(warp, op, FindingKind::kDivergentBarrier, ptx::Space::kGeneric, "", lane)) {
    f->message = std::move(what);
    f->cause = std::move(cause);
  }
  fail_launch(warp);
  return control::finish(warp);
}

Sentence same_barrier() {
  return sentence(
      "all threads of a warp must give a barrier the same number and the same count of threads, a "
      "multiple of 32");
}

// Reads the operands of the running lanes; false: continue at `next`, as returned by refuse().
bool read_use(Warp& warp, const MicroOp* op, BarrierUse& use, const MicroOp*& next) {
  const int first = std::countr_zero(warp.mask);
  use = {.id = static_cast<uint32_t>(op->imm), .threads = static_cast<uint32_t>(op->imm >> 32)};
  if (op->flags & (control::kIdInRegister | control::kCountInRegister)) {
    const uint32_t* ids = op->flags & control::kIdInRegister ? warp.reg<uint32_t>(op->a) : nullptr;
    const uint32_t* counts =
        op->flags & control::kCountInRegister ? warp.reg<uint32_t>(op->b) : nullptr;
    if (ids != nullptr) use.id = ids[first];
    if (counts != nullptr) use.threads = counts[first];
    for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if ((ids == nullptr || ids[lane] == use.id) &&
          (counts == nullptr || counts[lane] == use.threads))
        continue;
      next = refuse(
          warp, op, lane,
          sentence("threads of one warp give one barrier instruction different numbers or counts"),
          same_barrier());
      return false;
    }
  }
  if (use.id >= kBarriers) {
    next = refuse(warp, op, first,
                  sentence("there is no barrier {barrier}: a block has the barriers 0 to 15",
                           {{"barrier", use.id}}),
                  sentence("incorrectly computed barrier index"));
    return false;
  }
  const bool arrives = (op->flags & control::kArriveOnly) != 0;
  if (use.threads % kWarpSize != 0 || (arrives && use.threads == 0)) {
    next = refuse(
        warp, op, first,
        arrives ? sentence("a barrier for {threads} threads: the count must be a multiple of 32, "
                           "and not 0 for an arrival",
                           {{"threads", use.threads}})
                : sentence("a barrier for {threads} threads: the count must be a multiple of 32",
                           {{"threads", use.threads}}),
        same_barrier());
    return false;
  }
  Barrier& barrier = warp.block->barriers[use.id];
  if (barrier.in_use && barrier.expected_threads != use.threads) {
    auto words = [](uint32_t n) {
      return n == 0 ? sentence("all threads of the block")
                    : sentence("{threads} threads", {{"threads", n}});
    };
    next =
        refuse(warp, op, first,
               sentence("barrier {barrier} for {these}, but threads have arrived at it for {those}",
                        {{"barrier", use.id},
                         {"these", words(use.threads)},
                         {"those", words(barrier.expected_threads)}}),
               sentence("all threads that meet at a barrier must give it the same count"));
    return false;
  }
  barrier.in_use = true;
  barrier.expected_threads = use.threads;
  return true;
}

// bar.arrive: the warp has arrived when all its lanes have.
void arrive(Warp& warp, uint32_t id) {
  warp.arrives = true;
  warp.arrived_lanes[id] |= warp.mask;
  complete_arrivals(warp);
}

void gather_predicate(Warp& warp, const MicroOp* op) {
  uint32_t predicate = *warp.reg<uint32_t>(op->c);
  if (op->flags & control::kPredicateNegated) predicate = ~predicate;
  predicate &= warp.mask;
  BarrierOutcome& mine = warp.barrier_given;
  if (warp.barrier_lanes == 0) mine = {};
  mine.count += static_cast<uint32_t>(std::popcount(predicate));
  mine.all = mine.all && predicate == warp.mask;
  mine.any = mine.any || predicate != 0;
}

void let_go(Warp& warp, const BarrierOutcome& outcome) {
  warp.status = WarpStatus::kReady;
  warp.known_arrivals = warp.block->arrivals;
  warp.barrier_lanes = 0;
  warp.barrier_outcome = outcome;
  for (Path& path : warp.paths) path.wait = Wait::kNothing;
  if (warp.takes_turns) control::merge_leaves(warp);
  warp.pc = control::resume(warp);
}

struct Waiting {
  std::array<Warp*, 32> warps{};
  uint32_t count = 0;
};

// Completes one phase of the barrier if enough threads have arrived; the earliest ones are
// released. `coming`: some warp has arrived with only part of its lanes.
bool complete_phase(EmulationThread& worker, uint32_t id, Waiting& waiting, uint32_t living,
                    bool coming) {
  Barrier& barrier = worker.block.barriers[id];
  const uint32_t expected = barrier.expected_threads;
  uint32_t go = waiting.count;
  if (barrier.expected_threads == 0) {
    if (waiting.count == 0 || waiting.count < living) return false;
  } else {
    if (barrier.arrived_without_waiting + waiting.count * kWarpSize < barrier.expected_threads)
      return false;
    const uint32_t arrived = std::min(barrier.arrived_without_waiting, barrier.expected_threads);
    go = (barrier.expected_threads - arrived) / kWarpSize;
    barrier.arrived_without_waiting -= arrived;
    if (go < waiting.count) {
      std::sort(waiting.warps.begin(), waiting.warps.begin() + waiting.count,
                [](const Warp* a, const Warp* b) { return a->barrier_turn < b->barrier_turn; });
    }
  }
  BarrierOutcome outcome;
  uint32_t indices = 0;
  for (uint32_t n = 0; n < go; ++n) {
    const Warp& warp = *waiting.warps[n];
    indices |= 1u << warp.index;
    if ((warp.barrier_op->flags & control::kReduce) == 0) continue;
    outcome.count += warp.barrier_given.count;
    outcome.all = outcome.all && warp.barrier_given.all;
    outcome.any = outcome.any || warp.barrier_given.any;
  }
  // Named barriers may be reached from different places, __syncthreads() may not.
  if (id == 0 && expected == 0) {
    check_barrier_places({waiting.warps.data(), go});
    const uint32_t all = static_cast<uint32_t>((uint64_t{1} << worker.launch->warps_per_block) - 1);
    if (go < worker.launch->warps_per_block)
      check_barrier_skipped({waiting.warps.data(), go}, all & ~indices);
  }
  if (GridShadow* grid = worker.launch->grid_shadow.get()) grid->pass_barrier(worker.block.linear);
  // Only a barrier of the whole block orders the accesses of warps that have left the kernel.
  if (expected == 0 || go == worker.launch->warps_per_block) {
    worker.block.pass_barrier();
  } else {
    worker.block.shadow.pass_barrier(static_cast<int>(id), indices);
    worker.block.global_shadow.pass_barrier();
  }
  for (uint32_t n = 0; n < go; ++n) let_go(*waiting.warps[n], outcome);
  std::copy(waiting.warps.begin() + go, waiting.warps.begin() + waiting.count,
            waiting.warps.begin());
  waiting.count -= go;
  if (waiting.count == 0 && barrier.arrived_without_waiting == 0 && !coming) barrier = {};
  return true;
}

// Another warp that waits at a different place than this one.
const Warp* waits_elsewhere(const EmulationThread& worker, const Warp& warp) {
  for (const auto& other : worker.running) {
    if (other->status == WarpStatus::kWaiting && (other->barrier != warp.barrier))
      return other.get();
  }
  return nullptr;
}

// A warp waits for a product that another warp of its group never comes to.
void report_missing_warps(Warp& warp) {
  Finding* f = note_finding(warp, warp.barrier_op, FindingKind::kDivergentBarrier,
                            ptx::Space::kGeneric, "", std::countr_zero(warp.barrier_lanes));
  if (f == nullptr) return;
  f->message = sentence(
      "warp {warp} waits forever for its wgmma: another of the four warps has not executed it",
      {{"warp", warp.index}});
  f->cause = sentence(
      "four warps multiply together: all of them execute each wgmma and its commit_group, so no "
      "branch may separate them");
}

SourcePlace place_of_barrier(const Warp& warp) {
  return control::source_of(warp, control::path_of_lane(warp, std::countr_zero(warp.barrier_lanes)),
                            warp.barrier_op);
}

}  // namespace

bool release_barriers(EmulationThread& worker) {
  std::array<Waiting, kBarriers> waiting;
  uint32_t ids = worker.block.arrived_at;
  uint32_t coming = 0;
  uint32_t living = 0;
  bool released = false;
  for (const auto& warp : worker.running) {
    if (warp->status == WarpStatus::kDone) continue;
    ++living;
    if (warp->status != WarpStatus::kWaiting) {
      if (warp->barrier_lanes != 0 && warp->barrier < static_cast<int>(kBarriers))
        coming |= 1u << warp->barrier;
      continue;
    }
    if (warp->barrier == kClusterBarrier) {
      if (!may_pass_cluster_barrier(*warp)) continue;
      pass_cluster_barrier(*warp);
      let_go(*warp, {});
      released = true;
      continue;
    }
    if (warp->barrier == matrix::kProductBarrier) {
      if (!matrix::may_end_products(*warp)) continue;
      matrix::end_products(*warp);
      let_go(*warp, {});
      released = true;
      continue;
    }
    Waiting& at = waiting[static_cast<size_t>(warp->barrier)];
    at.warps[at.count++] = warp.get();
    ids |= 1u << warp->barrier;
  }
  worker.block.arrived_at = 0;
  for (uint32_t rest = ids; rest != 0; rest &= rest - 1) {
    const auto id = static_cast<uint32_t>(std::countr_zero(rest));
    while (complete_phase(worker, id, waiting[id], living, ((coming >> id) & 1u) != 0)) {
      released = true;
      if (worker.block.barriers[id].expected_threads == 0) break;
    }
  }
  return released;
}

void complete_arrivals(Warp& warp) {
  for (uint32_t id = 0; id < kBarriers; ++id) {
    const uint32_t lanes = warp.arrived_lanes[id];
    if (lanes == 0 || (warp.live & ~lanes) != 0) continue;
    warp.arrived_lanes[id] = 0;
    warp.block->barriers[id].arrived_without_waiting += kWarpSize;
    warp.block->arrived_at |= 1u << id;
    warp.block->shadow.arrive(warp.index, static_cast<int>(id));
  }
}

void report_stuck_barriers(EmulationThread& worker) {
  for (const auto& warp : worker.running) {
    if (warp->status != WarpStatus::kWaiting || warp->barrier == kClusterBarrier) continue;
    if (warp->barrier == matrix::kProductBarrier) {
      report_missing_warps(*warp);
      break;
    }
    const Barrier& barrier = worker.block.barriers[static_cast<size_t>(warp->barrier)];
    const Warp* other = waits_elsewhere(worker, *warp);
    Finding* f = note_finding(*warp, warp->barrier_op, FindingKind::kDivergentBarrier,
                              ptx::Space::kGeneric, "", std::countr_zero(warp->barrier_lanes));
    if (f == nullptr) break;
    if (other != nullptr) {
      f->other_who = place_of_lane(*other, std::countr_zero(other->barrier_lanes));
      f->other_place = place_of_barrier(*other);
    }
    const int line = other == nullptr ? 0 : f->other_place->line;
    if (barrier.expected_threads == 0) {
      f->message = line == 0 ? sentence(
                                   "warp {warp} waits at this barrier forever: other warps of the "
                                   "block wait at another one",
                                   {{"warp", warp->index}})
                             : sentence(
                                   "warp {warp} waits at this barrier forever: other warps of the "
                                   "block wait at another one, in line {line}",
                                   {{"warp", warp->index}, {"line", line}});
      f->cause = sentence(
          "different __syncthreads() in the branches of an if: all threads of a block must reach "
          "the same one");
      break;
    }
    uint32_t come = barrier.arrived_without_waiting;
    for (const auto& w : worker.running)
      come += w->status == WarpStatus::kWaiting && w->barrier == warp->barrier ? kWarpSize : 0u;
    f->message = sentence(
        "warp {warp} waits forever at barrier {barrier} for {threads} threads, of which {come} "
        "have arrived; {others}",
        {{"warp", warp->index},
         {"barrier", warp->barrier},
         {"threads", barrier.expected_threads},
         {"come", come},
         {"others", other == nullptr ? sentence("the other warps have left the kernel")
                    : line == 0
                        ? sentence("the other warps wait at another one")
                        : sentence("the other warps wait at line {line}", {{"line", line}})}});
    f->cause = sentence(
        "the count of a named barrier must be the threads of all warps that meet there, arriving "
        "and waiting");
    break;
  }
  worker.block.failed = true;
  worker.launch->halt.store(true);
}

void note_different_barriers(Warp& warp, const MicroOp* op) {
  Finding* f = note_finding(warp, op, FindingKind::kDivergentBarrier, ptx::Space::kGeneric, "",
                            std::countr_zero(warp.mask));
  if (f == nullptr) return;
  f->other_who = place_of_lane(warp, std::countr_zero(warp.barrier_lanes));
  f->message = sentence("threads of one warp wait at different barriers");
  f->cause = sentence(
      "a __syncthreads() in each branch of an if: all threads of the block must reach the same "
      "one");
}

const MicroOp* wait_at_barrier(Warp& warp, const MicroOp* op, int barrier) {
  warp.barrier = barrier;
  warp.barrier_op = op;
  warp.barrier_lanes |= warp.mask;
  warp.top().pc = op + 1;
  warp.top().wait = Wait::kBarrier;
  return control::resume(warp);
}

namespace control {

const MicroOp* barrier(Warp& warp, const MicroOp* op) {
  BarrierUse use;
  const MicroOp* next = nullptr;
  if (!read_use(warp, op, use, next)) return next;
  if (op->flags & kArriveOnly) {
    arrive(warp, use.id);
    return op + 1;
  }
  if (op->flags & kReduce) gather_predicate(warp, op);
  if (warp.barrier_lanes != 0 &&
      (warp.barrier_op != op || warp.barrier != static_cast<int>(use.id))) {
    note_different_barriers(warp, op);
  }
  warp.barrier_turn = ++warp.block->barrier_turns;
  return wait_at_barrier(warp, op, static_cast<int>(use.id));
}

const MicroOp* barrier_result(Warp& warp, const MicroOp* op) {
  const BarrierOutcome& outcome = warp.barrier_outcome;
  if (static_cast<BarrierResult>(op->flags) == BarrierResult::kCount) {
    uint32_t* d = warp.reg<uint32_t>(op->d);
    for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1)
      d[std::countr_zero(rest)] = outcome.count;
    return op + 1;
  }
  const bool value =
      static_cast<BarrierResult>(op->flags) == BarrierResult::kAll ? outcome.all : outcome.any;
  uint32_t* d = warp.reg<uint32_t>(op->d);
  *d = value ? (*d | warp.mask) : (*d & ~warp.mask);
  return op + 1;
}

}  // namespace control
}  // namespace warpshop::emulator
