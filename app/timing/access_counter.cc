#include <algorithm>
#include <bit>
#include <tuple>

#include "issue_plan.h"
#include "models/banks.h"
#include "models/coalescer.h"
#include "timing/counters.h"

namespace warpshop::timing {

using emulator::AccessKind;
using emulator::AccessSite;
using emulator::WarpAccess;
using emulator::WarpIdentity;

// What one emulation thread counts; no other thread touches it until the launch is over.
class AccessCounter::Sink final : public emulator::AccessSink {
 public:
  Sink(const std::vector<AccessSite>& sites, const RecordSelection& selection)
      : selection_(selection), site_counters_(sites.size()), memos_(sites.size()) {
    plans_.reserve(sites.size());
    for (const AccessSite& site : sites) plans_.push_back(plan_of(site));
  }

  void on_access(const WarpIdentity& warp, const AccessSite& site,
                 const WarpAccess& access) override {
    if (access.active_mask == 0) return;
    SiteCounters& at = site_counters_[access.site];
    ++at.executions;
    at.lanes += static_cast<uint64_t>(std::popcount(access.active_mask));
    const IssuePlan& plan = plans_[access.site];
    // Counts depend on the distances between the addresses and on where the first lies inside a sector (global) or a
    // word (shared): while those repeat, so do the counts.
    Memo& memo = memos_[access.site];
    const uint64_t first = access.address[static_cast<size_t>(std::countr_zero(access.active_mask))];
    const uint64_t period = access.space == ptx::Space::kShared ? 4 : 32;
    memo.fresh = !access.same_pattern || memo.space != access.space || (first ^ memo.first) % period != 0;
    memo.space = access.space;
    memo.first = first;
    for (int i = 0; i < plan.count; ++i) {
      const auto part = static_cast<size_t>(i);
      memo.part = part;
      if (plan.offset[part] == 0 || !memo.fresh) {
        count(site, access, plan, plan.width[part], access.address.data(), at, memo);
      } else {
        std::array<uint64_t, emulator::kWarpSize> shifted = access.address;
        for (uint64_t& address : shifted) address += static_cast<uint64_t>(plan.offset[part]);
        count(site, access, plan, plan.width[part], shifted.data(), at, memo);
      }
    }
    if (is_recorded(warp.linear_block)) record(warp, access);
  }

  const Counters& totals() const { return totals_; }
  const std::vector<SiteCounters>& site_counters() const { return site_counters_; }
  const std::vector<RecordedAccess>& records() const { return records_; }
  bool truncated() const { return truncated_; }

 private:
  // The last access of a site and what it came to, for each of its issues.
  struct Memo {
    bool fresh = true;
    ptx::Space space = ptx::Space::kGeneric;
    uint64_t first = 0;
    size_t part = 0;
    std::array<models::CoalescerCounts, 2> sectors{};
    std::array<uint64_t, 2> visited{};
    std::array<models::BankCounts, 2> wavefronts{};
  };

  void count(const AccessSite& site, const WarpAccess& access, const IssuePlan& plan,
             uint32_t width, const uint64_t* addresses, SiteCounters& at, Memo& memo) {
    const models::WarpRequestView request(plan.lanes(access.active_mask), width, addresses);
    switch (access.space) {
      case ptx::Space::kGlobal:
        count_global(site.kind, request, at, memo);
        break;
      case ptx::Space::kShared:
        count_shared(site.kind, request, plan.shared_access, at, memo);
        break;
      case ptx::Space::kLocal:
        count_local(site.kind, at);
        break;
      default:
        break;  // constants, parameters: no counter of the table
    }
  }

  void count_global(AccessKind kind, const models::WarpRequestView& request, SiteCounters& at, Memo& memo) {
    models::CoalescerCounts& counts = memo.sectors[memo.part];
    uint64_t& visited = memo.visited[memo.part];
    if (memo.fresh) {
      counts = models::count_sectors(request);
      const bool atomic = kind == AccessKind::kReduction || kind == AccessKind::kAtomic;
      visited = static_cast<uint64_t>(atomic ? models::count_atomic_sectors(request) : counts.sectors);
    }
    const auto touched = static_cast<uint64_t>(counts.sectors);
    switch (kind) {
      case AccessKind::kLoad:
        ++totals_.global_load_instructions;
        ++totals_.global_load_requests;
        totals_.global_load_sectors += touched;
        totals_.global_load_bytes_used += counts.bytes_used;
        break;
      case AccessKind::kStore:
        ++totals_.global_store_instructions;
        ++totals_.global_store_requests;
        totals_.global_store_sectors += touched;
        totals_.global_store_bytes_used += counts.bytes_used;
        break;
      case AccessKind::kReduction:
        ++totals_.global_reduction_requests;
        totals_.global_reduction_sectors += visited;
        break;
      case AccessKind::kAtomic:
        ++totals_.global_atomic_requests;
        totals_.global_atomic_sectors += visited;
        break;
    }
    totals_.theoretical_sectors += touched;
    totals_.theoretical_sectors_ideal += static_cast<uint64_t>(counts.ideal_sectors);
    ++at.requests;
    at.sectors += visited;
    at.sectors_ideal += static_cast<uint64_t>(counts.ideal_sectors);
    at.bytes_used += counts.bytes_used;
    at.worst_sectors = std::max(at.worst_sectors, static_cast<uint32_t>(visited));
  }

  void count_shared(AccessKind kind, const models::WarpRequestView& request,
                    models::SharedAccess how, SiteCounters& at, Memo& memo) {
    models::BankCounts& counts = memo.wavefronts[memo.part];
    if (memo.fresh) counts = models::count_wavefronts(request, how);
    const auto wavefronts = static_cast<uint64_t>(counts.wavefronts);
    switch (kind) {
      case AccessKind::kLoad:
        ++totals_.shared_load_instructions;
        totals_.shared_load_wavefronts += wavefronts;
        break;
      case AccessKind::kStore:
        ++totals_.shared_store_instructions;
        totals_.shared_store_wavefronts += wavefronts;
        break;
      case AccessKind::kReduction:
      case AccessKind::kAtomic:
        totals_.shared_atomic_wavefronts += wavefronts;
        break;
    }
    totals_.shared_wavefronts += wavefronts;
    totals_.shared_wavefronts_ideal += static_cast<uint64_t>(counts.ideal_wavefronts);
    ++at.requests;
    at.wavefronts += wavefronts;
    at.wavefronts_ideal += static_cast<uint64_t>(counts.ideal_wavefronts);
    at.worst_wavefronts = std::max(at.worst_wavefronts, static_cast<uint32_t>(wavefronts));
  }

  void count_local(AccessKind kind, SiteCounters& at) {
    ++at.requests;
    if (kind == AccessKind::kLoad) ++totals_.local_load_instructions;
    if (kind == AccessKind::kStore) ++totals_.local_store_instructions;
  }

  bool is_recorded(uint64_t block) const {
    return std::find(selection_.blocks.begin(), selection_.blocks.end(), block) !=
           selection_.blocks.end();
  }

  // Each thread keeps at most what the launch may: AccessCounter::records() cuts the sum.
  void record(const WarpIdentity& warp, const WarpAccess& access) {
    if (records_.size() >= selection_.max_records) {
      truncated_ = true;
      return;
    }
    records_.push_back({warp, access});
  }

  const RecordSelection& selection_;
  std::vector<IssuePlan> plans_;
  Counters totals_;
  std::vector<SiteCounters> site_counters_;
  std::vector<Memo> memos_;
  std::vector<RecordedAccess> records_;
  bool truncated_ = false;
};

AccessCounter::AccessCounter(RecordSelection selection) : selection_(std::move(selection)) {}
AccessCounter::~AccessCounter() = default;

emulator::AccessSink* AccessCounter::make_sink(const std::vector<AccessSite>& sites,
                                               int /*thread_index*/) {
  sinks_.push_back(std::make_unique<Sink>(sites, selection_));
  return sinks_.back().get();
}

Counters AccessCounter::totals() const {
  Counters sum;
  for (const auto& sink : sinks_) sum += sink->totals();
  return sum;
}

std::vector<SiteCounters> AccessCounter::by_site() const {
  std::vector<SiteCounters> sum;
  for (const auto& sink : sinks_) {
    sum.resize(std::max(sum.size(), sink->site_counters().size()));
    for (size_t i = 0; i < sink->site_counters().size(); ++i) sum[i] += sink->site_counters()[i];
  }
  return sum;
}

std::vector<RecordedAccess> AccessCounter::records() const {
  std::vector<RecordedAccess> all;
  for (const auto& sink : sinks_) {
    all.insert(all.end(), sink->records().begin(), sink->records().end());
  }
  // Within a warp the order of arrival is program order, and one thread runs a whole block.
  std::stable_sort(all.begin(), all.end(), [](const RecordedAccess& a, const RecordedAccess& b) {
    return std::tie(a.warp.linear_block, a.warp.warp) < std::tie(b.warp.linear_block, b.warp.warp);
  });
  if (all.size() > selection_.max_records) all.resize(selection_.max_records);
  return all;
}

bool AccessCounter::records_truncated() const {
  size_t kept = 0;
  for (const auto& sink : sinks_) {
    if (sink->truncated()) return true;
    kept += sink->records().size();
  }
  return kept > selection_.max_records;
}

}  // namespace warpshop::timing
