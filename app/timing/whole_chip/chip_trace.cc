#include "whole_chip/chip_trace.h"

#include <algorithm>
#include <array>
#include <bit>

#include "issue_plan.h"
#include "models/bank_generations.h"
#include "models/coalescer.h"
#include "models/transactions.h"
#include "predict/flop_count.h"
#include "timing/generations.h"

namespace warpshop::timing {
namespace {

using emulator::AccessKind;
using emulator::AccessSite;

constexpr uint64_t kLocalMemory = uint64_t{1} << 50;  // a separate address range

class Sink final : public emulator::AccessSink,
                   public emulator::AccessSinkFactory,
                   public emulator::PathSink,
                   public emulator::TextureSink {
 public:
  Sink(const WholeChipFigures& chip, ChipTrace& trace, const emulator::Program& program,
       uint32_t warps)
      : chip_(chip), trace_(trace), fetches_(program), flop_(program), warps_(warps) {}

  emulator::AccessSink* make_sink(const std::vector<AccessSite>& sites, int) override {
    plans_.clear();
    for (const AccessSite& site : sites) plans_.push_back(plan_of(site));
    known_.assign(sites.size(), {});
    return this;
  }

  void on_block(uint64_t block, uint32_t warp, uint32_t basic_block,
                uint32_t active_mask) override {
    append(warp_of(block, warp).path, basic_block);
    trace_.flop += flop_.of(basic_block, active_mask);
  }

  // Looks up texture-cache lines in lane order.
  void on_fetch(const emulator::WarpIdentity& warp, const emulator::TextureFetch& fetch) override {
    ChipAccess out{.first_piece = static_cast<uint32_t>(trace_.pieces.size()),
                   .use = MemoryUse::kTexture};
    const uint32_t bytes = chip_.texture_l1.line_bytes;
    for (uint32_t rest = fetch.active_mask; rest != 0; rest &= rest - 1) {
      const auto& lane = fetch.lanes[static_cast<size_t>(std::countr_zero(rest))];
      for (int n = 0; n < lane.texels; ++n) {
        const uint64_t at =
            texel_address(chip_.texel_layout, *lane.texture, lane.offset[static_cast<size_t>(n)]);
        const Piece line = Piece::of(at / bytes * bytes, bytes);
        const auto first = trace_.pieces.begin() + out.first_piece;
        const auto same = [&](const Piece& p) { return p.packed == line.packed; };
        if (std::none_of(first, trace_.pieces.end(), same)) trace_.pieces.push_back(line);
      }
    }
    out.pieces = static_cast<uint16_t>(trace_.pieces.size() - out.first_piece);
    const int number = fetches_.find(fetch.function, fetch.instruction);
    warp_of(warp.linear_block, warp.warp).accesses[static_cast<size_t>(number)].push_back(out);
  }

  void on_access(const emulator::WarpIdentity& warp, const AccessSite& site,
                 const emulator::WarpAccess& access) override {
    const bool shared = access.space == ptx::Space::kShared;
    if (access.active_mask == 0) {
      warp_of(warp.linear_block, warp.warp).accesses[access.site].push_back({});
      return;
    }
    if (!shared && access.space != ptx::Space::kGlobal && access.space != ptx::Space::kLocal)
      return;
    // Assumes that back ends from 2.x on merged or narrowed accesses as today's does; 1.x executes
    // the PTX as written.
    const bool as_written = is_first_generation(chip_.capability);
    const IssuePlan& plan = plans_[access.site];
    const int parts = as_written ? 1 : plan.count;
    ChipAccess out{.first_piece = static_cast<uint32_t>(trace_.pieces.size()),
                   .use = memory_use(site.kind, access.space)};
    for (int p = 0; p < parts; ++p) {
      const auto part = static_cast<size_t>(p);
      models::WarpRequest request;
      request.active_mask = as_written ? access.active_mask : plan.lanes(access.active_mask);
      request.width_bytes = as_written ? site.width_bytes() : plan.width[part];
      const uint64_t offset = as_written ? 0 : static_cast<uint64_t>(plan.offset[part]);
      for (size_t lane = 0; lane < models::kLanes; ++lane)
        request.address[lane] = access.address[lane] + offset;
      if (shared) {
        out.passes = static_cast<uint16_t>(out.passes + passes_of(access, plan, request, p));
      } else if (access.space == ptx::Space::kLocal) {
        add_local(warp, request);
      } else {
        out.idle = static_cast<uint16_t>(out.idle + add_pieces(access, site.kind, request, p));
      }
    }
    out.pieces =
        static_cast<uint16_t>(std::min<size_t>(trace_.pieces.size() - out.first_piece, 65535));
    warp_of(warp.linear_block, warp.warp).accesses[access.site].push_back(out);
  }

 private:
  // A site's last access and its pieces; most accesses repeat it at another address.
  struct Known {
    uint64_t base = 0;
    bool valid = false;
    uint16_t passes = 0;
    int idle = 0;
    std::vector<Piece> pieces;
  };

  ChipWarp& warp_of(uint64_t block, uint32_t warp) {
    if (trace_.blocks.empty() || trace_.blocks.back().block != block) {
      trace_.blocks.push_back({.block = block, .warps = std::vector<ChipWarp>(warps_)});
      for (ChipWarp& w : trace_.blocks.back().warps)
        w.accesses.resize(plans_.size() + fetches_.size());
    }
    return trace_.blocks.back().warps[warp];
  }

  static uint64_t base_of(const models::WarpRequest& request) {
    return request.address[static_cast<size_t>(std::countr_zero(request.active_mask))];
  }

  int passes_of(const emulator::WarpAccess& access, const IssuePlan& plan,
                const models::WarpRequest& request, int part) {
    Known& known = known_[access.site];
    const uint64_t base = base_of(request);
    constexpr uint64_t kRepeats = 256;  // bytes after which banks and word rows repeat
    if (part == 0 && access.same_pattern && known.valid && (base - known.base) % kRepeats == 0)
      return known.passes;
    const models::GenerationBankResult result =
        models::explain_bank_generation(chip_.banks, request, plan.shared_access);
    const auto passes = static_cast<uint16_t>(std::max<size_t>(1, result.passes.size()));
    known.valid = part == 0;
    known.base = base;
    known.passes = passes;
    return passes;
  }

  // Port slots for inactive lanes of a half-warp that 1.0 and 1.1 serve lane by lane: "16 separate
  // 32-byte memory transactions are issued" (CUDA C Programming Guide 4.2, F.3.2.1), whichever
  // lanes are active. Examples 5 and 6 of Convolution Soup with an unaligned pitch confirm this:
  // with the same number of active lanes, but 40 and 60 half-warps per block, they take 1.6 and 2.4
  // ms.
  static int idle_turns(models::CoalescingRule rule, const models::TransactionResult& result) {
    if (rule != models::CoalescingRule::kStrictHalfWarps) return 0;
    std::array<int, 2> lanes{};
    for (const models::Transaction& t : result.transactions) {
      if (t.bytes == 32) ++lanes[static_cast<size_t>(t.request)];
    }
    int idle = 0;
    for (const int active : lanes) idle += active > 0 ? 16 - active : 0;
    return idle;
  }

  int add_pieces(const emulator::WarpAccess& access, AccessKind kind,
                 const models::WarpRequest& request, int part) {
    Known& known = known_[access.site];
    const uint64_t base = base_of(request);
    if (part == 0 && access.same_pattern && known.valid && (base - known.base) % 128 == 0) {
      for (const Piece& piece : known.pieces) {
        trace_.pieces.push_back(Piece::of(piece.address() + (base - known.base), piece.bytes()));
      }
      return known.idle;
    }
    const bool atomic = kind == AccessKind::kAtomic || kind == AccessKind::kReduction;
    const models::GlobalAccess global = atomic                      ? models::GlobalAccess::kAtomic
                                        : kind == AccessKind::kLoad ? models::GlobalAccess::kLoad
                                                                    : models::GlobalAccess::kStore;
    const models::CoalescingRule rule = atomic                      ? chip_.atomic_rule
                                        : kind == AccessKind::kLoad ? chip_.load_rule
                                                                    : chip_.store_rule;
    const size_t first = trace_.pieces.size();
    const models::TransactionResult result = models::explain_transactions(rule, request, global);
    // For atomics the counts give the number of sector visits, and the transactions say which
    // sectors.
    const auto visits = atomic
                            ? std::max<size_t>(1, static_cast<size_t>(result.counts.transactions))
                            : result.transactions.size();
    for (size_t n = 0; n < visits && !result.transactions.empty(); ++n) {
      const models::Transaction& t = result.transactions[n % result.transactions.size()];
      trace_.pieces.push_back(
          Piece::of(t.address & ~uint64_t{31}, std::max<uint32_t>(32, t.bytes)));
    }
    known.valid = part == 0;
    known.base = base;
    known.idle = atomic ? 0 : idle_turns(rule, result);
    known.pieces.assign(trace_.pieces.begin() + static_cast<std::ptrdiff_t>(first),
                        trace_.pieces.end());
    return known.idle;
  }

  // Local memory interleaves a warp's lanes word by word.
  void add_local(const emulator::WarpIdentity& warp, const models::WarpRequest& request) {
    const uint64_t line = (warp.linear_block * 64 + warp.warp) * 4096 + base_of(request) / 4;
    const uint32_t bytes = std::max<uint32_t>(1, request.width_bytes / 4);
    for (uint32_t n = 0; n < bytes; ++n)
      trace_.pieces.push_back(Piece::of(kLocalMemory + (line + n) * 128, 128));
  }

  const WholeChipFigures& chip_;
  ChipTrace& trace_;
  FetchSites fetches_;
  FlopCount flop_;
  uint32_t warps_;
  std::vector<IssuePlan> plans_;
  std::vector<Known> known_;
};

}  // namespace

void count_access(const ChipTrace& trace, const ChipAccess& access, MemoryFlow& flow) {
  if (access.pieces == 0 && access.passes == 0) return;  // predicated off
  UseFlow& use = flow[access.use];
  use.requests += 1;
  use.wavefronts += access.passes;
  for (uint32_t n = 0; n < access.pieces; ++n)
    use.sectors += trace.pieces[access.first_piece + n].bytes() / 32.0;
}

Status record_blocks(const SampleRun& run, const WholeChipFigures& chip,
                     const std::vector<uint64_t>& blocks, emulator::DeviceMemory& memory,
                     ChipTrace& trace) {
  Sink sink(chip, trace, *run.program,
            static_cast<uint32_t>((run.launch->block.count() + 31) / 32));
  const Result<uint64_t> instructions = run_sample(run, blocks, memory, sink, &sink, &sink);
  if (!instructions.ok()) return instructions.errors();
  trace.warp_instructions += *instructions;
  return success();
}

}  // namespace warpshop::timing
