#include "whole_chip/whole_chip.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <queue>

#include "whole_chip/resident_warp.h"

namespace warpshop::timing {
namespace {

constexpr size_t kChipIntervals = 3000;

struct Ticket {
  ResidentWarp* warp = nullptr;
  const PtxOp* op = nullptr;
  double least = 0;  // earliest time, e.g. a fetch's time in the texture units
};
constexpr uint64_t kNoTicket = ~uint64_t{0};

// Accesses that warps are waiting for.
class Tickets {
 public:
  uint64_t take(ResidentWarp& warp, const PtxOp& op, double least = 0) {
    if (free_.empty()) {
      all_.push_back({});
      free_.push_back(all_.size() - 1);
    }
    const uint64_t number = free_.back();
    free_.pop_back();
    all_[number] = {&warp, &op, least};
    return number;
  }
  Ticket give_back(uint64_t number) {
    free_.push_back(number);
    return all_[number];
  }

 private:
  std::vector<Ticket> all_;
  std::vector<uint64_t> free_;
};

struct ChipScheduler {
  std::vector<ResidentWarp*> warps;
  double free = 0;
  double next = kNoTime;
  ResidentWarp* chosen = nullptr;
  uint64_t version = 0;
  int sm = 0;
};

struct MemoryPort {
  double free = 0;            // when it can accept the next access
  double expected = kNoTime;  // time of its scheduled event
};

struct Sm {
  std::array<double, kUnits> unit_free{};
  double shared_free = 0;
  size_t next_warp = 0;
};

class ChipSimulation {
 public:
  ChipSimulation(const WholeChipInput& input, ChipMemory& memory)
      : in_(input), chip_(*input.chip), memory_(memory) {
    sms_.resize(static_cast<size_t>(input.sms));
    ports_.resize(static_cast<size_t>(memory.ports()));
    if (chip_.texture_l1.bytes > 0)
      texture_l1_.assign(ports_.size(), TextureCache(chip_.texture_l1));
    schedulers_.resize(static_cast<size_t>(input.sms * chip_.schedulers));
    for (size_t s = 0; s < schedulers_.size(); ++s)
      schedulers_[s].sm = static_cast<int>(s) / chip_.schedulers;
  }

  WholeChipResult run() {
    for (int round = 0; round < in_.resident_blocks; ++round) {
      for (int sm = 0; sm < in_.sms; ++sm) launch(sm, 0);
    }
    for (size_t s = 0; s < schedulers_.size(); ++s) choose(s);
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      if (event.scheduler >= schedulers_.size()) {
        step_memory(static_cast<int>(event.scheduler - schedulers_.size()), event.time);
        continue;
      }
      ChipScheduler& s = schedulers_[event.scheduler];
      if (event.version != s.version || s.chosen == nullptr) continue;
      const double at = start_of(s, *s.chosen);
      if (at > event.time + 1e-9) {  // another scheduler of the SM took the unit in the meantime
        choose(event.scheduler);
        continue;
      }
      issue(event.scheduler, event.time);
      if (now_.ops + pieces_ > in_.max_work ||
          ((now_.ops & 0xffff) == 0 && in_.stop != nullptr && in_.stop->requested())) {
        result_.cut = true;
        break;
      }
      if (in_.stationary && now_.ops + pieces_ > in_.max_work / 4 && result_.settled.cycle == 0) {
        result_.settled = now_;
      }
    }
    now_.memory = memory_.totals();
    result_.marks.push_back(now_);
    result_.flow += memory_.flow();
    result_.flow.has_texture_l1 = !texture_l1_.empty();
    result_.drained = std::max(now_.cycle, result_.cut ? 0 : memory_.drained());
    return std::move(result_);
  }

 private:
  struct Event {
    double time = 0;
    size_t scheduler = 0;  // index of a scheduler or, beyond these, of a memory port
    uint64_t version = 0;
    bool operator>(const Event& other) const {
      return time != other.time ? time > other.time : scheduler > other.scheduler;
    }
  };

  // Evenly spread over 0 to 1, in an order that neighbouring blocks do not share.
  static double part_of(size_t number) {
    const double turns = static_cast<double>(number) * 0.6180339887498949;
    return turns - std::floor(turns);
  }

  void launch(int sm, double at) {
    if (next_block_ >= in_.blocks && !in_.stationary) return;
    const bool in_the_middle = in_.stationary && next_block_ < in_.blocks;
    const size_t number = next_block_++;
    const ChipBlock& trace = in_.trace->blocks[number % in_.trace->blocks.size()];
    blocks_.push_back(std::make_unique<ResidentBlock>());
    ResidentBlock& block = *blocks_.back();
    block.sm = sm;
    block.warps.resize(trace.warps.size());
    block.live = static_cast<uint32_t>(trace.warps.size());
    for (size_t n = 0; n < trace.warps.size(); ++n) {
      ResidentWarp& w = block.warps[n];
      w.block = &block;
      w.trace = &trace.warps[n];
      w.next_access.assign(w.trace->accesses.size(), 0);
      w.ready.assign(static_cast<size_t>(in_.code->registers), at);
      w.why.assign(static_cast<size_t>(in_.code->registers), WarpState::kWait);
      w.last_issue = at - 1;
      w.barrier_until = at;
      w.enter(*in_.code);
      if (in_the_middle) w.skip(*in_.code, part_of(number));
      if (w.done) {
        --block.live;
        continue;
      }
      if (sm == 0 && timelines_ < in_.timeline_warps) {
        w.timeline = static_cast<int>(timelines_++);
        result_.timelines.push_back(
            {.block = number, .warp = static_cast<uint32_t>(n), .intervals = {}});
      }
      Sm& unit = sms_[static_cast<size_t>(sm)];
      const size_t s = static_cast<size_t>(sm * chip_.schedulers) +
                       unit.next_warp++ % static_cast<size_t>(chip_.schedulers);
      w.scheduler = s;
      schedulers_[s].warps.push_back(&w);
      w.work_out_needs(*in_.code);
    }
    if (block.live == 0) end_of(block, at);
  }

  double start_of(const ChipScheduler& s, const ResidentWarp& w) const {
    const PtxOp& op = w.op_in(*in_.code);
    const Sm& sm = sms_[static_cast<size_t>(s.sm)];
    double at = std::max({w.needs, s.free, sm.unit_free[static_cast<size_t>(op.unit)]});
    if (op.kind == PtxOp::Kind::kShared || op.operand_site >= 0) at = std::max(at, sm.shared_free);
    if (goes_to_memory(op) && !memory_.accepts(memory_.port_of(s.sm))) at = kNoTime;
    return at;
  }

  static bool goes_to_memory(const PtxOp& op) {
    return op.kind == PtxOp::Kind::kGlobalLoad || op.kind == PtxOp::Kind::kGlobalStore ||
           op.kind == PtxOp::Kind::kGlobalAtomic;
  }

  void choose(size_t number) {
    ChipScheduler& s = schedulers_[number];
    s.chosen = nullptr;
    s.next = kNoTime;
    ++s.version;
    for (ResidentWarp* w : s.warps) {
      if (w->at_barrier || w->needs == kNoTime) continue;
      const double at = start_of(s, *w);
      if (at == kNoTime) continue;
      if (at < s.next || (at == s.next && w->last_issue < s.chosen->last_issue)) {
        s.next = at;
        s.chosen = w;
      }
    }
    if (s.chosen != nullptr) events_.push({s.next, number, s.version});
  }

  void note(ResidentWarp& w, double from, double to, WarpState state, int line) {
    if (to <= from) return;
    now_.state_cycles[static_cast<size_t>(state)] += to - from;
    if (w.timeline < 0) return;
    std::vector<WarpInterval>& row = result_.timelines[static_cast<size_t>(w.timeline)].intervals;
    if (!row.empty() && row.back().state == state && row.back().ptx_line == line) {
      row.back().cycles += to - from;
    } else if (row.size() < kChipIntervals) {
      row.push_back({.start_cycle = from, .cycles = to - from, .state = state, .ptx_line = line});
    }
  }

  // Accounts for what the warp did since its last issue.
  void account(const ChipScheduler& s, ResidentWarp& w, const PtxOp& op, double at, double taken) {
    const Sm& sm = sms_[static_cast<size_t>(s.sm)];
    double from = w.last_issue;
    const auto step = [&](double to, WarpState state) {
      to = std::min(to, at);
      note(w, from, to, state, op.ptx_line);
      from = std::max(from, to);
    };
    step(w.barrier_until, WarpState::kBarrier);
    step(w.needs, w.waits_for);
    if (op.kind == PtxOp::Kind::kShared) step(sm.shared_free, WarpState::kMioThrottle);
    if (goes_to_memory(op))
      step(ports_[static_cast<size_t>(memory_.port_of(s.sm))].free, WarpState::kLgThrottle);
    step(sm.unit_free[static_cast<size_t>(op.unit)], WarpState::kMathPipeThrottle);
    step(at, WarpState::kNotSelected);
    note(w, at, at + taken, WarpState::kSelected, op.ptx_line);
  }

  void issue(size_t number, double at) {
    ChipScheduler& s = schedulers_[number];
    ResidentWarp& w = *s.chosen;
    const double free = issue_one(s, w, at);
    s.free = free;
    // Dual issue: another instruction of the same warp that does not depend on the first.
    for (int more = 1; more < chip_.issue_width && !w.done && !w.at_barrier; ++more) {
      const double held = s.free;
      s.free = at;
      w.work_out_needs(*in_.code);
      const bool goes = w.op_in(*in_.code).slots == 1 &&
                        w.op_in(*in_.code).kind != PtxOp::Kind::kBarrier && start_of(s, w) <= at;
      if (!goes) {
        s.free = held;
        break;
      }
      s.free = std::max(held, issue_one(s, w, at));
    }
    if (w.done) {
      leave(s, w, at);
    } else {
      w.work_out_needs(*in_.code);
    }
    choose(number);
    for (size_t other : freed_) {
      if (other != number) choose(other);
    }
    freed_.clear();
  }

  // Returns when the scheduler is free again.
  double issue_one(ChipScheduler& s, ResidentWarp& w, double at) {
    const PtxOp& op = w.op_in(*in_.code);
    Sm& sm = sms_[static_cast<size_t>(s.sm)];
    const auto unit = static_cast<size_t>(op.unit);
    double taken = op.slots * chip_.issue_cycles;
    // The other slots of a fetch are copies of its coordinates.
    const int in_the_unit = op.kind == PtxOp::Kind::kTexture ? 1 : op.slots;
    const double in_unit = in_the_unit * chip_.unit_cycles[unit];
    double result = at + chip_.alu_latency;
    WarpState why = WarpState::kWait;
    if (op.unit == Unit::kSpecial) {
      result = at + chip_.special_latency;
      why = WarpState::kShortScoreboard;
    } else if (op.unit == Unit::kFp64) {
      result = at + chip_.fp64_latency;
    }
    result += (op.slots - 1) * chip_.alu_latency;  // each instruction of a sequence depends on
                                                   // the previous one
    if (op.operand_site >= 0) {
      const ChipAccess access = access_of(w, op.operand_site);
      // A bank conflict reissues the whole instruction; without one, two half-warps take two
      // passes.
      const double times = std::max(1.0, access.passes / 2.0);
      taken += std::max(0.0, chip_.shared_operand * times - chip_.issue_cycles);
      take_shared(sm, at, access.passes * chip_.shared_pass);
      result += chip_.shared_latency - chip_.alu_latency;
    }
    switch (op.kind) {
      case PtxOp::Kind::kShared: {
        const ChipAccess access = access_of(w, op.site);
        const double passes = access.passes * chip_.shared_pass;
        take_shared(sm, at, passes);
        // 1.x reissues an access for each additional pass.
        if (chip_.shared_operand > 0) taken = std::max(taken, passes);
        result = at + chip_.shared_latency + std::max(0.0, passes - chip_.shared_pass);
        why = WarpState::kShortScoreboard;
        break;
      }
      case PtxOp::Kind::kGlobalLoad:
      case PtxOp::Kind::kGlobalStore:
      case PtxOp::Kind::kGlobalAtomic: {
        const ChipAccess access = access_of(w, op.site);
        why = WarpState::kLongScoreboard;
        if (access.pieces == 0) break;  // predicated off
        const ChipMemory::Kind kind = op.kind == PtxOp::Kind::kGlobalLoad ? ChipMemory::Kind::kLoad
                                      : op.kind == PtxOp::Kind::kGlobalStore
                                          ? ChipMemory::Kind::kStore
                                          : ChipMemory::Kind::kAtomic;
        uint64_t ticket = kNoTicket;
        if (kind != ChipMemory::Kind::kStore && !op.writes.empty()) {
          ticket = tickets_.take(w, op);
          result = kNoTime;  // until memory answers
        }
        pieces_ += access.pieces;
        memory_.ask(memory_.port_of(s.sm), at, ticket, kind, &in_.trace->pieces[access.first_piece],
                    access.pieces, access.idle);
        expect_memory(memory_.port_of(s.sm));
        break;
      }
      case PtxOp::Kind::kTexture:
        why = WarpState::kLongScoreboard;
        result = fetch(w, op, memory_.port_of(s.sm), std::max(at, sm.unit_free[unit]));
        break;
      default:
        break;
    }
    account(s, w, op, at, taken);
    now_.warp_cycles += at + taken - w.last_issue;
    now_.cycle = std::max(now_.cycle, at + taken);
    now_.instructions += op.slots;
    ++now_.ops;
    now_.issue_cycles += taken;
    now_.unit_cycles[unit] += in_unit;
    sm.unit_free[unit] = std::max(sm.unit_free[unit], at) + in_unit;
    w.last_issue = at + taken;
    for (int r : op.writes) {
      w.ready[static_cast<size_t>(r)] = result;
      w.why[static_cast<size_t>(r)] = why;
    }
    const bool waits = op.kind == PtxOp::Kind::kBarrier;
    ++w.op;
    w.settle(*in_.code);
    if (waits && !w.done) {
      w.at_barrier = true;
      ++w.block->arrived;
      release_if_all(*w.block, at);
    }
    return at + taken;
  }

  // When the texels arrive; infinity: memory will tell. A line in flight is assumed to arrive as
  // from idle memory.
  double fetch(ResidentWarp& w, const PtxOp& op, int port, double at) {
    const ChipAccess access = access_of(w, op.site);
    double there = at + chip_.texture_latency;
    UseFlow& use = result_.flow[MemoryUse::kTexture];
    if (texture_l1_.empty()) {  // sizes unknown: every fetch hits
      for (uint32_t n = 0; n < access.pieces; ++n)
        use.hits += in_.trace->pieces[access.first_piece + n].bytes() / 32.0;
      return there;
    }
    TextureCache& cache = texture_l1_[static_cast<size_t>(port)];
    std::vector<Piece> missing;
    for (uint32_t n = 0; n < access.pieces; ++n) {
      const Piece& line = in_.trace->pieces[access.first_piece + n];
      if (const double* ready = cache.find(line.address())) {
        there = std::max(there, *ready);
        use.hits += line.bytes() / 32.0;
      } else {
        missing.push_back(line);
        cache.bring(line.address(), at + chip_.texture_dram_latency);
      }
    }
    if (missing.empty()) return there;
    const uint64_t ticket = tickets_.take(w, op, there);
    if (fetched_.size() <= ticket) fetched_.resize(ticket + 1);
    fetched_[ticket] = std::move(missing);
    pieces_ += fetched_[ticket].size();
    memory_.ask(port, at, ticket, ChipMemory::Kind::kFetch, fetched_[ticket].data(),
                fetched_[ticket].size());
    expect_memory(port);
    return kNoTime;
  }

  void expect_memory(int number) {
    const double next = memory_.next_step(number);
    MemoryPort& port = ports_[static_cast<size_t>(number)];
    if (next == kNoTime || port.expected <= next) return;
    port.expected = next;
    events_.push({next, schedulers_.size() + static_cast<size_t>(number), 0});
  }

  void step_memory(int number, double now) {
    MemoryPort& port = ports_[static_cast<size_t>(number)];
    port.expected = kNoTime;
    const bool was_full = !memory_.accepts(number);
    const std::optional<ChipMemory::Finished> finished = memory_.step(number, now);
    if (finished && finished->ticket != kNoTicket) {
      const Ticket ticket = tickets_.give_back(finished->ticket);
      ResidentWarp& w = *ticket.warp;
      if (!w.done) {
        for (int r : ticket.op->writes)
          w.ready[static_cast<size_t>(r)] = std::max(ticket.least, finished->time);
        const bool stood = w.needs == kNoTime;
        if (stood) w.settle(*in_.code);
        if (w.done) {
          leave(schedulers_[w.scheduler], w, now);
        } else if (!w.at_barrier) {
          w.work_out_needs(*in_.code);
        }
        if (stood) freed_.push_back(w.scheduler);
      }
    }
    if (was_full && memory_.accepts(number)) {
      port.free = now;
      for (size_t s = 0; s < schedulers_.size(); ++s) {
        if (memory_.port_of(schedulers_[s].sm) == number) freed_.push_back(s);
      }
    }
    expect_memory(number);
    for (size_t n = 0; n < freed_.size(); ++n) wake(freed_[n], now);
    freed_.clear();
  }

  // A scheduler that was idle must not act in the past.
  void wake(size_t number, double now) {
    ChipScheduler& s = schedulers_[number];
    s.free = std::max(s.free, now);
    choose(number);
  }

  void take_shared(Sm& sm, double at, double cycles) {
    sm.shared_free = std::max(sm.shared_free, at) + cycles;
    now_.shared_cycles += cycles;
  }

  ChipAccess access_of(ResidentWarp& w, int site) {
    if (site < 0) return {};
    const auto& all = w.trace->accesses[static_cast<size_t>(site)];
    uint32_t& next = w.next_access[static_cast<size_t>(site)];
    if (next >= all.size()) return {};
    count_access(*in_.trace, all[next], result_.flow);
    return all[next++];
  }

  void release_if_all(ResidentBlock& block, double at) {
    if (block.arrived == 0 || block.arrived < block.live) return;
    block.arrived = 0;
    for (ResidentWarp& other : block.warps) {
      if (!other.at_barrier) continue;
      other.at_barrier = false;
      other.barrier_until = at + chip_.barrier;
      if (!other.done) other.work_out_needs(*in_.code);
    }
    for (int n = 0; n < chip_.schedulers; ++n) {
      freed_.push_back(static_cast<size_t>(block.sm * chip_.schedulers + n));
    }
  }

  void leave(ChipScheduler& s, ResidentWarp& w, double at) {
    std::erase(s.warps, &w);
    if (--w.block->live == 0) {
      end_of(*w.block, at);
    } else {
      release_if_all(*w.block, at);
    }
  }

  void end_of(ResidentBlock& block, double at) {
    for (ResidentWarp& w : block.warps) {
      w.ready = {};
      w.why = {};
      w.next_access = {};
    }
    ++now_.blocks;
    now_.memory = memory_.totals();
    result_.marks.push_back(now_);
    const int sm = block.sm;
    launch(sm, at + chip_.block_refill);
    for (int n = 0; n < chip_.schedulers; ++n)
      freed_.push_back(static_cast<size_t>(sm * chip_.schedulers + n));
  }

  const WholeChipInput& in_;
  const WholeChipFigures& chip_;
  ChipMemory& memory_;
  std::vector<Sm> sms_;
  std::vector<MemoryPort> ports_;
  std::vector<ChipScheduler> schedulers_;
  std::vector<std::unique_ptr<ResidentBlock>> blocks_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  Tickets tickets_;
  std::vector<TextureCache> texture_l1_;     // by port
  std::vector<std::vector<Piece>> fetched_;  // by ticket: lines that a fetch waits for
  std::vector<size_t> freed_;                // schedulers whose warps changed while another issued
  size_t next_block_ = 0;
  uint32_t timelines_ = 0;
  uint64_t pieces_ = 0;
  ChipMark now_;
  WholeChipResult result_;
};

}  // namespace

WholeChipResult simulate_chip(const WholeChipInput& input, ChipMemory& memory) {
  return ChipSimulation(input, memory).run();
}

}  // namespace warpshop::timing
