// A launch: schedules blocks onto emulation threads.
#include "emulator/launch.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "run/atomics_in_turn.h"
#include "run/block_run.h"
#include "run/budget.h"
#include "run/cluster_run.h"
#include "run/launch_limits.h"
#include "run/launch_result.h"
#include "run/order.h"
#include "run/suspended_blocks.h"
#include "state/emulation_thread.h"
#include "state/launch_state.h"
#include "texture/sampler.h"

namespace warpshop::emulator {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint64_t kBlocksPerCount = 64;

template <typename T>
Argument argument_of(T value) {
  Argument a;
  a.bytes.resize(sizeof value);
  std::memcpy(a.bytes.data(), &value, sizeof value);
  return a;
}

// Blocks may wait for earlier blocks; printf text and the heap fill up in block order per thread.
bool needs_order(const DecodedProgram& program) {
  return program.may_poll || program.orders_blocks || program.has_volatile ||
         std::any_of(program.calls.begin(), program.calls.end(),
                     [](const CallSite& c) { return c.builtin >= 0; });
}

// About 60,000 tries each.
constexpr uint32_t kMostWaitsForItself = 128;

// The worker's block has only waited. True if that was, time and again, at its own mbarrier
// objects: no other block can end the wait, and its own threads would have.
bool waits_for_itself(EmulationThread& worker) {
  Block& block = worker.block;
  const bool at_objects = std::all_of(
      worker.running.begin(), worker.running.end(), [](const std::unique_ptr<Warp>& warp) {
        return warp->status != WarpStatus::kReady || warp->polled_object != nullptr;
      });
  if (!at_objects || block.busy_turns != worker.busy_turns) block.waits_for_itself = 0;
  block.busy_turns = worker.busy_turns;
  return at_objects && ++block.waits_for_itself > kMostWaitsForItself;
}

void run_blocks(EmulationThread& worker, WaitingBoard& board) {
  Launch& launch = *worker.launch;
  set_up_block(worker);
  const Order order(launch.total_blocks, launch.options->order_seed);
  uint64_t run = 0;
  SuspendedBlocks suspended(board, worker.index);
  worker.suspended = &suspended;
  const uint64_t most_resident = launch.program->may_poll    ? resident_blocks(launch)
                                 : blocks_take_turns(launch) ? kMostGivenWay
                                                             : 1;
  WaitingTurns waiting(most_resident);
  worker.may_suspend = blocks_take_turns(launch);
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
      const bool for_itself = waits_for_itself(worker);
      suspended.suspend(worker);
      launch.suspended_blocks.fetch_add(1);
      if (for_itself || waiting.is_deadlock(launch, suspended.size())) {
        suspended.resume_last(worker);
        const uint64_t unstarted =
            for_itself ? 0 : launch.total_blocks - launch.scheduler.started_in_order();
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

void expect_several_threads(Launch& launch) {
  for (const std::unique_ptr<GlobalShadow>& shadow : launch.shadows)
    shadow->expect_several_threads();
  for (const BoundTexture& texture : launch.textures) {
    if (texture.shadow) texture.shadow->expect_several_threads();
  }
}

void run_worker(EmulationThread& worker, WaitingBoard& board) {
  if (worker.launch->in_clusters) {
    run_clusters(worker, board);
  } else {
    run_blocks(worker, board);
  }
  leave_turnstile(worker);  // the thread may have ended early
}

}  // namespace

Argument Argument::pointer(DevicePointer p) { return argument_of(p); }
Argument Argument::i32(int32_t v) { return argument_of(v); }
Argument Argument::i64(int64_t v) { return argument_of(v); }
Argument Argument::f32(float v) { return argument_of(v); }
Argument Argument::f64(double v) { return argument_of(v); }

bool runs_in_clusters(const Program& program, const LaunchConfig& config) {
  const DecodedProgram& decoded = program.decoded();
  return cluster_of(decoded, config).count() > 1 || decoded.meets_cluster || decoded.maps_cluster;
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
      1, static_cast<int>(std::min<uint64_t>(static_cast<uint64_t>(threads), launch.positions)));
  if (options.path != nullptr || options.fetches != nullptr || config.cooperative ||
      launch.grid_shadow != nullptr || (options.order_seed != 0 && blocks_take_turns(launch)))
    threads = 1;  // the order of blocks is part of the result
  launch.emulation_threads = threads;
  launch.stores.begin(threads);
  if (threads > 1) expect_several_threads(launch);
  std::vector<EmulationThread> workers(static_cast<size_t>(threads));
  for (int n = 0; n < threads; ++n) {
    EmulationThread& worker = workers[static_cast<size_t>(n)];
    prepare_worker(launch, worker, n);
    worker.path = options.path;
    worker.fetches = options.fetches;
    if (options.accesses != nullptr) worker.sink = options.accesses->make_sink(decoded.sites, n);
  }

  if (options.prints != nullptr) options.prints->start(launch.grid, config.block);
  if (threads > 1) take_turns_at_atomics(launch, threads);
  launch.scheduler.begin(launch.positions, threads,
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
  result.blocks_raced = launch.blocks_raced.load();
  result.completed = !launch.halt.load();
  keep_written(launch, memory);
  gather(launch, workers, result);
  return result;
}

}  // namespace warpshop::emulator
