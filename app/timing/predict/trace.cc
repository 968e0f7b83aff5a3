#include "predict/trace.h"

#include <algorithm>
#include <array>
#include <bit>

#include "issue_plan.h"
#include "models/banks.h"
#include "models/coalescer.h"

namespace warpshop::timing {
namespace {

using emulator::AccessKind;
using emulator::AccessSite;

// The same warp of two blocks comes to the same instruction at about the same time. (Its turn in a loop is not told: what
// a loop loads is mostly another place each time.)
uint32_t moment_of(const emulator::WarpIdentity& warp, uint32_t site) { return warp.warp * 4096 + site; }

class TraceSink final : public emulator::AccessSink,
                       public emulator::AccessSinkFactory,
                       public emulator::PathSink {
 public:
  TraceSink(Trace& trace, Sharing& sharing, Sharing::Who who, uint32_t warps)
      : trace_(trace), sharing_(sharing), who_(who), warps_(warps) {}

  emulator::AccessSink* make_sink(const std::vector<AccessSite>& sites, int) override {
    plans_.clear();
    for (const AccessSite& site : sites) plans_.push_back(plan_of(site));
    return this;
  }

  void on_block(uint64_t block, uint32_t warp, uint32_t basic_block, uint32_t) override {
    append(trace_of(block, warp).path, basic_block);
  }

  void on_access(const emulator::WarpIdentity& warp, const AccessSite& site,
                 const emulator::WarpAccess& access) override {
    if (access.active_mask == 0) return;
    const IssuePlan& plan = plans_[access.site];
    if (access.space != ptx::Space::kGlobal && access.space != ptx::Space::kShared &&
        access.space != ptx::Space::kLocal) {
      return;
    }
    auto& ops = trace_of(warp.linear_block, warp.warp).ops[access.site];
    for (int i = 0; i < plan.count; ++i) {
      const auto part = static_cast<size_t>(i);
      models::WarpRequest request{.active_mask = plan.lanes(access.active_mask),
                                  .width_bytes = plan.width[part]};
      for (size_t lane = 0; lane < models::kLanes; ++lane) {
        request.address[lane] = access.address[lane] + static_cast<uint64_t>(plan.offset[part]);
      }
      if (access.space == ptx::Space::kGlobal) {
        sharing_.note(who_, 0, site.kind, request.address.data(), request.active_mask,
                      request.width_bytes, moment_of(warp, access.site));
      }
      ops.push_back(access.space == ptx::Space::kShared ? shared_op(plan, request)
                    : access.space == ptx::Space::kLocal ? local_op(warp, request)
                                                         : global_op(site.kind, request));
    }
  }

 private:
  WarpTrace& trace_of(uint64_t block, uint32_t warp) {
    if (trace_.blocks.empty() || trace_.blocks.back().block != block) {
      trace_.blocks.push_back({.block = block, .warps = std::vector<WarpTrace>(warps_)});
      for (WarpTrace& w : trace_.blocks.back().warps) w.ops.resize(plans_.size());
    }
    return trace_.blocks.back().warps[warp];
  }

  static MemoryOp shared_op(const IssuePlan& plan, const models::WarpRequest& request) {
    return {.wavefronts = static_cast<uint16_t>(
                std::max(1, models::count_wavefronts(request, plan.shared_access).wavefronts))};
  }

  // Local memory is laid out so that the lanes' words of one address are neighbours.
  MemoryOp local_op(const emulator::WarpIdentity& warp, const models::WarpRequest& request) {
    const uint64_t first = request.address[static_cast<size_t>(std::countr_zero(request.active_mask))];
    MemoryOp op{.first_line = static_cast<uint32_t>(trace_.lines.size()), .line_count = 1};
    trace_.lines.push_back({.line = (uint64_t{1} << 50) + (warp.linear_block * 64 + warp.warp) * 1024 + first / 4,
                            .sectors = 15, .whole = 15, .bytes = {32, 32, 32, 32}});
    return op;
  }

  MemoryOp global_op(AccessKind kind, const models::WarpRequest& request) {
    MemoryOp op{.first_line = static_cast<uint32_t>(trace_.lines.size())};
    std::array<uint8_t, 32 * 4> bytes{};
    size_t count = 0;
    const size_t base = trace_.lines.size();
    const auto add = [&](uint64_t line, uint32_t sector, uint32_t width) {
      size_t at = count;
      while (at > 0 && trace_.lines[base + at - 1].line != line) --at;
      if (at == 0) {
        if (count == 32) return;
        trace_.lines.push_back({.line = line});
        at = ++count;
      }
      trace_.lines[base + at - 1].sectors |= static_cast<uint8_t>(1U << sector);
      uint8_t& covered = bytes[(at - 1) * 4 + sector];
      covered = static_cast<uint8_t>(std::min<uint32_t>(32, covered + width));
    };
    for (uint32_t rest = request.active_mask; rest != 0; rest &= rest - 1) {
      const uint64_t a = request.address[static_cast<size_t>(std::countr_zero(rest))];
      add(a / 128, static_cast<uint32_t>(a % 128 / 32), request.width_bytes);
      const uint64_t last = a + request.width_bytes - 1;
      if (last / 32 != a / 32) add(last / 128, static_cast<uint32_t>(last % 128 / 32), 0);
    }
    for (size_t l = 0; l < count; ++l) {
      for (size_t s = 0; s < 4; ++s) {
        trace_.lines[base + l].bytes[s] = bytes[l * 4 + s];
        if (bytes[l * 4 + s] >= 32) trace_.lines[base + l].whole |= static_cast<uint8_t>(1U << s);
      }
    }
    op.line_count = static_cast<uint16_t>(count);
    if (kind == AccessKind::kAtomic || kind == AccessKind::kReduction) {
      op.visits = static_cast<uint16_t>(models::count_atomic_sectors(request));
    } else if (kind == AccessKind::kLoad) {
      op.wavefronts = static_cast<uint16_t>(std::max(1, models::count_wavefronts(request).wavefronts));
    }
    return op;
  }

  Trace& trace_;
  Sharing& sharing_;
  Sharing::Who who_;
  uint32_t warps_;
  std::vector<IssuePlan> plans_;
};

// Only what the access means for regions that are known already.
class SharingSink final : public emulator::AccessSink, public emulator::AccessSinkFactory {
 public:
  SharingSink(Sharing& sharing, Sharing::Who who, int sm) : sharing_(sharing), who_(who), sm_(sm) {}
  emulator::AccessSink* make_sink(const std::vector<AccessSite>& sites, int) override {
    for (const AccessSite& site : sites) plans_.push_back(plan_of(site));
    return this;
  }
  void on_access(const emulator::WarpIdentity& warp, const AccessSite& site,
                 const emulator::WarpAccess& access) override {
    if (access.space != ptx::Space::kGlobal || access.active_mask == 0) return;
    const IssuePlan& plan = plans_[access.site];
    for (int i = 0; i < plan.count; ++i) {
      const auto part = static_cast<size_t>(i);
      std::array<uint64_t, models::kLanes> address = access.address;
      for (uint64_t& a : address) a += static_cast<uint64_t>(plan.offset[part]);
      sharing_.note(who_, sm_, site.kind, address.data(), plan.lanes(access.active_mask), plan.width[part],
                    moment_of(warp, access.site));
    }
  }

 private:
  Sharing& sharing_;
  Sharing::Who who_;
  int sm_;
  std::vector<IssuePlan> plans_;
};

}  // namespace

Status Recorder::record(const std::vector<uint64_t>& blocks, Sharing::Who who, Trace& trace, Sharing& sharing) {
  const auto warps = static_cast<uint32_t>((run_.launch->block.count() + 31) / 32);
  TraceSink sink(trace, sharing, who, warps);
  return launch(blocks, sink, &sink);
}

Status Recorder::look(const std::vector<uint64_t>& blocks, Sharing::Who who, int sm, Sharing& sharing) {
  SharingSink sink(sharing, who, sm);
  return launch(blocks, sink, nullptr);
}

Status Recorder::launch(const std::vector<uint64_t>& blocks, emulator::AccessSinkFactory& accesses,
                        emulator::PathSink* path) {
  const Result<uint64_t> instructions = run_sample(run_, blocks, memory_, accesses, path);
  if (!instructions.ok()) return instructions.errors();
  warp_instructions_ += *instructions;
  return success();
}

}  // namespace warpshop::timing
