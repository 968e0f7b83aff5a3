// The warps of a block take turns between barriers.
#include "run/block_run.h"

#include <algorithm>
#include <memory>

#include "access/column_stores.h"
#include "core/dim3.h"
#include "operations/barriers.h"
#include "operations/cluster_barrier.h"
#include "operations/frame.h"
#include "operations/spin.h"
#include "run/budget.h"
#include "run/order.h"
#include "run/suspended_blocks.h"
#include "shadows/pending_copies.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"
#include "state/memory_flags.h"
#include "state/regions.h"

namespace warpshop::emulator {
namespace {

constexpr uint32_t kRoundsPerBudget = 64;  // rounds end at barriers
// Slice where lanes of a warp, or blocks, wait for each other in loops: longer ones are mostly
// wasted.
constexpr int kTurn = 256;
// How often a block waits before it is looked at closely; far less than makes a deadlock.
constexpr uint32_t kWaitsPerLook = 32;

std::unique_ptr<Warp> take_warp(EmulationThread& worker) {
  if (!worker.pool.empty()) {
    std::unique_ptr<Warp> warp = std::move(worker.pool.back());
    worker.pool.pop_back();
    return warp;
  }
  const Launch& launch = *worker.launch;
  const DecodedFunction& kernel = launch.program->functions[0];
  auto warp = std::make_unique<Warp>();
  warp->worker = &worker;
  warp->registers.grow(kernel.frame_bytes + 64);
  warp->frame = warp->registers.data();
  warp->local_stride = launch.local_stride;
  warp->local.resize(size_t{launch.local_stride} * kWarpSize);
  warp->local_written.resize(warp->local.size());
  warp->params.resize(size_t{launch.param_stride} * kWarpSize);
  warp->function = &kernel;
  fill_constants(*warp, kernel);
  return warp;
}

void start_warp(EmulationThread& worker, Warp& warp, uint32_t index) {
  const Launch& launch = *worker.launch;
  const DecodedFunction& kernel = launch.program->functions[0];
  const uint32_t first = index * kWarpSize;
  const uint32_t threads = std::min<uint32_t>(kWarpSize, launch.threads_per_block - first);
  warp.instructions = 0;
  warp.index = index;
  warp.block = &worker.block;
  warp.frames.assign(1, {.function = &kernel});
  enter_frame(warp, 0);
  clear_unset(warp, kernel);
  std::fill(warp.local_written.begin(), warp.local_written.end(), uint8_t{0});
  warp.status = WarpStatus::kReady;
  warp.first_mask = threads == kWarpSize ? 0xffffffffu : (1u << threads) - 1;
  warp.live = warp.first_mask;
  warp.carry = 0;
  if (launch.program->alloca_base != 0) warp.alloca_bytes.fill(0);
  warp.sync_order = 0;
  warp.known_arrivals = 0;
  warp.released = 0;
  warp.spins = false;
  warp.polls = false;
  warp.polled_barrier = false;
  warp.polled_object = nullptr;
  warp.polled_turns = 0;
  warp.takes_turns = false;
  warp.cut_short = false;
  warp.barrier = -1;
  warp.barrier_lanes = 0;
  warp.barrier_op = nullptr;
  warp.cluster_lanes = 0;
  warp.cluster_arrived = false;
  warp.cluster_arrivals = warp.cluster_waits = 0;
  if (warp.arrives) warp.arrived_lanes.fill(0);
  warp.arrives = false;
  warp.watch = worker.watch != nullptr && index == worker.watched_warp ? worker.watch : nullptr;
  warp.undefined.reset();
  warp.pc = kernel.code.data();
  warp.paths.clear();
  Path& whole = warp.paths.emplace_back();
  whole.pc = warp.pc;
  whole.mask = warp.first_mask;
  set_mask(warp, warp.first_mask);
  fill_specials(warp, kernel);
}

void end_slice(Warp& warp) {
  warp.polls = false;
  if (warp.slice > 0 || warp.status != WarpStatus::kReady) {
    warp.polled_turns = 0;
    return;
  }
  // To find out whether it polls, it would run on.
  warp.cut_short = warp.cut_short && !warp.polled_barrier;
  if (warp.cut_short) return;
  if (warp.paths.size() > 1 || warp.worker->launch->program->may_poll) end_slice_of_paths(warp);
}

// The next of the numbers that a seed begins.
uint64_t next_number(EmulationThread& worker) {
  return worker.order_state = mixed(worker.order_state) | 1;
}

// With a seed: three of four slices are cut short, to a few basic blocks and a few of the accesses
// by which threads meet, since what threads do between a wait and the store that ends another's
// wait takes few.
void shuffle_slice(EmulationThread& worker, Warp& warp) {
  constexpr int kBlocks = 8;
  constexpr uint32_t kMeetings = 3;
  const uint64_t number = next_number(worker);
  warp.cut_short = number >> 62 != 0;
  if (warp.cut_short) warp.slice = std::min(warp.slice, kBlocks);
  warp.slice = 1 + static_cast<int>(number >> 32 & 0x7fffffff) % warp.slice;
  warp.meetings = 1 + static_cast<uint32_t>(number >> 16 & 0xffff) % kMeetings;
}

// True for an access that others may wait for or look at: an atomic, a volatile or ordered one.
bool meets_others(const DecodedProgram& program, const MicroOp* op) {
  if (op->site == kNoSite) return false;
  const AccessKind kind = program.sites[op->site].kind;
  return kind == AccessKind::kAtomic || kind == AccessKind::kReduction ||
         (op->flags & (kStrong | kVolatile)) != 0;
}

// Runs a slice that a seed has cut short: it also ends in the middle of a basic block, before such
// an access.
void run_until_meeting(Warp& warp) {
  const DecodedProgram& program = *warp.worker->launch->program;
  const MicroOp* op = warp.pc;
  while (op != nullptr) {
    if (meets_others(program, op) && warp.meetings-- == 0) {
      warp.pc = op;
      warp.slice = 0;
      break;
    }
    if (warp.watch != nullptr) warp.watch->before(warp, op);
    op = op->run(warp, op);
  }
  if (warp.watch != nullptr) warp.watch->paused(warp);
}

void run_turn(Warp& warp) { warp.cut_short ? run_until_meeting(warp) : run_until_pause(warp); }

void run_slice(Warp& warp) {
  EmulationThread& worker = *warp.worker;
  const int slice = worker.launch->slice_blocks;
  const bool shuffled = worker.order_state != 0;
  warp.slice = warp.takes_turns || warp.polls || shuffled ? std::min(kTurn, slice) : slice;
  if (shuffled) shuffle_slice(worker, warp);
  warp.polled_barrier = false;
  const uint64_t before = warp.instructions;
  run_turn(warp);
  end_slice(warp);
  if (warp.polls) warp.instructions = before;
}

// Shuffles the order of the block's warps for the next round, if a seed was given.
void shuffle_turns(EmulationThread& worker) {
  if (worker.order_state == 0) return;
  for (size_t n = worker.running.size(); n > 1; --n)
    std::swap(worker.running[n - 1], worker.running[(next_number(worker) >> 1) % n]);
}

// Called after a warp's slice. False: the block ends here.
bool end_turn(EmulationThread& worker, Warp& warp) {
  Launch& launch = *worker.launch;
  const bool busy = !warp.polls && !warp.cut_short;
  if (busy) ++worker.busy_turns;
  if (busy && launch.suspended_blocks.load(std::memory_order_relaxed) > 0)
    launch.progress.fetch_add(1, std::memory_order_relaxed);
  if (warp.status == WarpStatus::kReady && !within_budget(worker, warp)) return false;
  if (worker.launch->halt.load(std::memory_order_relaxed)) return false;
  if (!worker.turns.in_round && warp.status == WarpStatus::kDone) {
    worker.pool.push_back(std::move(worker.running.back()));
    worker.running.pop_back();
  }
  return true;
}

// True if a warp that seems to wait only makes its way through memory that nobody changes.
bool any_warp_walks(EmulationThread& worker) {
  bool walks = false;
  for (const auto& warp : worker.running) {
    const bool in_loop = warp->status == WarpStatus::kReady && !warp->polled_barrier &&
                         warp->polled_object == nullptr;
    walks = (in_loop && walks_through_memory(*warp)) || walks;
  }
  return walks;
}

// With a seed, a block gives way to others in the middle of its work: often at first, and less and
// less, since keeping a block's memory takes time.
bool gives_way(EmulationThread& worker) {
  const bool cut_short = std::any_of(worker.running.begin(), worker.running.end(),
                                     [](const std::unique_ptr<Warp>& warp) {
                                       return warp->status == WarpStatus::kReady && warp->cut_short;
                                     });
  if (!cut_short || worker.launch->total_blocks == 1) return false;
  const uint64_t suspended = worker.launch->suspended_blocks.load(std::memory_order_relaxed);
  if (worker.launch->program->may_poll && suspended >= kMostGivenWay) return false;
  if ((next_number(worker) >> 1) % (1 + worker.turns.gave_way / 4) != 0) return false;
  ++worker.turns.gave_way;
  for (const std::unique_ptr<Warp>& warp : worker.running) warp->cut_short = false;
  return true;
}

// The warp whose slice comes next; nullptr: the block has ended.
Warp* next_turn(EmulationThread& worker) {
  Turns& turns = worker.turns;
  // Without barriers a warp runs to its end before the next starts: its registers stay in the
  // cache.
  if (turns.started < worker.launch->warps_per_block) {
    worker.running.push_back(take_warp(worker));
    const Launch& launch = *worker.launch;
    const uint64_t seed = launch.options->order_seed;
    const Order order(launch.warps_per_block,
                      seed == 0 ? 0 : mixed(seed + worker.block.linear) | 1);
    start_warp(worker, *worker.running.back(), static_cast<uint32_t>(order.at(turns.started++)));
    return worker.running.back().get();
  }
  for (;;) {
    if (!turns.in_round) {
      if (worker.running.empty()) return nullptr;
      if (worker.may_suspend && gives_way(worker)) {
        turns.waits = true;
        return nullptr;
      }
      // Slices that end at barriers do not check the budget, so an endless loop with one needs
      // this.
      if (++worker.rounds % kRoundsPerBudget == 0 &&
          !within_budget(worker, *worker.running.front()))
        return nullptr;
      turns = {.started = turns.started,
               .in_round = true,
               .progress = release_barriers(worker),
               .waited = turns.waited,
               .gave_way = turns.gave_way};
      shuffle_turns(worker);
    }
    while (turns.at < worker.running.size()) {
      Warp& warp = *worker.running[turns.at++];
      if (warp.status != WarpStatus::kReady) continue;
      turns.progress = true;
      return &warp;
    }
    turns.in_round = false;
    std::erase_if(worker.running, [&](std::unique_ptr<Warp>& warp) {
      if (warp->status != WarpStatus::kDone) return false;
      worker.pool.push_back(std::move(warp));
      return true;
    });
    if (!turns.progress && !worker.running.empty()) {
      if (worker.block.cluster != nullptr && waits_for_cluster(worker)) {
        turns.waits = true;
        return nullptr;
      }
      report_stuck_barriers(worker);
      return nullptr;
    }
    if (worker.may_suspend && block_polls(worker)) {
      if (++turns.waited % kWaitsPerLook == 0 && any_warp_walks(worker)) {
        ++worker.busy_turns;
        worker.launch->progress.fetch_add(1, std::memory_order_relaxed);
        continue;
      }
      turns.waits = true;
      return nullptr;
    }
  }
}

}  // namespace

void start_block(EmulationThread& worker, uint64_t linear) {
  Launch& launch = *worker.launch;
  Block& block = worker.block;
  block.linear = linear;
  block.index = index_in(launch.grid, linear);
  block.live_threads = launch.threads_per_block;
  block.failed = false;
  block.may_follow_others = block.has_loaded_stored = false;
  if (launch.program->uses_reserved_shared) {
    std::fill(block.shared.begin() + launch.reserved_shared_at, block.shared.end(), uint8_t{0});
  }
  block.shadow.start_block(!launch.options->limits.independent_threads);
  block.global_shadow.start_block();
  if (block.pending_copies) block.pending_copies->clear();
  if (launch.program->has_barrier) block.barriers = {};
  block.bulk_copies.clear();
  block.arrived_copies.clear();
  block.arrivals = 0;
  block.bulk_stores.clear();
  block.bulk_groups.clear();
  block.products.clear();
  block.product_groups.clear();
  if (launch.program->reads_past_stores) block.proxy_writes.start_block();
  block.arrived_at = 0;
  block.barrier_turns = 0;
  worker.identity = {.block = block.index, .linear_block = linear};
  worker.turns = {};
  const uint64_t seed = launch.options->order_seed;
  worker.order_state = seed == 0 ? 0 : mixed(seed ^ mixed(linear)) | 1;
}

void run_block(EmulationThread& worker) {
  while (Warp* warp = next_turn(worker)) {
    run_slice(*warp);
    if (!end_turn(worker, *warp)) break;
  }
  flush_columns(worker);
  if (worker.turns.waits) return;
  for (auto& warp : worker.running) worker.pool.push_back(std::move(warp));
  worker.running.clear();
  if (worker.sink != nullptr) worker.sink->on_block_end(worker.identity.linear_block);
}

void finish_turn(EmulationThread& worker, Warp& warp) {
  run_turn(warp);
  end_slice(warp);
  if (end_turn(worker, warp)) run_block(worker);
}

std::unique_ptr<Warp> spare_warp(EmulationThread& worker) { return take_warp(worker); }

void place_shared_memory(EmulationThread& worker) { find_shared_regions(worker); }

void set_up_block(EmulationThread& worker) {
  const Launch& launch = *worker.launch;
  const bool reserved = launch.program->uses_reserved_shared;
  worker.block.shared.assign(
      reserved ? launch.reserved_shared_at + kReservedSharedBytes : launch.shared_bytes, 0);
  worker.block.shadow.configure(launch.shared_bytes, launch.program->shared_granule_bytes,
                                launch.program->sites.size(), launch.program->parts_wait);
  worker.block.global_shadow.configure(launch.program->global_granule_bytes);
  if (launch.program->reads_past_stores) worker.block.proxy_writes.configure(launch.shared_bytes);
  find_shared_regions(worker);
}

}  // namespace warpshop::emulator
