// Control flow of a warp: basic blocks, divergence and reconvergence, exits.
//
// Diverged lanes are paths (paths.h). If the sides of a branch could only reconverge at the end of
// the kernel, nothing waits: the sides replace the path as equals, so that lanes that exit early
// never hold up the others at a barrier.
#include "operations/control.h"

#include <algorithm>
#include <span>

#include "access/bulk_store.h"
#include "checks/note_finding.h"
#include "operations/barriers.h"
#include "operations/cluster_barrier.h"
#include "operations/paths.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"

namespace warpshop::emulator::control {
namespace {

const MicroOp* target_of(const MicroOp* op) { return op + static_cast<int32_t>(op->d); }
const MicroOp* reconvergence_of(const MicroOp* op) {
  return op->e == 0 ? nullptr : op + static_cast<int32_t>(op->e);
}

struct Side {
  uint32_t lanes = 0;
  const MicroOp* to = nullptr;
};

// Splits the running path into sides; the last one runs first. Lanes that are already at the
// reconvergence point wait in the path below.
const MicroOp* split(Warp& warp, const MicroOp* reconvergence, std::span<const Side> sides) {
  const Path parent = warp.top();
  if (reconvergence != nullptr && reconvergence != parent.reconvergence) {
    warp.top().pc = reconvergence;
  } else {
    reconvergence = parent.reconvergence;
    warp.paths.pop_back();
  }
  for (const Side& side : sides) {
    if (reconvergence != nullptr && side.to == reconvergence) continue;
    warp.paths.push_back(
        {.pc = side.to, .reconvergence = reconvergence, .mask = side.lanes, .frame = parent.frame});
  }
  return resume(warp);
}

const MicroOp* count_and_enter(Warp& warp, const MicroOp* op) {
  if (--warp.slice <= 0) {
    warp.pc = op;
    return nullptr;
  }
  BlockCount& count = warp.worker->counts[op->imm];
  ++count.warps;
  count.lanes += warp.active;
  warp.instructions += op->d;
  if (PathSink* path = warp.worker->path; path != nullptr) {
    path->on_block(warp.block->linear, warp.index, static_cast<uint32_t>(op->imm), warp.mask);
  }
  return op + 1;
}

}  // namespace

const MicroOp* enter_block(Warp& warp, const MicroOp* op) { return count_and_enter(warp, op); }

const MicroOp* enter_reconvergence_block(Warp& warp, const MicroOp* op) {
  while (warp.top().reconvergence == op) {
    // Lanes that exited meanwhile have already been removed from every path's mask.
    warp.paths.pop_back();
    if (warp.top().pc != op || warp.top().wait != Wait::kNothing) return resume(warp);
    set_mask(warp, warp.top().mask);
  }
  return count_and_enter(warp, op);
}

const MicroOp* branch(Warp&, const MicroOp* op) { return target_of(op); }

const MicroOp* branch_if(Warp& warp, const MicroOp* op) {
  uint32_t predicate = *warp.reg<uint32_t>(op->a);
  if (op->flags & 1u) predicate = ~predicate;
  const uint32_t taken = warp.mask & predicate;
  if (taken == warp.mask) return target_of(op);
  if (taken == 0) return op + 1;
  const uint32_t fallen = warp.mask & ~taken;
  const Side sides[] = {{taken, target_of(op)}, {fallen, op + 1}};
  return split(warp, reconvergence_of(op), sides);
}

const MicroOp* branch_indexed(Warp& warp, const MicroOp* op) {
  const auto& table = warp.worker->launch->program->branch_tables[op->imm];
  const uint32_t* index = warp.reg<uint32_t>(op->a);
  uint32_t left = warp.mask;
  std::vector<Side> sides;
  while (left != 0) {
    const uint32_t value = index[std::countr_zero(left)];
    uint32_t lanes = 0;
    for (uint32_t rest = left; rest != 0; rest &= rest - 1) {
      if (index[std::countr_zero(rest)] == value) lanes |= rest & (0u - rest);
    }
    left &= ~lanes;
    // An index past the table is undefined; the last entry keeps control inside the function.
    sides.push_back({lanes, op + table[std::min<size_t>(value, table.size() - 1)]});
  }
  if (sides.size() == 1) return sides[0].to;
  return split(warp, reconvergence_of(op), sides);
}

const MicroOp* leave(Warp& warp, uint32_t lanes) {
  warp.live &= ~lanes;
  warp.block->live_threads -= static_cast<uint32_t>(std::popcount(lanes));
  for (Path& path : warp.paths) path.mask &= ~lanes;
  if (warp.arrives) complete_arrivals(warp);
  if (!warp.block->bulk_stores.empty()) bulk_copy::finish_stores(warp, lanes);
  if (warp.block->cluster != nullptr) leave_cluster_barrier(warp);
  return resume(warp);
}

const MicroOp* exit_lanes(Warp& warp, const MicroOp*) { return leave(warp, warp.mask); }

const MicroOp* exit_guarded(Warp& warp, const MicroOp* op) {
  uint32_t predicate = *warp.reg<uint32_t>(op->a);
  if (op->flags & 1u) predicate = ~predicate;
  const uint32_t lanes = warp.mask & predicate;
  if (lanes == 0) return op + 1;
  warp.top().pc = op + 1;
  return leave(warp, lanes);
}

const MicroOp* trap(Warp& warp, const MicroOp* op) {
  if (Finding* f = note_finding(warp, op, FindingKind::kTrap, ptx::Space::kGeneric, "",
                                std::countr_zero(warp.mask),
                                static_cast<uint64_t>(std::popcount(warp.mask)))) {
    const Launch& launch = *warp.worker->launch;
    if (launch.program->asks_for_grid_workspace && !launch.config->cooperative) {
      f->message = sentence(
          "the thread executed a trap: this launch is not cooperative, and grid.sync() ends such a "
          "kernel");
      f->cause = sentence(
          "launch it cooperatively: warpshop run --cooperative, \"cooperative\": true in a spec, "
          "cooperative = true in an exercise; in a program cudaLaunchCooperativeKernel");
    } else {
      f->message = sentence("the thread executed a trap, which ends the kernel");
      f->cause = sentence("a __trap() in the kernel or in a function it calls");
    }
  }
  fail_launch(warp);
  return finish(warp);
}

}  // namespace warpshop::emulator::control
