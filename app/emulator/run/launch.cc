// A launch: schedules blocks onto emulation threads; the warps of a block take turns between
// barriers.
#include "emulator/launch.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "access/column_stores.h"
#include "analysis/source_place.h"
#include "checks/note_finding.h"
#include "checks/words.h"
#include "operations/barriers.h"
#include "operations/frame.h"
#include "operations/paths.h"
#include "operations/spin.h"
#include "run/atomics_in_turn.h"
#include "run/block_run.h"
#include "run/launch_result.h"
#include "run/order.h"
#include "run/suspended_blocks.h"
#include "shadows/pending_copies.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"
#include "state/regions.h"
#include "texture/sampler.h"

namespace warpshop::emulator {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t kRoundsPerBudget = 64;  // rounds end at barriers
constexpr uint64_t kBlocksPerCount = 64;
// Slice where lanes of a warp, or blocks, wait for each other in loops: longer ones are mostly
// wasted.
constexpr int kTurn = 256;

template <typename T>
Argument argument_of(T value) {
  Argument a;
  a.bytes.resize(sizeof value);
  std::memcpy(a.bytes.data(), &value, sizeof value);
  return a;
}

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
  warp.index = index;
  warp.block = &worker.block;
  warp.frames.assign(1, {.function = &kernel});
  enter_frame(warp, 0);
  std::fill(warp.local_written.begin(), warp.local_written.end(), uint8_t{0});
  warp.status = WarpStatus::kReady;
  warp.first_mask = threads == kWarpSize ? 0xffffffffu : (1u << threads) - 1;
  warp.live = warp.first_mask;
  warp.carry = 0;
  if (launch.program->alloca_base != 0) warp.alloca_bytes.fill(0);
  warp.sync_order = 0;
  warp.released = 0;
  warp.spins = false;
  warp.polls = false;
  warp.polled_barrier = false;
  warp.polled_turns = 0;
  warp.takes_turns = false;
  warp.barrier = -1;
  warp.barrier_lanes = 0;
  warp.barrier_op = nullptr;
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
  if (warp.paths.size() > 1 || warp.worker->launch->program->may_poll) end_slice_of_paths(warp);
}

void run_slice(Warp& warp) {
  EmulationThread& worker = *warp.worker;
  const int slice = worker.launch->slice_blocks;
  warp.slice = warp.takes_turns || warp.polls ? std::min(kTurn, slice) : slice;
  if (worker.order_state != 0) {
    worker.order_state = mixed(worker.order_state) | 1;
    warp.slice = 1 + static_cast<int>(worker.order_state >> 32) % warp.slice;
  }
  warp.polled_barrier = false;
  run_until_pause(warp);
  end_slice(warp);
}

// A slice ends at a block header, which has no source line; use the next instruction's.
const MicroOp* instruction_at(const Warp& warp) {
  const MicroOp* at = warp.pc;
  while (at != nullptr && at->instruction < 0 &&
         at < warp.function->code.data() + warp.function->code.size() - 1)
    ++at;
  return at;
}

// Reports lanes of a warp that wait for spinning lanes. False: there are none.
bool report_deadlock(EmulationThread& worker) {
  for (const auto& warp : worker.running) {
    const SpinDeadlock stuck = spin_deadlock_of(*warp);
    const MicroOp* at = instruction_at(*warp);
    if (stuck.waiting == 0 || at == nullptr) continue;
    Finding* f = note_finding(*warp, at, FindingKind::kDeadlock, ptx::Space::kGeneric, "",
                              std::countr_zero(stuck.spinning),
                              static_cast<uint64_t>(std::popcount(stuck.spinning)));
    if (f == nullptr) return true;
    f->other_who = place_of_lane(*warp, std::countr_zero(stuck.waiting));
    if (stuck.waiting_at.line > 0) f->other_place = stuck.waiting_at;
    f->message = sentence(
        "{spinning} threads of a warp spin in this loop forever; {waiting} threads of the same "
        "warp wait for them to leave it",
        {{"spinning", std::popcount(stuck.spinning)}, {"waiting", std::popcount(stuck.waiting)}});
    if (stuck.waiting_at.line > 0)
      f->message.then(sentence("at line {line}", {{"line", stuck.waiting_at.line}}), ", ");
    f->cause =
        worker.launch->options->limits.independent_threads
            ? never_set()
            : sentence(
                  "a lock or a flag between threads of one warp: before compute capability 7.0 the "
                  "thread that would open it does not run until the others leave the loop; put the "
                  "protected work inside the loop, or let one thread of the warp take the lock");
    return true;
  }
  return false;
}

void report_timeout(EmulationThread& worker, Warp& warp) {
  if (report_deadlock(worker)) return;
  const MicroOp* at = instruction_at(warp);
  Finding* f = at == nullptr ? nullptr
                             : note_finding(warp, at, FindingKind::kTimeout, ptx::Space::kGeneric,
                                            "", warp.mask == 0 ? 0 : std::countr_zero(warp.mask));
  if (f == nullptr) return;
  if (at->instruction >= 0) {
    f->place = nearest_place(*worker.launch->program->module, *warp.function->source,
                             static_cast<size_t>(at->instruction));
  }
  f->message = sentence(
      "stopped after {budget} thread instructions (32 for each instruction of a warp): the kernel "
      "did not end, and {thread} of {block} was here",
      {{"budget", count_words(worker.launch->options->instruction_budget)},
       {"thread", thread_words(f->who)},
       {"block", block_words(f->who.block)}});
  f->cause = sentence(
      "a loop whose condition never becomes false, or a problem that is too large: look at what "
      "changes the condition in each iteration");
  if (warp.polls && worker.suspended != nullptr) worker.suspended->add_other_loop(*f);
}

// Adds this thread's work to the launch's sum; false: the budget is spent or a stop was requested.
bool within_budget(EmulationThread& worker, Warp& warp) {
  Launch& launch = *worker.launch;
  // A warp costs the emulator the same however many of its lanes run, so it is charged for 32.
  uint64_t lanes = 0;
  for (size_t b = 0; b < worker.counts.size(); ++b) {
    lanes += kWarpSize * worker.counts[b].warps *
             launch.program->block_instructions[b].instructions.size();
  }
  const uint64_t sum =
      launch.lanes_executed.fetch_add(lanes - worker.counted_lanes) + lanes - worker.counted_lanes;
  worker.counted_lanes = lanes;
  if (launch.options->stop != nullptr && launch.options->stop->requested()) {
    launch.user_stopped.store(true);
    launch.halt.store(true);
    return false;
  }
  if (sum > launch.options->instruction_budget) {
    if (!launch.halt.exchange(true)) report_timeout(worker, warp);
    return false;
  }
  return true;
}

// Shuffles the order of the block's warps for the next round, if a seed was given.
void shuffle_turns(EmulationThread& worker) {
  if (worker.order_state == 0) return;
  for (size_t n = worker.running.size(); n > 1; --n) {
    worker.order_state = mixed(worker.order_state) | 1;
    std::swap(worker.running[n - 1], worker.running[(worker.order_state >> 1) % n]);
  }
}

// Called after a warp's slice. False: the block ends here.
bool end_turn(EmulationThread& worker, Warp& warp) {
  Launch& launch = *worker.launch;
  if (!warp.polls && launch.suspended_blocks.load(std::memory_order_relaxed) > 0)
    launch.progress.fetch_add(1, std::memory_order_relaxed);
  if (warp.status == WarpStatus::kReady && !within_budget(worker, warp)) return false;
  if (worker.launch->halt.load(std::memory_order_relaxed)) return false;
  if (!worker.turns.in_round && warp.status == WarpStatus::kDone) {
    worker.pool.push_back(std::move(worker.running.back()));
    worker.running.pop_back();
  }
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
      // Slices that end at barriers do not check the budget, so an endless loop with one needs
      // this.
      if (++worker.rounds % kRoundsPerBudget == 0 &&
          !within_budget(worker, *worker.running.front()))
        return nullptr;
      turns = {.started = turns.started, .in_round = true, .progress = release_barriers(worker)};
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
      report_stuck_barriers(worker);
      return nullptr;
    }
    if (worker.may_suspend && block_polls(worker)) {
      turns.waits = true;
      return nullptr;
    }
  }
}

// Blocks may wait for earlier blocks; printf text and the heap fill up in block order per thread.
bool needs_order(const DecodedProgram& program) {
  return program.may_poll || program.orders_blocks ||
         std::any_of(program.calls.begin(), program.calls.end(),
                     [](const CallSite& c) { return c.builtin >= 0; });
}

void run_blocks(EmulationThread& worker, WaitingBoard& board) {
  Launch& launch = *worker.launch;
  give_shared_memory(worker);
  const Order order(launch.total_blocks, launch.options->order_seed);
  uint64_t run = 0;
  SuspendedBlocks suspended(board, worker.index);
  worker.suspended = &suspended;
  const uint64_t most_resident = launch.program->may_poll ? resident_blocks(launch) : 1;
  WaitingTurns waiting(most_resident);
  worker.may_suspend = launch.program->may_poll;
  for (;;) {
    if (launch.halt.load(std::memory_order_relaxed)) return;
    uint64_t position = 0;
    const bool may_start = suspended.empty() ||
                           launch.suspended_blocks.load(std::memory_order_relaxed) < most_resident;
    if (may_start && schedule_next(worker, position)) {
      const std::vector<uint64_t>& sample = launch.options->blocks;
      const uint64_t number = order.at(position);
      start_block(worker, sample.empty() ? number : sample[number]);
    } else if (!suspended.empty()) {
      suspended.resume(worker);
      worker.waits_in_turn = false;
      launch.suspended_blocks.fetch_sub(1);
    } else {
      return;
    }
    run_block(worker);
    leave_turnstile(worker);
    if (worker.turns.waits && !launch.halt.load(std::memory_order_relaxed)) {
      suspended.suspend(worker);
      launch.suspended_blocks.fetch_add(1);
      if (waiting.is_deadlock(launch, suspended.size())) {
        suspended.resume_last(worker);
        const uint64_t unstarted = launch.total_blocks - launch.scheduler.started_in_order();
        if (!report_deadlock(worker)) suspended.report_deadlock(worker, unstarted, most_resident);
        worker.block.failed = true;
        launch.halt.store(true);
        return;
      }
      continue;
    }
    if (launch.suspended_blocks.load(std::memory_order_relaxed) > 0) launch.progress.fetch_add(1);
    if (worker.may_suspend && suspended.empty()) board.clear(worker.index);
    // A shared counter costs time: where the exact number is not needed, update it now and then.
    const bool counts_now = ++run % kBlocksPerCount == 0;
    const uint64_t fresh = worker.may_suspend ? 1 : counts_now ? kBlocksPerCount : 0;
    const uint64_t finished = fresh == 0 ? 0 : launch.finished_blocks.fetch_add(fresh) + fresh;
    if (!counts_now) continue;
    if (!worker.pool.empty() && !within_budget(worker, *worker.pool.back())) return;
    if (worker.index == 0 && launch.options->progress) {
      launch.options->progress(static_cast<double>(finished) /
                               static_cast<double>(launch.total_blocks));
    }
  }
}

void run_worker(EmulationThread& worker, WaitingBoard& board) {
  run_blocks(worker, board);
  leave_turnstile(worker);  // the thread may have ended early
}

}  // namespace

Argument Argument::pointer(DevicePointer p) { return argument_of(p); }
Argument Argument::i32(int32_t v) { return argument_of(v); }
Argument Argument::i64(int64_t v) { return argument_of(v); }
Argument Argument::f32(float v) { return argument_of(v); }
Argument Argument::f64(double v) { return argument_of(v); }

void start_block(EmulationThread& worker, uint64_t linear) {
  Launch& launch = *worker.launch;
  Block& block = worker.block;
  const Dim3& grid = launch.config->grid;
  block.linear = linear;
  block.index = {static_cast<uint32_t>(linear % grid.x),
                 static_cast<uint32_t>(linear / grid.x % grid.y),
                 static_cast<uint32_t>(linear / grid.x / grid.y)};
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
}

void finish_turn(EmulationThread& worker, Warp& warp) {
  run_until_pause(warp);
  end_slice(warp);
  if (end_turn(worker, warp)) run_block(worker);
}

std::unique_ptr<Warp> spare_warp(EmulationThread& worker) { return take_warp(worker); }

void place_shared_memory(EmulationThread& worker) { find_shared_regions(worker); }

void give_shared_memory(EmulationThread& worker) {
  const Launch& launch = *worker.launch;
  const bool reserved = launch.program->uses_reserved_shared;
  worker.block.shared.assign(
      reserved ? launch.reserved_shared_at + kReservedSharedBytes : launch.shared_bytes, 0);
  worker.block.shadow.configure(launch.shared_bytes, launch.program->shared_granule_bytes,
                                launch.program->sites.size(), launch.program->parts_wait);
  find_shared_regions(worker);
}

Result<LaunchResult> launch(const Program& program, DeviceMemory& memory,
                            const LaunchConfig& config, const LaunchOptions& options) {
  Launch launch;
  const Status prepared = prepare_launch(launch, program, memory, config, options);
  if (!prepared.ok()) return prepared.errors();
  const DecodedProgram& decoded = program.decoded();
  if (options.watch_global_races) watch_global_races(launch);

  int threads =
      options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency());
  threads = std::max(
      1, static_cast<int>(std::min<uint64_t>(static_cast<uint64_t>(threads), launch.total_blocks)));
  if (options.path != nullptr || options.fetches != nullptr || config.cooperative) threads = 1;
  std::vector<EmulationThread> workers(static_cast<size_t>(threads));
  for (int n = 0; n < threads; ++n) {
    EmulationThread& worker = workers[static_cast<size_t>(n)];
    prepare_worker(launch, worker, n);
    worker.path = options.path;
    worker.fetches = options.fetches;
    if (options.accesses != nullptr) worker.sink = options.accesses->make_sink(decoded.sites, n);
  }

  if (options.prints != nullptr) options.prints->start(config.grid, config.block);
  if (threads > 1) take_turns_at_atomics(launch, threads);
  launch.scheduler.begin(launch.total_blocks, threads,
                         needs_order(decoded) || !launch.in_turn.empty());
  const auto start = Clock::now();
  WaitingBoard board;
  std::vector<std::thread> helpers;
  for (int n = 1; n < threads; ++n)
    helpers.emplace_back(run_worker, std::ref(workers[static_cast<size_t>(n)]), std::ref(board));
  run_worker(workers[0], board);
  for (std::thread& t : helpers) t.join();

  LaunchResult result;
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  result.threads = threads;
  result.stopped = launch.user_stopped.load();
  result.completed = !launch.halt.load();
  keep_written(launch, memory);
  gather(launch, workers, result);
  return result;
}

}  // namespace warpshop::emulator
