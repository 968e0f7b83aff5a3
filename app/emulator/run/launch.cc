// A launch: blocks are dealt to emulation threads, the warps of a block take turns between barriers.
#include "emulator/launch.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "checks/source_place.h"
#include "checks/words.h"
#include "run/barriers.h"
#include "run/block_run.h"
#include "run/frame.h"
#include "run/launch_limits.h"
#include "run/launch_result.h"
#include "memory/access_check.h"
#include "memory/column_stores.h"
#include "memory/kernel_bytes.h"
#include "memory/pending_copies.h"
#include "run/launch_state.h"
#include "run/order.h"
#include "run/parking.h"
#include "run/paths.h"
#include "run/spin.h"
#include "texture/sampler.h"
#include "texture/texture_races.h"
#include "run/warp.h"

namespace warpshop::emulator {
namespace {

using Clock = std::chrono::steady_clock;

// Basic blocks that a warp runs before another takes its turn: some tens of microseconds, so that a stop is
// heard soon and a warp that waits for another in a loop lets it run. Of a small budget of thread instructions, a slice
// of four instructions a block takes a sixteenth at most, so that its end is heard soon, too.
constexpr int kSlice = 4096;
constexpr int kLeastSlice = 64;
constexpr uint32_t kRoundsPerBudget = 64;  // a barrier ends a round
constexpr uint64_t kBlocksPerCount = 64;
int slice_for(uint64_t budget) {
  return static_cast<int>(std::clamp<uint64_t>(budget / (16 * 4 * kWarpSize), kLeastSlice, kSlice));
}
// Where lanes of one warp, or blocks, wait for each other in loops, a long slice is mostly spent in vain.
constexpr int kTurn = 256;

template <typename T>
Argument argument_of(T value) {
  Argument a;
  a.bytes.resize(sizeof value);
  std::memcpy(a.bytes.data(), &value, sizeof value);
  return a;
}

void build_regions(Launch& launch, DeviceMemory& memory) {
  const DecodedProgram& program = *launch.program;
  launch.globals = program.global_image;
  let_kernels_race(launch.globals.data(), launch.globals.size());
  for (const DecodedProgram::GlobalVariable& v : program.global_variables) {
    launch.regions.push_back({.base = kModuleGlobals + v.offset,
                              .size_bytes = v.size_bytes,
                              .data = launch.globals.data() + v.offset,
                              .name = v.name.c_str()});
  }
  for (const DeviceMemory::Allocation& a : memory.allocations()) {
    let_kernels_race(a.data, a.size_bytes);
    let_kernels_race(a.written, a.size_bytes);
    launch.regions.push_back({.base = a.base,
                              .size_bytes = a.size_bytes,
                              .data = a.data,
                              .written = a.written,
                              .name = a.name.c_str(),
                              .element_bytes = a.element_bytes});
  }
  if (launch.config->cooperative) {
    launch.regions.push_back({.base = kGridWorkspace,
                              .size_bytes = sizeof launch.grid_workspace,
                              .data = reinterpret_cast<uint8_t*>(launch.grid_workspace.data()),
                              .name = "the grid's barrier"});
  }
  std::sort(launch.regions.begin(), launch.regions.end(),
            [](const Region& a, const Region& b) { return a.base < b.base; });
}

// Finds the buffer of each site's pointer: of the parameters that went into its address, the one that points to a
// buffer; others are lengths and strides. Two that do leave it open, as where a kernel swaps its buffers.
void find_home_regions(Launch& launch) {
  const DecodedProgram& program = *launch.program;
  launch.home_of_site.assign(program.sites.size(), nullptr);
  for (size_t s = 0; s < program.sites.size(); ++s) {
    const Region*& home = launch.home_of_site[s];
    bool several = false;
    for (uint64_t rest = program.homes[s].params; rest != 0; rest &= rest - 1) {
      uint64_t pointer = 0;
      std::memcpy(&pointer, launch.params.data() + program.params[static_cast<size_t>(std::countr_zero(rest))].offset_bytes, 8);
      const Region* region = launch.find(pointer, 1);
      if (region == nullptr) continue;
      several = several || (home != nullptr && home != region);
      home = region;
    }
    if (several) home = nullptr;
  }
}

// Watches the buffers that the kernel may store to.
void build_shadows(Launch& launch) {
  const DecodedProgram& program = *launch.program;
  const bool blocks_may_race = !program.orders_blocks && launch.total_blocks > 1;
  const bool warps_may_race = !program.orders_warps && launch.warps_per_block > 1;
  if (!blocks_may_race && !warps_may_race) return;
  std::vector<bool> stored(launch.regions.size(), false);
  std::vector<bool> loaded(launch.regions.size(), false);
  for (size_t s = 0; s < program.sites.size(); ++s) {
    const AccessSite& site = program.sites[s];
    if (site.space != ptx::Space::kGlobal && site.space != ptx::Space::kGeneric) continue;
    // An atomic is no plain load: atomics among themselves do not race.
    std::vector<bool>& touched = site.kind == AccessKind::kLoad ? loaded : stored;
    const Region* region = launch.home_of_site[s];
    for (size_t r = 0; r < launch.regions.size(); ++r) {
      if (region == nullptr || region == &launch.regions[r]) touched[r] = true;
    }
  }
  for (const BoundTexture& texture : launch.textures) {
    if (texture.object->array >= 0) continue;
    const Region* region = launch.find(texture.object->base, 1);
    if (region != nullptr) loaded[static_cast<size_t>(region - launch.regions.data())] = true;
  }
  for (size_t r = 0; r < launch.regions.size(); ++r) {
    Region& region = launch.regions[r];
    if (!stored[r]) continue;
    region.watch_warps = warps_may_race && (loaded[r] || region.size_bytes <= kMaxStoredOnlyBytes);
    if (!blocks_may_race || region.size_bytes > kMaxWatchedBytes) continue;
    launch.shadows.push_back(std::make_unique<GlobalShadow>(region.size_bytes, program.global_granule_bytes, loaded[r]));
    region.shadow = launch.shadows.back().get();
    region.stores_may_wait = !loaded[r] && !region.watch_warps;
  }
}

// tid.x, tid.y, tid.z of every warp of a block.
std::vector<uint8_t> thread_indices(const Dim3& block, uint32_t warps) {
  std::vector<uint8_t> out(size_t{384} * warps);
  for (uint32_t w = 0; w < warps; ++w) {
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const uint32_t t = w * kWarpSize + lane;
      const uint32_t index[3] = {t % block.x, t / block.x % block.y, t / block.x / block.y};
      for (int axis = 0; axis < 3; ++axis) std::memcpy(out.data() + 384 * w + 128 * axis + 4 * lane, &index[axis], 4);
    }
  }
  return out;
}

std::unique_ptr<Warp> take_warp(Worker& worker) {
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

void start_warp(Worker& worker, Warp& warp, uint32_t index) {
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
  Worker& worker = *warp.worker;
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

// The slice ends at a block header, which belongs to no instruction: the one behind it tells the line.
const MicroOp* instruction_at(const Warp& warp) {
  const MicroOp* at = warp.pc;
  while (at != nullptr && at->instruction < 0 && at < warp.function->code.data() + warp.function->code.size() - 1) ++at;
  return at;
}

// Says so when lanes of a warp wait for lanes that spin. False: none do.
bool report_deadlock(Worker& worker) {
  for (const auto& warp : worker.running) {
    const SpinDeadlock stuck = spin_deadlock_of(*warp);
    const MicroOp* at = instruction_at(*warp);
    if (stuck.waiting == 0 || at == nullptr) continue;
    Finding* f = note_finding(*warp, at, FindingKind::kDeadlock, ptx::Space::kGeneric, "", std::countr_zero(stuck.spinning),
                              static_cast<uint64_t>(std::popcount(stuck.spinning)));
    if (f == nullptr) return true;
    f->other_who = place_of_lane(*warp, std::countr_zero(stuck.waiting));
    if (stuck.waiting_at.line > 0) f->other_place = stuck.waiting_at;
    f->message = sentence(
        "{spinning} threads of a warp spin in this loop forever; {waiting} threads of the same warp wait for them to leave it",
        {{"spinning", std::popcount(stuck.spinning)}, {"waiting", std::popcount(stuck.waiting)}});
    if (stuck.waiting_at.line > 0) f->message.then(sentence("at line {line}", {{"line", stuck.waiting_at.line}}), ", ");
    f->cause = worker.launch->options->limits.independent_threads
                   ? never_set()
                   : sentence(
                         "a lock or a flag between threads of one warp: before compute capability 7.0 the thread that would "
                         "open it does not run until the others leave the loop; put the protected work inside the loop, or "
                         "let one thread of the warp take the lock");
    return true;
  }
  return false;
}

void report_timeout(Worker& worker, Warp& warp) {
  if (report_deadlock(worker)) return;
  const MicroOp* at = instruction_at(warp);
  Finding* f = at == nullptr ? nullptr
                             : note_finding(warp, at, FindingKind::kTimeout, ptx::Space::kGeneric, "",
                                            warp.mask == 0 ? 0 : std::countr_zero(warp.mask));
  if (f == nullptr) return;
  if (at->instruction >= 0) {
    f->place = nearest_place(*worker.launch->program->module, *warp.function->source, static_cast<size_t>(at->instruction));
  }
  f->message = sentence(
      "stopped after {budget} thread instructions (32 for each instruction of a warp): the kernel did not end, and {thread} of "
      "{block} was here",
      {{"budget", count_words(worker.launch->options->instruction_budget)},
       {"thread", thread_words(f->who)},
       {"block", block_words(f->who.block)}});
  f->cause = sentence("a loop whose condition never becomes false, or a problem that is too large: look at what changes the condition in each iteration");
  if (warp.polls && worker.parking != nullptr) worker.parking->tell_other_loop(*f);
}

// Adds what this thread has executed to the launch's sum; false: the budget is spent or a stop was asked for.
bool within_budget(Worker& worker, Warp& warp) {
  Launch& launch = *worker.launch;
  // A warp costs the emulator the same however many of its lanes run: it is charged for 32.
  uint64_t lanes = 0;
  for (size_t b = 0; b < worker.counts.size(); ++b) {
    lanes += kWarpSize * worker.counts[b].warps * launch.program->block_instructions[b].instructions.size();
  }
  const uint64_t sum = launch.lanes_executed.fetch_add(lanes - worker.counted_lanes) + lanes - worker.counted_lanes;
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

// The next turn's order of the block's warps, where the order is to be shuffled.
void shuffle_turns(Worker& worker) {
  if (worker.order_state == 0) return;
  for (size_t n = worker.running.size(); n > 1; --n) {
    worker.order_state = mixed(worker.order_state) | 1;
    std::swap(worker.running[n - 1], worker.running[(worker.order_state >> 1) % n]);
  }
}

// After a warp's slice. False: the block ends here.
bool end_turn(Worker& worker, Warp& warp) {
  Launch& launch = *worker.launch;
  if (!warp.polls && launch.parked_blocks.load(std::memory_order_relaxed) > 0) launch.progress.fetch_add(1, std::memory_order_relaxed);
  if (warp.status == WarpStatus::kReady && !within_budget(worker, warp)) return false;
  if (worker.launch->halt.load(std::memory_order_relaxed)) return false;
  if (!worker.turns.in_round && warp.status == WarpStatus::kDone) {
    worker.pool.push_back(std::move(worker.running.back()));
    worker.running.pop_back();
  }
  return true;
}

// Whose slice comes next; nullptr: the block has come to its end.
Warp* next_turn(Worker& worker) {
  Turns& turns = worker.turns;
  // Without barriers a warp runs to its end before the next is made: its registers stay in the cache.
  if (turns.started < worker.launch->warps_per_block) {
    worker.running.push_back(take_warp(worker));
    const Launch& launch = *worker.launch;
    const uint64_t seed = launch.options->order_seed;
    const Order order(launch.warps_per_block, seed == 0 ? 0 : mixed(seed + worker.block.linear) | 1);
    start_warp(worker, *worker.running.back(), static_cast<uint32_t>(order.at(turns.started++)));
    return worker.running.back().get();
  }
  for (;;) {
    if (!turns.in_round) {
      if (worker.running.empty()) return nullptr;
      // Slices that end at barriers ask for no budget: an endless loop with one would never end.
      if (++worker.rounds % kRoundsPerBudget == 0 && !within_budget(worker, *worker.running.front())) return nullptr;
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
    if (worker.may_park && block_polls(worker)) {
      turns.waits = true;
      return nullptr;
    }
  }
}

// Blocks may wait for blocks before them; each thread's printf text and the heap fill up in the order of its blocks.
bool needs_order(const DecodedProgram& program) {
  return program.may_poll || program.orders_blocks ||
         std::any_of(program.calls.begin(), program.calls.end(), [](const CallSite& c) { return c.builtin >= 0; });
}

void run_blocks(Worker& worker, WaitingBoard& board) {
  Launch& launch = *worker.launch;
  give_shared_memory(worker);
  const Order order(launch.total_blocks, launch.options->order_seed);
  uint64_t run = 0;
  Parking parking(board, worker.index);
  worker.parking = &parking;
  const uint64_t most_resident = launch.program->may_poll ? resident_blocks(launch) : 1;
  WaitingTurns waiting(most_resident);
  worker.may_park = launch.program->may_poll;
  for (;;) {
    if (launch.halt.load(std::memory_order_relaxed)) return;
    uint64_t turn = 0;
    const bool may_begin = parking.empty() || launch.parked_blocks.load(std::memory_order_relaxed) < most_resident;
    if (may_begin && deal_in_turn(worker, turn)) {
      const std::vector<uint64_t>& sample = launch.options->blocks;
      const uint64_t position = order.at(turn);
      start_block(worker, sample.empty() ? position : sample[position]);
    } else if (!parking.empty()) {
      parking.resume(worker);
      worker.waits_in_turn = false;
      launch.parked_blocks.fetch_sub(1);
    } else {
      return;
    }
    run_block(worker);
    leave_turnstile(worker);
    if (worker.turns.waits && !launch.halt.load(std::memory_order_relaxed)) {
      parking.park(worker);
      launch.parked_blocks.fetch_add(1);
      if (waiting.in_vain(launch, parking.size())) {
        parking.resume_last(worker);
        const uint64_t unstarted = launch.total_blocks - launch.dealing.begun_in_order();
        if (!report_deadlock(worker)) parking.report_deadlock(worker, unstarted, most_resident);
        worker.block.failed = true;
        launch.halt.store(true);
        return;
      }
      continue;
    }
    if (launch.parked_blocks.load(std::memory_order_relaxed) > 0) launch.progress.fetch_add(1);
    if (worker.may_park && parking.empty()) board.clear(worker.index);
    // Threads that count together wait for each other: where nobody needs each single block, they do so now and then.
    const bool counts_now = ++run % kBlocksPerCount == 0;
    const uint64_t fresh = worker.may_park ? 1 : counts_now ? kBlocksPerCount : 0;
    const uint64_t finished = fresh == 0 ? 0 : launch.finished_blocks.fetch_add(fresh) + fresh;
    if (!counts_now) continue;
    if (!worker.pool.empty() && !within_budget(worker, *worker.pool.back())) return;
    if (worker.index == 0 && launch.options->progress) {
      launch.options->progress(static_cast<double>(finished) / static_cast<double>(launch.total_blocks));
    }
  }
}

void run_worker(Worker& worker, WaitingBoard& board) {
  run_blocks(worker, board);
  leave_turnstile(worker);   // it may have ended early
}

}  // namespace

Argument Argument::pointer(DevicePointer p) { return argument_of(p); }
Argument Argument::i32(int32_t v) { return argument_of(v); }
Argument Argument::i64(int64_t v) { return argument_of(v); }
Argument Argument::f32(float v) { return argument_of(v); }
Argument Argument::f64(double v) { return argument_of(v); }

const Region* Launch::find(uint64_t address, uint64_t bytes) const {
  auto after = std::upper_bound(regions.begin(), regions.end(), address,
                                [](uint64_t value, const Region& r) { return value < r.base; });
  if (after == regions.begin()) return nullptr;
  const Region& r = *std::prev(after);
  return holds(r, address, bytes) ? &r : nullptr;
}

const Region* Launch::nearest(uint64_t address) const {
  const Region* best = nullptr;
  uint64_t best_distance = ~uint64_t{0};
  for (const Region& r : regions) {
    const uint64_t end = r.base + r.size_bytes;
    const uint64_t distance = address < r.base ? r.base - address : address >= end ? address - end : 0;
    if (distance < best_distance) {
      best = &r;
      best_distance = distance;
    }
  }
  return best;
}

void start_block(Worker& worker, uint64_t linear) {
  Launch& launch = *worker.launch;
  Block& block = worker.block;
  const Dim3& grid = launch.config->grid;
  block.linear = linear;
  block.index = {static_cast<uint32_t>(linear % grid.x), static_cast<uint32_t>(linear / grid.x % grid.y),
                 static_cast<uint32_t>(linear / grid.x / grid.y)};
  block.live_threads = launch.threads_per_block;
  block.failed = false;
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

void run_block(Worker& worker) {
  while (Warp* warp = next_turn(worker)) {
    run_slice(*warp);
    if (!end_turn(worker, *warp)) break;
  }
  flush_columns(worker);
  if (worker.turns.waits) return;
  for (auto& warp : worker.running) worker.pool.push_back(std::move(warp));
  worker.running.clear();
}

void finish_turn(Worker& worker, Warp& warp) {
  run_until_pause(warp);
  end_slice(warp);
  if (end_turn(worker, warp)) run_block(worker);
}

std::unique_ptr<Warp> spare_warp(Worker& worker) { return take_warp(worker); }

void place_shared_memory(Worker& worker) { find_shared_regions(worker); }

void give_shared_memory(Worker& worker) {
  const Launch& launch = *worker.launch;
  const bool reserved = launch.program->uses_reserved_shared;
  worker.block.shared.assign(reserved ? launch.reserved_shared_at + kReservedSharedBytes : launch.shared_bytes, 0);
  worker.block.shadow.configure(launch.shared_bytes, launch.program->shared_granule_bytes,
                                launch.program->sites.size(), launch.program->parts_wait);
  find_shared_regions(worker);
}

Status prepare_launch(Launch& launch, const Program& program, DeviceMemory& memory, const LaunchConfig& config,
                      const LaunchOptions& options) {
  const DecodedProgram& decoded = program.decoded();
  Diagnostics refused = check_config(decoded, config, options.limits);
  if (!refused.empty()) return refused;
  launch.program = &decoded;
  launch.config = &config;
  launch.options = &options;
  launch.params.resize(decoded.param_bytes + 16);
  for (size_t n = 0; n < config.args.size(); ++n) {
    std::copy(config.args[n].bytes.begin(), config.args[n].bytes.end(),
              launch.params.begin() + static_cast<ptrdiff_t>(decoded.params[n].offset_bytes));
  }
  build_regions(launch, memory);
  find_home_regions(launch);
  if (decoded.uses_heap) launch.heap.emplace(options.limits.heap_bytes);
  if (config.textures != nullptr) launch.textures = bind_textures(*config.textures, memory);
  if (decoded.writes_surfaces) texture::watch_arrays(launch.textures);
  launch.shared_bytes = config.dynamic_shared_bytes > 0 ? decoded.dynamic_shared_base + config.dynamic_shared_bytes
                                                        : decoded.static_shared_bytes;
  launch.reserved_shared_at = (launch.shared_bytes + 15) / 16 * 16;
  launch.threads_per_block = static_cast<uint32_t>(config.block.count());
  launch.warps_per_block = (launch.threads_per_block + kWarpSize - 1) / kWarpSize;
  launch.local_stride = decoded.local_stride;
  launch.param_stride = decoded.param_stride;
  launch.slice_blocks = slice_for(options.instruction_budget);
  launch.total_blocks = options.blocks.empty() ? config.grid.count() : options.blocks.size();
  refused = check_cooperative(launch);
  if (!refused.empty()) return refused;
  return success();
}

void prepare_worker(Launch& launch, Worker& worker, int index) {
  const DecodedProgram& decoded = *launch.program;
  worker.launch = &launch;
  worker.index = index;
  worker.counts.resize(static_cast<size_t>(decoded.basic_blocks));
  worker.region_of_site.assign(decoded.sites.size(), nullptr);
  worker.pattern_of_site.assign(decoded.sites.size(), {});
  worker.tid = thread_indices(launch.config->block, launch.warps_per_block);
  worker.block.global_shadow.configure(decoded.global_granule_bytes);
}

Result<LaunchResult> launch(const Program& program, DeviceMemory& memory, const LaunchConfig& config,
                            const LaunchOptions& options) {
  Launch launch;
  const Status prepared = prepare_launch(launch, program, memory, config, options);
  if (!prepared.ok()) return prepared.errors();
  const DecodedProgram& decoded = program.decoded();
  if (options.watch_global_races) build_shadows(launch);

  int threads = options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency());
  threads = std::max(1, static_cast<int>(std::min<uint64_t>(static_cast<uint64_t>(threads), launch.total_blocks)));
  if (options.path != nullptr || options.fetches != nullptr || config.cooperative) threads = 1;
  std::vector<Worker> workers(static_cast<size_t>(threads));
  for (int n = 0; n < threads; ++n) {
    Worker& worker = workers[static_cast<size_t>(n)];
    prepare_worker(launch, worker, n);
    worker.path = options.path;
    worker.fetches = options.fetches;
    if (options.accesses != nullptr) worker.sink = options.accesses->make_sink(decoded.sites, n);
  }

  if (options.prints != nullptr) options.prints->start(config.grid, config.block);
  if (threads > 1) take_turns_at_atomics(launch, threads);
  launch.dealing.begin(launch.total_blocks, threads, needs_order(decoded) || !launch.in_turn.empty());
  const auto start = Clock::now();
  WaitingBoard board;
  std::vector<std::thread> helpers;
  for (int n = 1; n < threads; ++n) helpers.emplace_back(run_worker, std::ref(workers[static_cast<size_t>(n)]), std::ref(board));
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
