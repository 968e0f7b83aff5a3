#include "one_sm/simulate.h"

#include <algorithm>
#include <bit>
#include <memory>

#include "one_sm/follow.h"
#include "one_sm/pipeline_recorder.h"
#include "one_sm/resident.h"
#include "one_sm/sm_units.h"

namespace warpshop::timing {
namespace {

constexpr int kSchedulers = 4;
constexpr size_t kTimelineIntervals = 3000;
// Latency, from issue to result, of instructions guarded by a dependency barrier.
constexpr double kSpecialLatency = 20;
// Of a wgmma.mma_async with few columns: Luo et al. 2024, "Benchmarking and Dissecting the Nvidia
// Hopper GPU Architecture via Microbenchmarking".
constexpr double kShortestProduct = 18;
constexpr double kJump = 4;  // extra latency of a jump target, beyond what the machine code encodes
constexpr double kPortBacklog = 2;  // cycles an instruction may wait for operands before it blocks
                                    // others
// From an arrival at an mbarrier object to a successful test of the phase that it completes, and of
// a test that need not wait: together what a round of both takes one warp beyond its instructions
// (tests/hardware/copies/rates.cu, "barrier of 1 warps": 72 cycles).
constexpr double kArrivalLatency = 20;
constexpr double kTestLatency = 36;
// Cycles of the data stage for a cp.async that does not bypass L1, beyond those of its store:
// tests/hardware/copies/rates.cu, copies of 4, 8 and 16 bytes from L1 take 2.6, 3.7 and 5.2.
constexpr double kCopyThroughL1 = 1;

class Simulation {
 public:
  Simulation(const SimulationInput& input, MemoryPath& memory)
      : in_(input),
        chip_(*input.chip),
        memory_(memory),
        units_(chip_, now_),
        follow_(*input.code, *input.trace, result_.flow),
        recorder_(input.code->ops) {
    played_ = input.blocks > 0 ? input.blocks : input.trace->blocks.size();
  }

  SimulationResult run() {
    launch_free_ = 0;
    for (int b = 0; b < in_.resident_blocks && next_block_ < played_; ++b) launch(0);
    uint64_t issued = 0;
    for (;;) {
      Scheduler* first = nullptr;
      for (Scheduler& s : schedulers_) {
        if (s.stale) choose(s);
        if (s.chosen != nullptr && (first == nullptr || is_before(s, *first))) first = &s;
      }
      if (first == nullptr) {
        for (const Scheduler& s : schedulers_) result_.stuck |= !s.warps.empty();
        break;
      }
      // The start time may have moved since the warp was chosen, if another scheduler took the
      // load/store unit.
      const double when = start_of(*first, *first->chosen);
      if (when > first->next) {
        choose(*first);
        if (first->next < kNever && first->next > when + 1e-9) continue;
        if (start_of(*first, *first->chosen) > first->next) {
          first->next = start_of(*first, *first->chosen);
          continue;
        }
        bool earliest = true;
        for (const Scheduler& s : schedulers_)
          earliest &= s.stale || s.chosen == nullptr || s.next >= first->next;
        if (!earliest) continue;
      }
      issue(*first, *first->chosen, first->next);
      if (++issued > in_.max_instructions) {
        result_.cut = true;
        break;
      }
      if ((issued & 0xffff) == 0 && in_.stop != nullptr && in_.stop->requested()) {
        result_.cut = true;
        break;
      }
    }
    now_.cycle = std::max(now_.cycle, last_end_);
    now_.memory = memory_.totals();
    result_.marks.push_back(now_);
    result_.flow += memory_.flow();
    result_.drained = std::max({now_.cycle, last_copy_, result_.cut ? 0 : memory_.drained()});
    result_.pipeline = recorder_.take(now_.cycle);
    return std::move(result_);
  }

 private:
  // Schedulers whose warps wait for shared memory take turns: otherwise the loads of eight warps
  // would not fill it, as they do (tests/hardware/copies, ldmatrix).
  bool is_before(const Scheduler& a, const Scheduler& b) const {
    if (a.next != b.next) return a.next < b.next;
    return chip_.access == 1 && op_of(*a.chosen).kind == MachineKind::kSharedLoad &&
           a.free < b.free;
  }

  const MachineOp& op_of(const Warp& w) const { return in_.code->ops[static_cast<size_t>(w.pc)]; }

  // Starts the next block of the list after `from`.
  void launch(double from) {
    if (next_block_ >= played_) return;
    const auto copy = static_cast<uint32_t>(next_block_ / in_.trace->blocks.size());
    const BlockTrace& trace = in_.trace->blocks[next_block_++ % in_.trace->blocks.size()];
    launch_free_ = std::max(from, launch_free_) + chip_.block_interval * in_.active_sms;
    now_.launch_cycles += chip_.block_interval * in_.active_sms;
    const double start = std::max(from, launch_free_ - chip_.block_interval * in_.active_sms);
    blocks_.push_back(std::make_unique<Block>());
    Block& block = *blocks_.back();
    block.start = start;
    block.live = static_cast<uint32_t>(trace.warps.size());
    block.warps.resize(trace.warps.size());
    block.phases.resize(trace.phases.size());
    for (size_t n = 0; n < trace.phases.size(); ++n) block.phases[n].left = trace.phases[n];
    recorder_.start(block, trace, start);
    for (size_t n = 0; n < trace.warps.size(); ++n) {
      Warp& w = block.warps[n];
      w.block = &block;
      w.trace = &trace.warps[n];
      w.copy = copy;
      w.code = follow_.code_of(*w.trace);
      if (!w.code->empty()) w.pc = w.code->front().first;
      w.next_op.assign(w.trace->ops.size(), 0);
      w.ready = w.needs = start;
      w.last_issue = start - 1;
      if (timelines_ < in_.timeline_warps) {
        w.timeline = static_cast<int>(timelines_++);
        result_.timelines.push_back(
            {.block = trace.block, .warp = static_cast<uint32_t>(n), .intervals = {}});
      }
      Scheduler& s = schedulers_[next_warp_++ % kSchedulers];
      Follow::settle_place(w);
      if (w.done) {
        --block.live;
        continue;
      }
      work_out_needs(w);
      s.warps.push_back(&w);
      s.stale = true;
    }
    if (block.live == 0) end_of(block, start);
  }

  void work_out_needs(Warp& w) const {
    const MachineOp& op = op_of(w);
    w.needs = std::max(w.ready, w.barrier_until);
    w.why = w.barrier_until > w.ready ? WarpState::kBarrier : WarpState::kWait;
    for (size_t b = 0; b < 6; ++b) {
      if ((op.wait_mask >> b & 1) == 0 || w.slot[b] <= w.needs) continue;
      w.needs = w.slot[b];
      w.why = w.slot_long[b] ? WarpState::kLongScoreboard : WarpState::kShortScoreboard;
    }
    const bool products = op.kind == MachineKind::kWaitForProducts;
    if (op.kind != MachineKind::kWaitForCopies && !products) return;
    const double arrival = (products ? w.products : w.copies).arrival(op.groups_left);
    if (arrival <= w.needs) return;
    w.needs = arrival;
    w.why = products ? WarpState::kMathPipeThrottle : WarpState::kLongScoreboard;
  }

  double start_of(const Scheduler& s, const Warp& w) const {
    const MachineOp& op = op_of(w);
    double at = std::max({w.needs, s.free, s.pipe_free[static_cast<size_t>(op.pipe)]});
    for (size_t b = 0; b < 2; ++b) {
      if (op.bank_reads[b] != 0) at = std::max(at, s.port_free[b] - kPortBacklog);
    }
    switch (op.kind) {
      case MachineKind::kGlobalLoad:
      case MachineKind::kGlobalStore:
      case MachineKind::kGlobalAtomic:
      case MachineKind::kAsyncCopy:
        return std::max(at, memory_.accepts(at));
      default:
        return std::max(at, units_.accepts(op.kind));
    }
  }

  void consider(Scheduler& s, Warp& w) const {
    const double at = start_of(s, w);
    if (at >= s.next) return;
    s.next = at;
    s.chosen = &w;
  }

  // Among the earliest warps, choose the one that issued last, else the oldest. Schedulers are
  // greedy: Rogers et al., "Cache-Conscious Wavefront Scheduling", MICRO 2012; Huerta et al.,
  // "Dissecting and Modeling the Architecture of Modern GPU Cores", MICRO 2025, who observed
  // youngest-next. With oldest-next the H200's times are predicted equally well or better.
  void choose(Scheduler& s) const {
    s.stale = false;
    s.chosen = nullptr;
    s.next = kNever;
    if (s.last != nullptr && !s.last->at_barrier) consider(s, *s.last);
    for (Warp* w : s.warps) {
      if (s.next <= s.free) return;  // no other warp can be earlier
      if (!w->at_barrier && w->needs < s.next) consider(s, *w);
    }
  }

  void note(Warp& w, double from, double to, WarpState state, const MachineOp& op) {
    if (to <= from) return;
    now_.state_cycles[static_cast<size_t>(state)] += to - from;
    if (w.timeline < 0) return;
    WarpTimeline& line = result_.timelines[static_cast<size_t>(w.timeline)];
    if (line.cut) return;
    std::vector<WarpInterval>& intervals = line.intervals;
    if (!intervals.empty() && intervals.back().state == state &&
        intervals.back().ptx_line == op.ptx_line) {
      intervals.back().cycles += to - from;
    } else if (intervals.size() < kTimelineIntervals) {
      intervals.push_back(
          {.start_cycle = from, .cycles = to - from, .state = state, .ptx_line = op.ptx_line});
    } else {
      line.cut = true;
    }
  }

  void account(const Scheduler& s, Warp& w, const MachineOp& op, double at) {
    double from = w.last_issue + 1;
    const auto step = [&](double to, WarpState state) {
      to = std::min(to, at);
      if (to <= from) return;
      note(w, from, to, state, op);
      from = to;
    };
    step(w.barrier_until, WarpState::kBarrier);
    step(w.ready, WarpState::kWait);
    step(w.needs, w.why);
    const double pipe_since = s.pipe_since[static_cast<size_t>(op.pipe)];
    const double pipe_free = s.pipe_free[static_cast<size_t>(op.pipe)];
    // Waiting for a memory queue and for the pipe in front of it is one state; a math pipe stalls a
    // warp only while it is busy.
    if (op.kind >= MachineKind::kGlobalLoad && op.kind <= MachineKind::kAsyncCopy) {
      step(std::max(memory_.accepts(from), pipe_free), WarpState::kLgThrottle);
    } else if (op.kind >= MachineKind::kSharedLoad && op.kind <= MachineKind::kShuffle) {
      step(std::max(units_.accepts(op.kind), pipe_free), WarpState::kMioThrottle);
    } else if (op.kind == MachineKind::kTexture) {
      step(std::max(units_.accepts(op.kind), pipe_free), WarpState::kMathPipeThrottle);
    } else if (op.kind == MachineKind::kConstantLoad) {
      step(units_.accepts(op.kind), WarpState::kMioThrottle);
    } else if (pipe_free > from) {
      step(pipe_since, WarpState::kNotSelected);
      step(pipe_free, WarpState::kMathPipeThrottle);
    }
    for (size_t b = 0; b < 2; ++b) {
      if (op.bank_reads[b] != 0) step(s.port_free[b] - kPortBacklog, WarpState::kDispatch);
    }
    step(at, WarpState::kNotSelected);
    note(w, at, at + 1, WarpState::kSelected, op);
  }

  void issue(Scheduler& s, Warp& w, double at) {
    const MachineOp& op = op_of(w);
    account(s, w, op, at);
    if (op.kind == MachineKind::kWaitForCopies)
      recorder_.wait_for_groups(w, std::max(w.ready, w.barrier_until), op.groups_left, op.ptx_line);
    now_.warp_cycles += at - w.last_issue;
    now_.cycle = std::max(now_.cycle, at);
    ++now_.instructions;
    s.free = at + 1;
    const double taken = op.issue_cycles;
    for (size_t b = 0; b < 2; ++b) {
      if (op.bank_reads[b] != 0) s.port_free[b] = std::max(s.port_free[b], at) + op.bank_reads[b];
      now_.port_cycles += op.bank_reads[b] / 2.0;
    }
    if (at > s.pipe_free[static_cast<size_t>(op.pipe)])
      s.pipe_since[static_cast<size_t>(op.pipe)] = at;
    s.pipe_free[static_cast<size_t>(op.pipe)] = at + taken;
    now_.pipe_cycles[static_cast<size_t>(op.pipe)] += taken;
    w.last_issue = at;
    w.ready = at + op.stall_cycles;
    double result = at + kSpecialLatency;
    double operands = at + kOperandRead;
    bool is_long = false;
    switch (op.kind) {
      case MachineKind::kGlobalLoad:
      case MachineKind::kGlobalStore:
      case MachineKind::kGlobalAtomic:
        is_long = true;
        access_global(s, w, op, at, result, operands);
        break;
      case MachineKind::kAsyncCopy:
        w.copies.add(copy(w, op, at));
        operands = at + kOperandRead;
        break;
      case MachineKind::kWarpgroupProduct:
        w.products.add(at + std::max(taken, kShortestProduct));
        if (op.commits) w.products.commit();
        break;
      case MachineKind::kBulkCopy:
        copy_in_bulk(w, op, at);
        operands = at + kOperandRead;
        break;
      case MachineKind::kMbarrier:
        is_long = true;
        result = meet(w, op, at);
        break;
      case MachineKind::kCommitCopies:
        w.copies.commit();
        recorder_.commit(w);
        result = w.copies.all();
        is_long = true;
        break;
      case MachineKind::kSharedLoad:
      case MachineKind::kSharedStore:
      case MachineKind::kSharedAtomic:
        access_shared(s, w, op.kind, at, result, operands);
        break;
      case MachineKind::kShuffle:
        result = units_.shuffle(at);
        break;
      case MachineKind::kTexture:
        is_long = true;
        result = fetch(w, units_.take_texture_unit(at));
        break;
      case MachineKind::kConstantLoad:
        result = units_.load_constant(at);
        break;
      case MachineKind::kBarrier:
        arrive(w, op, at);
        break;
      default:
        if (op.pipe == MachinePipe::kFp64) result = at + std::max<double>(kSpecialLatency, taken);
        break;
    }
    if (op.write_barrier < 6) {
      w.slot[op.write_barrier] = result;
      w.slot_long[op.write_barrier] = is_long;
    }
    if (op.read_barrier < 6) {
      w.slot[op.read_barrier] = operands;
      w.slot_long[op.read_barrier] = false;
    }
    const int after = w.pc + 1;
    w.pc = Follow::goes_round(w, op) ? op.target : after;
    Follow::settle_place(w);
    if (!w.done && w.pc != after) w.ready += kJump;
    s.stale = true;
    s.last = w.done ? nullptr : &w;
    if (w.done) {
      leave(s, w, at);
    } else {
      work_out_needs(w);
    }
  }

  void access_global(Scheduler& s, Warp& w, const MachineOp& op, double at, double& result,
                     double& operands) {
    const MemoryOp* access = follow_.next(w);
    if (access != nullptr && access->rounds > 0) {  // generic, and its address is in shared memory
      units_.pass_banks(s, *access,
                        op.in_atomic_loop ? MachineKind::kSharedLoad : MachineKind::kSharedAtomic,
                        at, result, operands);
      return;
    }
    if (access == nullptr || access->line_count == 0) return;  // predicated off
    const AccessedLines lines = in_.trace->lines_of(*access);
    switch (op.kind) {
      case MachineKind::kGlobalLoad:
        // The data passes through the same stage as shared memory's banks.
        units_.occupy_data_stage(at, access->wavefronts);
        result = memory_.load(at, lines, access->wavefronts, w.copy, access->use);
        break;
      case MachineKind::kGlobalStore: {
        units_.occupy_data_stage(at, access->wavefronts);
        const MemoryPath::Stored stored = memory_.store(at, lines, w.copy);
        operands = stored.left + kOperandRead;
        w.block->stays = std::max(w.block->stays, stored.taken);
        break;
      }
      default:
        result = memory_.atomic(at, lines, w.copy, access->returned);
        operands = at + kOperandRead;
        break;
    }
  }

  // A copy is a load whose data goes on to shared memory instead of registers. Returns when it is
  // there.
  double copy(Warp& w, const MachineOp& op, double at) {
    const MemoryOp* from = follow_.next(w);
    const MemoryOp* to = follow_.next_target(w);
    double arrival = at;
    if (from != nullptr && from->line_count > 0) {
      arrival = memory_.load(at, in_.trace->lines_of(*from), from->wavefronts, w.copy, from->use,
                             op.bypasses_l1);
      // Without L1, each piece of 32 bytes of shared memory is asked for on its own, even if two of
      // them share a sector because source and destination are aligned differently.
      int sectors = 0;
      for (uint32_t n = 0; n < from->line_count; ++n)
        sectors += std::popcount(in_.trace->lines[from->first_line + n].sectors);
      if (op.bypasses_l1 && to != nullptr && to->visits > sectors)
        memory_.load_again(at, to->visits - sectors);
    }
    if (to != nullptr) {
      units_.occupy_data_stage(at, to->wavefronts + (op.bypasses_l1 ? 0 : kCopyThroughL1));
      arrival += to->wavefronts;
    }
    w.block->stays = std::max(w.block->stays, arrival);
    last_copy_ = std::max(last_copy_, arrival);
    if (recorder_.records(w.block) && from != nullptr && to != nullptr)
      recorder_.copy(w, at, arrival, bytes_of(*from), to->first_line, op.ptx_line);
    return arrival;
  }

  // That lanes ask for.
  uint64_t bytes_of(const MemoryOp& op) const {
    uint64_t sum = 0;
    for (uint32_t n = 0; n < op.line_count; ++n) {
      for (const uint8_t bytes : in_.trace->lines[op.first_line + n].bytes) sum += bytes;
    }
    return sum;
  }

  void copy_in_bulk(Warp& w, const MachineOp& op, double at) {
    for (bool more = true; more;) {
      const MemoryOp* from = follow_.next(w);
      if (from == nullptr) return;
      more = from->more;
      const double arrival = memory_.bulk(at, in_.trace->lines_of(*from), w.copy);
      w.block->stays = std::max(w.block->stays, arrival);
      last_copy_ = std::max(last_copy_, arrival);
      if (recorder_.records(w.block))
        recorder_.bulk(from->phase, at, arrival, bytes_of(*from), op.ptx_line);
      if (from->phase != 0) arrive_at(*w.block, from->phase, arrival);
    }
  }

  // An arrival at an mbarrier object or a test of its phase: returns when the test succeeds.
  double meet(Warp& w, const MachineOp& op, double at) {
    const MemoryOp* what = follow_.next(w);
    if (what == nullptr || what->phase == 0) return at + kTestLatency;
    if (!what->tests) {
      const bool of_copies = op.opcode == 0x1b0;
      if (of_copies) recorder_.give_to_phase(w, what->phase);
      arrive_at(*w.block, what->phase, of_copies ? std::max(at, w.copies.all()) : at);
      return at + kTestLatency;
    }
    Phase& phase = w.block->phases[what->phase - 1];
    if (phase.left == 0) {
      note_test(w, at, what->phase, op.ptx_line);
      return std::max(at, phase.complete) + kTestLatency;
    }
    phase.waiting.push_back({&w, op.write_barrier, at, op.ptx_line});
    return kNever;
  }

  void arrive_at(Block& block, uint32_t number, double at) {
    Phase& phase = block.phases[number - 1];
    phase.complete = std::max(phase.complete, at + kArrivalLatency);
    if (phase.left == 0 || --phase.left > 0) return;
    for (const Phase::Waiter& waiter : phase.waiting) {
      if (waiter.slot < 6) waiter.warp->slot[waiter.slot] = phase.complete + kTestLatency;
      if (!waiter.warp->done) work_out_needs(*waiter.warp);
      note_test(*waiter.warp, waiter.since, number, waiter.ptx_line);
    }
    phase.waiting.clear();
    for (Scheduler& s : schedulers_) s.stale = true;
  }

  // A test that began at `since`, of a phase whose end is known.
  void note_test(const Warp& w, double since, uint32_t number, int ptx_line) {
    recorder_.wait_for_phase(w, since, number, w.block->phases[number - 1].complete, ptx_line);
  }

  // Texels come through L1; the units that look them up and filter them account for the rest of the
  // time.
  double fetch(Warp& w, double at) {
    const MemoryOp* access = follow_.next(w);
    if (access == nullptr || access->line_count == 0) return at + kTextureLatency;
    const double data =
        memory_.load(at, in_.trace->lines_of(*access), access->wavefronts, w.copy, access->use);
    return std::max(at + kTextureLatency, data + kTextureLatency - chip_.l1_latency);
  }

  void access_shared(Scheduler& s, Warp& w, MachineKind kind, double at, double& result,
                     double& operands) {
    if (const MemoryOp* access = follow_.next(w))
      units_.pass_banks(s, *access, kind, at, result, operands);
  }

  void arrive(Warp& w, const MachineOp& op, double at) {
    Block& block = *w.block;
    recorder_.arrive(w, at, op.ptx_line);
    ++block.arrived;
    w.at_barrier = true;
    units_.take_adu(at);
    release_if_all(block);
  }

  void release_if_all(Block& block) {
    if (block.arrived == 0 || block.arrived < block.live) return;
    block.arrived = 0;
    for (Warp& other : block.warps) {
      if (!other.at_barrier) continue;
      other.at_barrier = false;
      other.barrier_until = units_.adu_free() + chip_.barrier;
      recorder_.release(other, other.barrier_until);
      if (!other.done) work_out_needs(other);
    }
    for (Scheduler& s : schedulers_) s.stale = true;
  }

  void leave(Scheduler& s, Warp& w, double at) {
    std::erase(s.warps, &w);
    if (w.at_barrier) {
      w.at_barrier = false;
      --w.block->arrived;
    }
    last_end_ = std::max(last_end_, at);
    recorder_.end(w, at);
    if (--w.block->live == 0) {
      end_of(*w.block, std::max(at, w.block->stays));
    } else {
      release_if_all(*w.block);
    }
  }

  void end_of(Block& block, double at) {
    for (Warp& w : block.warps) w.code = {};
    ++now_.blocks;
    now_.memory = memory_.totals();
    result_.marks.push_back(now_);
    launch(at + chip_.block_refill);
  }

  const SimulationInput& in_;
  const OneSmFigures& chip_;
  MemoryPath& memory_;
  std::array<Scheduler, kSchedulers> schedulers_;
  std::vector<std::unique_ptr<Block>> blocks_;
  size_t next_block_ = 0;
  size_t played_ = 0;
  size_t next_warp_ = 0;
  uint32_t timelines_ = 0;
  double launch_free_ = 0;
  double last_end_ = 0;
  double last_copy_ = 0;  // arrival
  SimulationMark now_;
  SmUnits units_;
  SimulationResult result_;
  Follow follow_;
  PipelineRecorder recorder_;
};

}  // namespace

SimulationResult simulate(const SimulationInput& input, MemoryPath& memory) {
  return Simulation(input, memory).run();
}

}  // namespace warpshop::timing
