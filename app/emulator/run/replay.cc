#include "emulator/replay.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "access/async_copy.h"
#include "checks/copy_watch.h"
#include "decode/decoder.h"
#include "emulator/texture_memory.h"
#include "operations/control.h"
#include "operations/frame.h"
#include "operations/paths.h"
#include "ptx/operand_registers.h"
#include "run/block_run.h"
#include "run/written_pages.h"
#include "state/emulation_thread.h"
#include "state/guard.h"
#include "texture/sampler.h"

namespace warpshop::emulator {
namespace {

// Instructions of all warps of the block between two checkpoints: less than a millisecond.
constexpr uint64_t kCheckpointInstructions = 16384;

// The state of a block between two instructions of its warps.
struct Checkpoint {
  uint64_t step = 0;  // the watched warp is about to execute it
  uint32_t accesses = 0;
  std::vector<bool> executed;
  size_t watched = 0;  // in `warps`
  std::vector<Warp> warps;
  Block block;
  Turns turns;
  BlockCounts counts;
  uint64_t counted_lanes = 0;
  uint64_t clock = 0;
  uint64_t lanes_executed = 0;
  PageImages pages;

  uint64_t bytes() const {
    uint64_t sum =
        bytes_of(pages) + block.shared.size() + block.shadow.size_bytes() + executed.size() / 8;
    for (const Warp& warp : warps) {
      sum += sizeof warp + warp.registers.size() + 2 * warp.local.size() + warp.params.size();
      if (warp.copies)
        sum += sizeof *warp.copies + warp.copies->pending.size() * sizeof(AsyncCopies::Copy);
    }
    return sum;
  }
};

// Gives the warp its own copy of its pending asynchronous copies.
void unshare(Warp& warp) {
  if (warp.copies) warp.copies = std::make_shared<AsyncCopies>(*warp.copies);
}

int instruction_from(const DecodedFunction& function, const MicroOp* at) {
  const MicroOp* end = function.code.data() + function.code.size();
  while (at != nullptr && at < end && at->instruction < 0) ++at;
  return at == nullptr || at >= end ? -1 : at->instruction;
}

// Counts leaves and groups of lanes that wait at a reconvergence point.
uint16_t groups_of(const Warp& warp) {
  int groups = 0;
  for (size_t n = 0; n < warp.paths.size(); ++n) {
    uint32_t below = 0;
    for (size_t m = n + 1; m < warp.paths.size() && (warp.paths[m].mask & warp.paths[n].mask) != 0;
         ++m) {
      below |= warp.paths[m].mask;
    }
    groups += (warp.paths[n].mask & ~below) != 0;
  }
  return static_cast<uint16_t>(groups);
}

std::vector<ReplayPath> paths_of(const Warp& warp, const MicroOp* running_at) {
  std::vector<ReplayPath> out;
  std::vector<uint32_t> above;  // masks of the paths that may contain the next one
  for (size_t n = 0; n < warp.paths.size(); ++n) {
    const Path& path = warp.paths[n];
    if (path.mask == 0) continue;
    while (!above.empty() && (above.back() & path.mask) == 0) above.pop_back();
    const bool top = n + 1 == warp.paths.size();
    const DecodedFunction& function = *warp.frames[path.frame].function;
    ReplayPath& shown = out.emplace_back();
    shown.mask = path.mask;
    shown.depth = static_cast<int>(above.size());
    shown.function = function.index;
    shown.next = instruction_from(function, top ? running_at : path.pc);
    shown.reconverges_at =
        path.reconvergence == nullptr ? -1 : instruction_from(function, path.reconvergence);
    shown.waits = !control::is_leaf(warp, n)    ? ReplayPath::Waits::kForChildren
                  : path.wait == Wait::kBarrier ? ReplayPath::Waits::kForBlock
                  : path.wait == Wait::kLanes   ? ReplayPath::Waits::kForLanes
                  : top                         ? ReplayPath::Waits::kNothing
                                                : ReplayPath::Waits::kForTurn;
    above.push_back(path.mask);
  }
  return out;
}

uint64_t lane_bits(const uint8_t* reg, int width, uint32_t lane) {
  uint64_t bits = 0;
  if (width == 0) {
    uint32_t mask = 0;
    std::memcpy(&mask, reg, 4);
    return (mask >> lane) & 1u;
  }
  // 128-bit registers store their low halves first.
  const auto bytes = static_cast<size_t>(std::min(width, 8));
  std::memcpy(&bits, reg + bytes * lane, bytes);
  return bits;
}

}  // namespace

struct Replay::State final : StepWatch, AccessSink {
  explicit State(Program p) : program(std::move(p)) {}

  Program program;
  DeviceMemory memory;
  TextureMemory textures;
  LaunchConfig config;
  LaunchOptions launch_options;
  ReplayOptions options;
  Launch launch;
  EmulationThread worker;
  std::optional<WrittenPages> pages;

  std::vector<ReplayStep> steps;
  std::vector<ReplayTrace> trace;
  std::vector<Checkpoint> checkpoints;
  uint64_t interval = 1;  // steps between checkpoints
  uint64_t checkpoint_sum = 0;
  bool truncated = false;

  // The current pass: the first writes `steps`, later ones look for `wanted`.
  bool first_pass = true;
  bool halted = false;
  uint64_t next_step = 0;
  uint32_t accesses = 0;
  std::vector<bool> executed;             // by function and instruction
  std::vector<size_t> first_instruction;  // of each decoded function in `executed`
  const MicroOp* last_op = nullptr;
  bool in_step = false;
  ReplayStep current;
  bool branched = false;  // by the previous operation
  size_t entries = 0;     // of Warp::paths when the step started
  uint64_t findings_before = 0;
  uint64_t wanted = 0;
  std::optional<ReplayState> found;
  std::vector<uint8_t> frame_before;
  uint32_t frame_base = 0;
  uint32_t frame_local = 0;  // start of its local memory in a lane's part
  const DecodedFunction* frame_function = nullptr;

  bool capturing() const { return !first_pass && in_step && next_step == wanted + 1; }

  void stop(Warp& warp) {
    halted = true;
    launch.halt.store(true);
    warp.slice = 1;  // stop before the next basic block
  }

  // ---- StepWatch

  void before(Warp& warp, const MicroOp* op) override {
    if (halted || op->instruction < 0) return;
    const bool goes_on = in_step && last_op != nullptr && op > last_op &&
                         op->instruction == last_op->instruction &&
                         warp.function->index == current.function;
    if (!goes_on) {
      end_step(warp);
      // The effect of a branch on the running lanes is known at the next instruction.
      if (first_pass && branched && !steps.empty()) {
        ReplayStep& branch = steps.back();
        const uint32_t gone = branch.mask & ~warp.mask & warp.live;
        if (gone != 0 && (warp.mask & ~branch.mask) == 0) branch.flags |= kStepDiverges;
      }
      if (halted || !begin_step(warp, op)) return;
    }
    last_op = op;
    branched = op->run == control::branch_if || op->run == control::branch_indexed;
    if (op->run != control::guard && op->run != control::unguard) current.mask |= warp.mask;
    if (op->run == control::exit_guarded) current.mask = guarded_lanes(warp, op);
    if (op->run == control::barrier) current.flags |= kStepBarrier;
    const DecodedFunction& function = *warp.function;
    const auto slot = static_cast<size_t>(&function - launch.program->functions.data());
    executed[first_instruction[slot] + static_cast<size_t>(op->instruction)] = true;
  }

  void paused(Warp& warp) override {
    if (halted) return;
    end_step(warp);
    last_op = nullptr;
    if (warp.status == WarpStatus::kDone) stop(warp);
  }

  static uint32_t guarded_lanes(Warp& warp, const MicroOp* op) {
    uint32_t predicate = *warp.reg<uint32_t>(op->a);
    if (op->flags & 1u) predicate = ~predicate;
    return warp.mask & predicate;
  }

  bool begin_step(Warp& warp, const MicroOp* op) {
    if (first_pass) {
      if (steps.size() >= options.max_steps) {
        truncated = true;
        stop(warp);
        return false;
      }
      // A path being tested for spinning runs in slices of two blocks: not a place to resume from.
      const bool due = checkpoints.empty() || next_step >= checkpoints.back().step + interval;
      if (due && (warp.slice > 2 || checkpoints.empty())) take_checkpoint(warp, op);
    }
    const uint32_t mask_before = current.mask;
    const size_t entries_before = std::exchange(entries, warp.paths.size());
    current = {};
    current.instruction = op->instruction;
    current.function = static_cast<uint16_t>(warp.function->index);
    current.live = warp.live;
    current.first_access = accesses;
    current.paths = groups_of(warp);
    const bool more_lanes = (mask_before & ~warp.mask) == 0 && (warp.mask & ~mask_before) != 0;
    if (next_step > 0 && more_lanes && entries < entries_before) current.flags |= kStepReconverges;
    findings_before = worker.findings_noted;
    in_step = true;
    if (!first_pass && next_step == wanted) {
      warp.pc = op;
      found.emplace();
      found->step = next_step;
      found->paths = paths_of(warp, op);
      frame_function = warp.function;
      frame_base = warp.frames[warp.frame_index].register_base;
      frame_local = warp.frames[warp.frame_index].local_base;
      frame_before.assign(warp.frame, warp.frame + warp.function->frame_bytes);
    }
    ++next_step;
    return true;
  }

  void end_step(Warp& warp) {
    if (!in_step) return;
    current.accesses =
        static_cast<uint8_t>(std::min<uint32_t>(accesses - current.first_access, 255));
    if (current.accesses > 0) current.flags |= kStepAccess;
    if (worker.findings_noted != findings_before) current.flags |= kStepFinding;
    if (first_pass) steps.push_back(current);
    if (capturing()) {
      fill_state(warp);
      in_step = false;
      stop(warp);
      return;
    }
    in_step = false;
  }

  // ---- AccessSink

  void on_access(const WarpIdentity& who, const AccessSite& site,
                 const WarpAccess& access) override {
    const bool writes = site.kind != AccessKind::kLoad;
    if (writes && access.space == ptx::Space::kGlobal) {
      for (uint32_t rest = access.active_mask; rest != 0; rest &= rest - 1) {
        // Matrix stores are done in pieces that may be wider than the site's access.
        pages->note_write(access.address[static_cast<size_t>(std::countr_zero(rest))],
                          std::max<uint64_t>(site.width_bytes(), 32));
      }
    }
    if (who.warp != options.warp || halted || !in_step) return;
    ++accesses;
    if (first_pass) note_trace(site, access);
    if (!capturing()) return;
    ReplayAccess& shown = found->accesses.emplace_back();
    shown.site = access.site;
    shown.space = access.space;
    shown.mask = access.active_mask;
    shown.bytes = std::min<uint8_t>(site.width_bytes(), 16);
    shown.address = access.address;
    read_lanes(shown, shown.before);
  }

  void note_trace(const AccessSite& site, const WarpAccess& access) {
    const bool kept = access.space == ptx::Space::kShared || access.space == ptx::Space::kGlobal;
    if (!kept || trace.size() >= options.max_trace) return;
    ReplayTrace& t = trace.emplace_back();
    t.step = static_cast<uint32_t>(next_step - 1);
    t.mask = access.active_mask;
    t.space = access.space;
    t.kind = site.kind;
    for (size_t lane = 0; lane < kWarpSize; ++lane)
      t.address[lane] = static_cast<uint32_t>(access.address[lane]);
  }

  void read_lanes(const ReplayAccess& access, std::array<std::array<uint8_t, 16>, kWarpSize>& to) {
    for (uint32_t rest = access.mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<size_t>(std::countr_zero(rest));
      const uint64_t address = access.address[lane];
      const uint8_t* from = nullptr;
      if (access.space == ptx::Space::kGlobal) {
        if (const Region* r = launch.find(address, access.bytes))
          from = r->data + (address - r->base);
      } else if (access.space == ptx::Space::kShared) {
        if (address + access.bytes <= launch.shared_bytes)
          from = worker.block.shared.data() + address;
      } else if (access.space == ptx::Space::kLocal) {
        const Warp& warp = *watched();
        if (address + access.bytes <= warp.local_stride)
          from = warp.local.data() + warp.local_stride * lane + address;
      }
      if (from != nullptr) std::memcpy(to[lane].data(), from, access.bytes);
    }
  }

  // ---- state

  Warp* watched() {
    for (const auto& warp : worker.running) {
      if (warp->index == options.warp) return warp.get();
    }
    return nullptr;
  }

  void fill_state(Warp& warp) {
    ReplayState& state = *found;
    state.what = steps[state.step];
    for (ReplayAccess& access : state.accesses) read_lanes(access, access.after);
    state.shared.assign(worker.block.shared.begin(),
                        worker.block.shared.begin() + launch.shared_bytes);
    fill_shared_written(state);
    fill_local(warp, state);
    const uint8_t* frame = warp.registers.data() + frame_base;
    const ptx::Function& function = *frame_function->source;
    const auto slot = static_cast<size_t>(frame_function - launch.program->functions.data());
    std::vector<int> defined_by(function.registers.size(), -1);
    std::vector<bool> written(function.registers.size(), false);
    for (size_t n = 0; n < function.body.size(); ++n) {
      for (const size_t r : ptx::written_registers(function.body[n])) {
        if (defined_by[r] < 0) defined_by[r] = static_cast<int>(n);
        if (executed[first_instruction[slot] + n]) written[r] = true;
      }
    }
    for (size_t r = 0; r < function.registers.size(); ++r) {
      const uint32_t offset = frame_function->register_offset[r];
      if (offset == kNoRegister) continue;
      ReplayRegister& shown = state.registers.emplace_back();
      shown.name = function.registers[r].name;
      shown.type = function.registers[r].type;
      shown.defined_by = defined_by[r];
      shown.written = written[r];
      const int width = register_width(shown.type);
      for (uint32_t lane = 0; lane < kWarpSize; ++lane) {
        shown.bits[lane] = lane_bits(frame + offset, width, lane);
        if (shown.bits[lane] != lane_bits(frame_before.data() + offset, width, lane))
          shown.changed |= 1u << lane;
      }
    }
  }

  void fill_shared_written(ReplayState& state) {
    const size_t words = state.shared.size() / 4;
    state.shared_written.assign(words, true);
    std::array<uint64_t, kWarpSize> address{};
    for (size_t first = 0; first < words; first += kWarpSize) {
      const size_t count = std::min<size_t>(kWarpSize, words - first);
      for (size_t n = 0; n < count; ++n) address[n] = 4 * (first + n);
      const ShadowAccess every{
          .address = address.data(), .mask = count == 32 ? ~0u : (1u << count) - 1, .bytes = 4};
      for (uint32_t none = worker.block.shadow.unwritten(every); none != 0; none &= none - 1) {
        state.shared_written[first + static_cast<size_t>(std::countr_zero(none))] = false;
      }
    }
  }

  void fill_local(const Warp& warp, ReplayState& state) {
    const size_t bytes = frame_function->local_bytes;
    if (bytes == 0 || frame_local + bytes > warp.local_stride) return;
    state.local_bytes = static_cast<uint32_t>(bytes);
    for (size_t lane = 0; lane < kWarpSize; ++lane) {
      const auto at = static_cast<ptrdiff_t>(lane * warp.local_stride + frame_local);
      const auto end = at + static_cast<ptrdiff_t>(bytes);
      state.local.insert(state.local.end(), warp.local.begin() + at, warp.local.begin() + end);
      state.local_written.insert(state.local_written.end(), warp.local_written.begin() + at,
                                 warp.local_written.begin() + end);
    }
  }

  // ---- checkpoints

  void take_checkpoint(Warp& warp, const MicroOp* op) {
    warp.pc = op;
    Checkpoint& c = checkpoints.emplace_back();
    c.step = next_step;
    c.accesses = accesses;
    c.executed = executed;
    c.warps.reserve(worker.running.size());
    for (size_t n = 0; n < worker.running.size(); ++n) {
      if (worker.running[n].get() == &warp) c.watched = n;
      c.warps.push_back(*worker.running[n]);
      unshare(c.warps.back());
    }
    c.block = worker.block;
    c.turns = worker.turns;
    c.counts = worker.counts;
    c.counted_lanes = worker.counted_lanes;
    c.clock = worker.clock;
    c.lanes_executed = launch.lanes_executed.load();
    c.pages = pages->now();
    checkpoint_sum += c.bytes();
    if (checkpoint_sum > options.checkpoint_bytes && checkpoints.size() > 2) drop_every_second();
  }

  void drop_every_second() {
    std::vector<Checkpoint> kept;
    for (size_t n = 0; n < checkpoints.size(); n += 2) kept.push_back(std::move(checkpoints[n]));
    checkpoints = std::move(kept);
    interval *= 2;
    checkpoint_sum = 0;
    for (const Checkpoint& c : checkpoints) checkpoint_sum += c.bytes();
  }

  Warp& restore(const Checkpoint& c) {
    while (worker.running.size() < c.warps.size()) worker.running.push_back(spare_warp(worker));
    for (size_t n = 0; n < c.warps.size(); ++n) {
      Warp& warp = *worker.running[n];
      warp = c.warps[n];
      unshare(warp);
      enter_frame(warp, warp.frame_index);
    }
    // Shared memory must not move: the sites hold its address.
    Block& block = worker.block;
    std::copy(c.block.shared.begin(), c.block.shared.end(), block.shared.begin());
    block.shadow = c.block.shadow;
    block.barriers = c.block.barriers;
    block.bulk_copies = c.block.bulk_copies;
    block.bulk_stores = c.block.bulk_stores;
    block.bulk_groups = c.block.bulk_groups;
    block.products = c.block.products;
    block.product_groups = c.block.product_groups;
    watch_restored_copies(worker);
    block.arrived_at = c.block.arrived_at;
    block.barrier_turns = c.block.barrier_turns;
    block.live_threads = c.block.live_threads;
    block.failed = false;
    worker.turns = c.turns;
    worker.counts = c.counts;
    worker.counted_lanes = c.counted_lanes;
    worker.clock = c.clock;
    launch.lanes_executed.store(c.lanes_executed);
    launch.halt.store(false);
    pages->restore(c.pages);
    executed = c.executed;
    accesses = c.accesses;
    next_step = c.step;
    current = c.step > 0 ? steps[c.step - 1] : ReplayStep{};
    return *worker.running[c.watched];
  }

  void begin_pass() {
    halted = false;
    in_step = false;
    last_op = nullptr;
    branched = false;
    found.reset();
  }
};

Result<Replay> Replay::open(Program program, DeviceMemory memory, LaunchConfig config,
                            const ReplayOptions& options) {
  auto state = std::make_unique<State>(std::move(program));
  State& s = *state;
  s.memory = std::move(memory);
  s.config = std::move(config);
  if (s.program.decoded().writes_surfaces) {
    return make_error("unsupported",
                      sentence("a kernel that writes to surfaces cannot be played backwards"),
                      sentence("let it write to a buffer"));
  }
  if (s.config.cooperative) {
    return make_error(
        "replay",
        sentence(
            "a cooperative launch cannot be played back: a block alone would wait for the others"),
        sentence("look at its results, counters and findings instead"));
  }
  if (s.config.textures != nullptr) {
    s.textures = *s.config.textures;
    s.config.textures = &s.textures;
  }
  s.options = options;
  s.launch_options.limits = options.limits;
  s.launch_options.threads = 1;
  s.launch_options.instruction_budget = options.instruction_budget;
  s.launch_options.stop = options.stop;
  const Status prepared = prepare_launch(s.launch, s.program, s.memory, s.config, s.launch_options);
  if (!prepared.ok()) return prepared.errors();
  if (s.launch.in_clusters) {
    return make_error(
        "replay",
        sentence("a launch in clusters cannot be played back: a block alone would wait for the "
                 "others of its cluster"),
        sentence("look at its results, counters and findings instead"));
  }
  if (options.block >= s.launch.total_blocks || options.warp >= s.launch.warps_per_block) {
    return make_error("replay", sentence("the launch has no warp {warp} in block {block}",
                                         {{"warp", options.warp}, {"block", options.block}}));
  }
  if (s.launch.heap) {
    return make_error("replay",
                      sentence("a kernel that calls malloc or free cannot be played back: what the "
                               "heap held at a step is not kept"),
                      sentence("give the kernel a buffer instead"));
  }
  s.pages.emplace(s.launch);
  s.interval = std::max<uint64_t>(64, kCheckpointInstructions / s.launch.warps_per_block);
  size_t instructions = 0;
  for (const DecodedFunction& function : s.launch.program->functions) {
    s.first_instruction.push_back(instructions);
    instructions += function.source->body.size();
  }
  s.executed.assign(instructions, false);
  prepare_worker(s.launch, s.worker, 0);
  s.worker.sink = &s;
  s.worker.watch = &s;
  s.worker.watched_warp = options.warp;
  set_up_block(s.worker);
  s.begin_pass();
  start_block(s.worker, options.block);
  run_block(s.worker);
  if (s.launch.user_stopped.load())
    return make_error("stopped", sentence("the replay was stopped"));
  // A spent budget cuts the warp's run short, a finding that ends the kernel does not.
  s.truncated = s.truncated || (!s.halted && !s.worker.block.failed);
  s.launch_options.stop = nullptr;
  s.launch_options.instruction_budget = ~uint64_t{0};
  s.first_pass = false;
  return Replay(std::move(state));
}

Replay::Replay(std::unique_ptr<State> state) : state_(std::move(state)) {}
Replay::Replay(Replay&&) noexcept = default;
Replay& Replay::operator=(Replay&&) noexcept = default;
Replay::~Replay() = default;

const Program& Replay::program() const { return state_->program; }
const std::vector<ReplayStep>& Replay::steps() const { return state_->steps; }
const std::vector<ReplayTrace>& Replay::trace() const { return state_->trace; }
bool Replay::truncated() const { return state_->truncated; }
size_t Replay::checkpoints() const { return state_->checkpoints.size(); }
uint64_t Replay::checkpoint_bytes() const { return state_->checkpoint_sum; }

ReplayState Replay::at(uint64_t step) {
  State& s = *state_;
  assert(step < s.steps.size());
  const auto after =
      std::upper_bound(s.checkpoints.begin(), s.checkpoints.end(), step,
                       [](uint64_t value, const Checkpoint& c) { return value < c.step; });
  s.begin_pass();
  s.wanted = step;
  Warp& warp = s.restore(*std::prev(after));
  finish_turn(s.worker, warp);
  for (auto& left : s.worker.running) s.worker.pool.push_back(std::move(left));
  s.worker.running.clear();
  return s.found ? std::move(*s.found) : ReplayState{};
}

}  // namespace warpshop::emulator
