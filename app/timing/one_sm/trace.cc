#include "one_sm/trace.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <map>

#include "models/atomic_loop.h"
#include "models/banks.h"
#include "models/coalescer.h"
#include "one_sm/fetched_texels.h"
#include "one_sm/last_pattern.h"
#include "one_sm/line_set.h"
#include "one_sm/moments.h"
#include "one_sm/sharing_sink.h"

namespace warpshop::timing {
namespace {

using emulator::AccessKind;
using emulator::AccessSite;

// One product of fragments takes the emulator as long as about 40 other instructions.
constexpr double kMatrixProduct = 40;

// Matrix products of 16 × 8 sums that a warp makes with this instruction: of wgmma's
// ".m64n256k16", it makes a quarter of the rows.
double matrix_products_of(const ptx::Instruction& i) {
  if (i.opcode == "mma") return 1;
  if (i.modifiers.empty()) return 0;
  if (i.opcode == "wmma") return i.modifiers.front() == "mma" ? 1 : 0;
  if (i.opcode != "wgmma" || i.modifiers.front() != "mma_async") return 0;
  for (const std::string& modifier : i.modifiers) {
    const size_t n = modifier.find('n');
    if (modifier.starts_with("m64n")) return std::atof(modifier.c_str() + n + 1) / 8;
  }
  return 1;
}

// Lines of local memory: above all of global memory, below the tags for copies of blocks
// (MemoryPath::place_of).
constexpr uint64_t kLocalLines = uint64_t{1} << 54;
constexpr uint64_t kLocalWordsOfWarp = uint64_t{1} << 14;

class TraceSink final : public emulator::AccessSink,
                        public emulator::AccessSinkFactory,
                        public emulator::PathSink,
                        public emulator::TextureSink {
 public:
  TraceSink(Trace& trace, Sharing& sharing, Sharing::Who who, uint32_t warps,
            const FetchSites& fetches, const FlopCount& flop, TexelLayout layout,
            const std::vector<IssuePlan>& plans)
      : trace_(trace),
        sharing_(sharing),
        who_(who),
        warps_(warps),
        fetches_(fetches),
        flop_(flop),
        layout_(layout),
        plans_(plans),
        moments_(fetches.end()) {}

  emulator::AccessSink* make_sink(const std::vector<AccessSite>& sites, int) override {
    known_.resize(sites.size());
    for (const AccessSite& site : sites) {
      roles_.push_back(barrier_role(site));
      is_copy_target_.push_back(is_copy_target(site));
    }
    return this;
  }

  void on_block(uint64_t block, uint32_t warp, uint32_t basic_block,
                uint32_t active_mask) override {
    WarpTrace& trace = trace_of(block, warp);
    trace_.flop += flop_.of(basic_block, active_mask);
    Polling& polling = polling_[warp];
    ++polling.entered;
    if (polling.failed && polling.block == basic_block) {
      polling.again.clear();
      return;
    }
    polling.block = polling.failed ? polling.block : basic_block;
    polling.again.push_back(basic_block);
    if (polling.failed && polling.again.size() <= kLongestRetry) return;
    settle(polling, trace);
  }

  void on_phase(uint64_t block, uint64_t object) override {
    current_phase(trace_of_block(block), object);
    complete_[object] = current_[object];
    current_.erase(object);
  }

  void on_test(uint64_t block, uint32_t warp, uint32_t site, uint64_t object,
               bool complete) override {
    WarpTrace& trace = trace_of(block, warp);
    Polling& polling = polling_[warp];
    if (polling.failed && !polling.again.empty()) settle(polling, trace);
    polling.failed = !complete;
    if (!complete) return;
    const auto phase = complete_.find(object);
    trace.ops[site].push_back({.use = MemoryUse::kSharedAtomic,
                               .phase = phase == complete_.end() ? 0 : phase->second,
                               .tests = true});
  }

  void on_bulk_copy(uint64_t block, uint32_t warp, uint32_t site, uint64_t object) override {
    WarpTrace& trace = trace_of(block, warp);
    Polling& polling = polling_[warp];
    if (polling.copied == polling.entered && polling.copied_site == site &&
        !trace.ops[site].empty())
      trace.ops[site].back().more = true;
    polling.copied = polling.entered;
    polling.copied_site = site;
    const uint32_t phase = current_phase(trace_of_block(block), object);
    ++trace_.blocks.back().phases[phase - 1];
    trace.ops[site].push_back(
        {.first_line = static_cast<uint32_t>(trace_.lines.size()), .phase = phase});
  }

  void on_fetch(const emulator::WarpIdentity& warp, const emulator::TextureFetch& fetch) override {
    const auto number = static_cast<uint32_t>(fetches_.find(fetch.function, fetch.instruction));
    MemoryOp op{.first_line = static_cast<uint32_t>(trace_.lines.size()),
                .use = MemoryUse::kTexture};
    LineSet set(trace_.lines);
    for_each_texel(
        layout_, fetch,
        [&](const std::array<uint64_t, models::kLanes>& address, uint32_t lanes, uint32_t width) {
          sharing_.note(who_, 0, AccessKind::kLoad, address.data(), lanes, width,
                        moments_.next(warp, number));
          for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
            const uint64_t a = address[static_cast<size_t>(std::countr_zero(rest))];
            set.add(a / 128, static_cast<uint32_t>(a % 128 / 32), width,
                    static_cast<uint32_t>(a % 32));
          }
        });
    set.close();
    op.line_count = static_cast<uint16_t>(set.size());
    trace_of(warp.linear_block, warp.warp).ops[number].push_back(op);
  }

  void on_access(const emulator::WarpIdentity& warp, const AccessSite& site,
                 const emulator::WarpAccess& access) override {
    if (access.active_mask == 0 || roles_[access.site] == BarrierRole::kTests) return;
    if (roles_[access.site] == BarrierRole::kArrives) return note_arrival(warp, access);
    const auto [parts, again] = known_[access.site].find(site, access);
    if (access.space != ptx::Space::kGlobal && access.space != ptx::Space::kShared &&
        access.space != ptx::Space::kLocal) {
      return;
    }
    auto& ops = trace_of(warp.linear_block, warp.warp).ops[access.site];
    const uint32_t moment =
        access.space == ptx::Space::kGlobal ? moments_.next(warp, access.site) : 0;
    for (size_t n = 0; n < static_cast<size_t>(plans_[access.site].count); ++n) {
      Part& part = (*parts)[n];
      if (again) {
        take_again(site, access, part, moment, ops);
      } else {
        take(warp, site, access, n, part, moment, ops);
      }
    }
  }

 private:
  // A warp whose test of a phase failed tests again, often several times, where the emulator's
  // warps take turns; the simulation's warp waits once. So the way back to the test is left out.
  struct Polling {
    bool failed = false;
    uint32_t block = 0;           // basic block of the last test, or else the last one entered
    std::vector<uint32_t> again;  // basic blocks entered since
    uint64_t entered = 0;         // basic blocks
    uint64_t copied = ~uint64_t{0};
    uint32_t copied_site = 0;
  };
  static constexpr size_t kLongestRetry = 32;  // basic blocks

  // Of an access, or of each of the two that it is issued as: what it is in the trace, and the
  // pieces that it touches, both as seen from its lowest lane's line.
  struct Part {
    Sharing::Pieces pieces;
    MemoryOp op;
  };
  using Parts = std::array<Part, 2>;

  // Line of the lowest lane's address.
  static uint64_t first_line(const emulator::WarpAccess& access) {
    return first_address(access) / 128;
  }

  void take(const emulator::WarpIdentity& warp, const AccessSite& site,
            const emulator::WarpAccess& access, size_t number, Part& part, uint32_t moment,
            std::vector<MemoryOp>& ops) {
    const IssuePlan& plan = plans_[access.site];
    models::WarpRequest request{.active_mask = plan.lanes(access.active_mask),
                                .width_bytes = plan.width[number]};
    for (size_t lane = 0; lane < models::kLanes; ++lane) {
      request.address[lane] = access.address[lane] + static_cast<uint64_t>(plan.offset[number]);
    }
    const uint64_t from = first_line(access);
    if (access.space == ptx::Space::kGlobal) {
      Sharing::find_pieces(site.kind, request.address.data(), request.active_mask,
                           request.width_bytes, from * 128, part.pieces);
      sharing_.note(who_, 0, site.kind, part.pieces, from * 128, moment);
    }
    if (roles_[access.site] == BarrierRole::kCopies) {
      MemoryOp& copy = ops.back();
      copy.line_count =
          static_cast<uint16_t>(copy.line_count + global_op(site, request, 0).line_count);
      return;
    }
    if (is_copy_target_[access.site]) {
      ops.push_back(shared_op(plan, request));
      ops.back().visits = segments_of(request);
      ops.back().first_line = lowest_address(request);
      ops.back().use = MemoryUse::kSharedStore;
      return;
    }
    ops.push_back(access.space == ptx::Space::kShared  ? shared_op(plan, request)
                  : access.space == ptx::Space::kLocal ? local_op(warp, request)
                                                       : global_op(site, request, from));
    ops.back().use = memory_use(site.kind, access.space);
    part.op = ops.back();
  }

  // An access that repeats the site's last one has its lines, from its own address on.
  void take_again(const AccessSite& site, const emulator::WarpAccess& access, Part& part,
                  uint32_t moment, std::vector<MemoryOp>& ops) {
    if (access.space == ptx::Space::kGlobal) {
      part.op.from = first_line(access);
      sharing_.note(who_, 0, site.kind, part.pieces, part.op.from * 128, moment);
      if (site.kind != AccessKind::kLoad) note_visits(part.op);
    }
    ops.push_back(part.op);
  }

  void note_visits(const MemoryOp& op) {
    const AccessedLines lines = trace_.lines_of(op);
    for (size_t l = 0; l < lines.count; ++l) {
      const LineAccess line = lines[l];
      sharing_.note_visits(line.line, std::max<uint32_t>(1, line.visits + line.whole_visits));
    }
  }

  static void settle(Polling& polling, WarpTrace& trace) {
    for (const uint32_t b : polling.again) append(trace.path, b);
    if (!polling.again.empty()) polling.block = polling.again.back();
    polling.again.clear();
    polling.failed = false;
  }

  BlockTrace& trace_of_block(uint64_t block) {
    if (trace_.blocks.empty() || trace_.blocks.back().block != block) {
      trace_.blocks.push_back(
          {.block = block, .warps = std::vector<WarpTrace>(warps_), .phases = {}, .objects = {}});
      for (WarpTrace& w : trace_.blocks.back().warps) w.ops.resize(plans_.size() + fetches_.size());
      polling_.assign(warps_, {});
      current_.clear();
      complete_.clear();
    }
    return trace_.blocks.back();
  }
  WarpTrace& trace_of(uint64_t block, uint32_t warp) { return trace_of_block(block).warps[warp]; }

  uint32_t current_phase(BlockTrace& block, uint64_t object) {
    uint32_t& phase = current_[object];
    if (phase == 0) {
      block.phases.push_back(0);
      block.objects.push_back(object);
      phase = static_cast<uint32_t>(block.phases.size());
    }
    return phase;
  }

  void note_arrival(const emulator::WarpIdentity& warp, const emulator::WarpAccess& access) {
    BlockTrace& block = trace_of_block(warp.linear_block);
    const uint32_t phase = current_phase(
        block, access.address[static_cast<size_t>(std::countr_zero(access.active_mask))]);
    ++block.phases[phase - 1];
    block.warps[warp.warp].ops[access.site].push_back(
        {.use = MemoryUse::kSharedAtomic, .phase = phase});
  }

  static MemoryOp shared_op(const IssuePlan& plan, const models::WarpRequest& request) {
    if (models::is_atomic_loop(plan.shared_access)) {
      const models::AtomicLoopCounts loop = models::count_atomic_loop(request, plan.shared_access);
      return {.wavefronts = static_cast<uint16_t>(loop.total().wavefronts),
              .rounds = static_cast<uint16_t>(loop.rounds),
              .load_wavefronts = static_cast<uint16_t>(loop.loads.wavefronts),
              .load_rounds = static_cast<uint16_t>(loop.load_instructions)};
    }
    return {.wavefronts = static_cast<uint16_t>(
                std::max(1, models::count_wavefronts(request, plan.shared_access).wavefronts))};
  }

  static uint32_t lowest_address(const models::WarpRequest& request) {
    uint64_t lowest = ~uint64_t{0};
    for (uint32_t rest = request.active_mask; rest != 0; rest &= rest - 1)
      lowest = std::min(lowest, request.address[static_cast<size_t>(std::countr_zero(rest))]);
    return static_cast<uint32_t>(lowest);
  }

  // Aligned pieces of 32 bytes of shared memory.
  static uint16_t segments_of(const models::WarpRequest& request) {
    std::array<uint64_t, models::kLanes> segments{};
    size_t count = 0;
    for (uint32_t rest = request.active_mask; rest != 0; rest &= rest - 1)
      segments[count++] = request.address[static_cast<size_t>(std::countr_zero(rest))] / 32;
    const auto end = segments.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(segments.begin(), end);
    return static_cast<uint16_t>(std::unique(segments.begin(), end) - segments.begin());
  }

  // Local memory interleaves the lanes' words: there is one line per word of a thread, and lanes
  // may access different ones.
  MemoryOp local_op(const emulator::WarpIdentity& warp, const models::WarpRequest& request) {
    MemoryOp op{.first_line = static_cast<uint32_t>(trace_.lines.size())};
    LineSet set(trace_.lines);
    const uint64_t first = kLocalLines + (warp.linear_block * 32 + warp.warp) * kLocalWordsOfWarp;
    for (uint32_t rest = request.active_mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      const uint64_t a = request.address[lane];
      for (uint64_t word = a / 4; word <= (a + request.width_bytes - 1) / 4; ++word) {
        set.add(first + word % kLocalWordsOfWarp, lane / 8,
                std::min<uint32_t>(4, request.width_bytes), lane % 8 * 4);
      }
    }
    set.close();
    op.line_count = static_cast<uint16_t>(set.size());
    return op;
  }

  // An atomic's lines start from 0.
  MemoryOp global_op(const AccessSite& site, const models::WarpRequest& request, uint64_t from) {
    const AccessKind kind = site.kind;
    MemoryOp op{.first_line = static_cast<uint32_t>(trace_.lines.size())};
    const bool atomic = kind == AccessKind::kAtomic || kind == AccessKind::kReduction;
    if (!atomic) op.from = from;
    const size_t base = trace_.lines.size();
    LineSet set(trace_.lines);
    for (uint32_t rest = request.active_mask; rest != 0; rest &= rest - 1) {
      const uint64_t a = request.address[static_cast<size_t>(std::countr_zero(rest))];
      set.add(a / 128, static_cast<uint32_t>(a % 128 / 32), request.width_bytes,
              static_cast<uint32_t>(a % 32));
      const uint64_t last = a + request.width_bytes - 1;
      if (last / 32 != a / 32) set.add(last / 128, static_cast<uint32_t>(last % 128 / 32), 0, 0);
    }
    set.close(op.from);
    const size_t count = set.size();
    op.line_count = static_cast<uint16_t>(count);
    if (atomic) {
      op.returned = kind == AccessKind::kAtomic;
      for (size_t l = 0; l < count; ++l) {
        op.visits = static_cast<uint16_t>(op.visits + visit(trace_.lines[base + l], site, request));
      }
    } else if (kind == AccessKind::kLoad) {
      op.wavefronts =
          static_cast<uint16_t>(std::max(1, models::count_wavefronts(request).wavefronts));
    }
    if (kind == AccessKind::kStore) {
      // Outgoing data passes the stage of shared memory and L1, 128 bytes at a time.
      op.wavefronts = static_cast<uint16_t>(
          (static_cast<uint32_t>(std::popcount(request.active_mask)) * request.width_bytes + 127) /
          128);
    }
    if (kind != AccessKind::kLoad) note_visits(op);
    return op;
  }

  // Each visit of a sector serves each of its words once. The first 8-byte floating-point addition
  // to a sector costs no more than a 4-byte one (tests/microbench, "random_atomics"); each further
  // one takes two visits (assumed: the only measurement, add-float, is among the recorded kernels).
  // Returns the line's visits without this correction.
  static int visit(LineAccess& line, const AccessSite& site, const models::WarpRequest& request) {
    const bool twice = request.width_bytes == 8 && site.text.find(".f64") != std::string::npos;
    int counted = 0;
    for (uint32_t sector = 0; sector < 4; ++sector) {
      models::WarpRequest part{.width_bytes = request.width_bytes};
      part.address = request.address;
      for (uint32_t rest = request.active_mask; rest != 0; rest &= rest - 1) {
        const uint64_t a = request.address[static_cast<size_t>(std::countr_zero(rest))];
        if (a / 32 == line.line * 4 + sector) part.active_mask |= rest & (0 - rest);
      }
      if (part.active_mask == 0) continue;
      const int count = models::count_atomic_sectors(part);
      counted += count;
      const int visits = twice ? 2 * count - 1 : count;
      const bool whole =
          std::popcount(part.active_mask) * static_cast<int>(request.width_bytes) == 32 * count;
      (whole ? line.whole_visits : line.visits) += static_cast<uint8_t>(visits);
    }
    return counted;
  }

  Trace& trace_;
  Sharing& sharing_;
  Sharing::Who who_;
  uint32_t warps_;
  const FetchSites& fetches_;
  const FlopCount& flop_;
  TexelLayout layout_;
  const std::vector<IssuePlan>& plans_;
  std::vector<BarrierRole> roles_;
  std::vector<bool> is_copy_target_;
  std::vector<LastPattern<Parts>> known_;  // by site
  Moments moments_;
  // Of the block that is running: by warp; and by mbarrier object, the phase that is running and
  // the last complete one, as in MemoryOp::phase.
  std::vector<Polling> polling_;
  std::map<uint64_t, uint32_t> current_;
  std::map<uint64_t, uint32_t> complete_;
};

// For the preceding launch.
class NoSink final : public emulator::AccessSink, public emulator::AccessSinkFactory {
 public:
  emulator::AccessSink* make_sink(const std::vector<AccessSite>&, int) override { return this; }
  void on_access(const emulator::WarpIdentity&, const AccessSite&,
                 const emulator::WarpAccess&) override {}
};

}  // namespace

Status Recorder::record(const std::vector<uint64_t>& blocks, Sharing::Who who, Trace& trace,
                        Sharing& sharing) {
  const auto warps = static_cast<uint32_t>((run_.launch->block.count() + 31) / 32);
  TraceSink sink(trace, sharing, who, warps, fetches_, flop_, layout_, plans_);
  return launch(blocks, sink, &sink, sink);
}

Status Recorder::look(const std::vector<uint64_t>& blocks, Sharing::Who who, int sm,
                      Sharing& sharing) {
  SharingSink sink(sharing, who, sm, fetches_, layout_, plans_, block_instructions_, looked_at_);
  return launch(blocks, sink, &sink, sink);
}

double Recorder::extra_cost(const BlockTrace& block) const {
  double cost = 0;
  for (const WarpTrace& warp : block.warps) {
    for (const auto& [basic_block, times] : warp.path) cost += block_extra_[basic_block] * times;
  }
  return cost;
}

std::vector<BlockWork> Recorder::work_of(const Trace& trace) const {
  std::vector<BlockWork> work;
  for (const BlockTrace& block : trace.blocks) {
    work.push_back({.block = block.block});
    for (const WarpTrace& warp : block.warps) {
      double instructions = 0;
      for (const auto& [basic_block, times] : warp.path)
        instructions += block_instructions_[basic_block] * times;
      work.back().all += instructions;
      work.back().longest = std::max(work.back().longest, instructions);
    }
  }
  return work;
}

Recorder::Recorder(const SampleRun& run, TexelLayout layout, emulator::DeviceMemory& memory)
    : run_(run), layout_(layout), fetches_(*run.program), flop_(*run.program), memory_(memory) {
  for (const emulator::Program::BasicBlock& block : run_.program->basic_blocks()) {
    block_instructions_.push_back(static_cast<double>(block.instructions.size()));
    const auto& body = run_.program->module().functions[static_cast<size_t>(block.function)].body;
    double products = 0;
    for (const int i : block.instructions)
      products += matrix_products_of(body[static_cast<size_t>(i)]);
    block_extra_.push_back(kMatrixProduct * products);
  }
  block_extra_.push_back(0);
  block_instructions_.push_back(0);  // a block without instructions of its own
  const std::vector<AccessSite>& sites = run_.program->access_sites();
  for (const AccessSite& site : sites) plans_.push_back(plan_of(site));
  twice_ = std::any_of(sites.begin(), sites.end(), [](const AccessSite& site) {
    return site.kind == AccessKind::kAtomic && site.space != ptx::Space::kShared;
  });
}

Status Recorder::launch(const std::vector<uint64_t>& blocks, emulator::AccessSinkFactory& accesses,
                        emulator::PathSink* path, emulator::TextureSink& fetches) {
  if (twice_) {
    NoSink nobody;
    const Result<uint64_t> before = run_sample(run_, blocks, memory_, nobody, nullptr);
    if (!before.ok()) return before.errors();
  }
  const Result<uint64_t> instructions = run_sample(run_, blocks, memory_, accesses, path, &fetches);
  if (!instructions.ok()) return instructions.errors();
  warp_instructions_ += *instructions;
  return success();
}

}  // namespace warpshop::timing
