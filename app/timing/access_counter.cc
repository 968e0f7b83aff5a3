#include <algorithm>
#include <bit>
#include <tuple>
#include <unordered_map>

#include "contention_counter.h"
#include "issue_plan.h"
#include "models/async_copy.h"
#include "models/atomic_loop.h"
#include "models/banks.h"
#include "models/coalescer.h"
#include "timing/counters.h"

namespace warpshop::timing {

using emulator::AccessKind;
using emulator::AccessSite;
using emulator::WarpAccess;
using emulator::WarpIdentity;

// One emulation thread's counts. No other thread touches them until the launch has finished.
class alignas(64) AccessCounter::Sink final : public emulator::AccessSink {
 public:
  Sink(const std::vector<AccessSite>& sites, const RecordSelection& selection)
      : selection_(selection), site_counters_(sites.size()), memos_(sites.size()) {
    plans_.reserve(sites.size());
    for (const AccessSite& site : sites) {
      plans_.push_back(plan_of(site));
      bypasses_l1_.push_back(site.text.find("cp.async.cg") != std::string::npos);
    }
    for (size_t s = 0; s < sites.size(); ++s) {
      if (!is_atomic_instruction(sites[s])) continue;
      if (!contention_) contention_ = std::make_unique<ContentionCounter>(sites);
      memos_[s].meets = true;
    }
  }

  void on_access(const WarpIdentity& warp, const AccessSite& site,
                 const WarpAccess& access) override {
    if (access.active_mask == 0) return;
    // An access's cost depends only on the distances between its addresses and on the first one's
    // offset in its sector (global) or word (shared). While these repeat, so do the counts, and
    // only the number of repetitions is recorded. Lanes at least a sector apart each touch a
    // different sector at any offset, since accesses are aligned to their width.
    Memo& memo = memos_[access.site];
    const uint64_t first =
        access.address[static_cast<size_t>(std::countr_zero(access.active_mask))];
    if (access.same_pattern && memo.space == access.space &&
        ((first ^ memo.first) & memo.matters) == 0) {
      ++memo.times;
    } else {
      settle(access.site);
      measure(site, access, memo);
      memo.first = first;
      memo.matters = access.space == ptx::Space::kShared ? 3 : 31;
      if (access.space == ptx::Space::kGlobal && whole_sectors_apart(access, first))
        memo.matters = 0;
    }
    if (memo.meets)
      contention_->add(warp.linear_block, access, plans_[access.site].lanes(access.active_mask));
    if (is_recorded(warp.linear_block)) record(warp, access);
  }

  void on_copy(const WarpIdentity& warp, const std::vector<AccessSite>& sites,
               const WarpAccess& from, const WarpAccess& to, bool some_bytes) override {
    const AccessSite& source = sites[from.site];
    const uint32_t width = source.width_bytes();
    const models::WarpRequestView reads(from.active_mask, width, from.address.data());
    const models::WarpRequestView writes(to.active_mask, width, to.address.data());
    const models::AsyncCopyCounts counts =
        copies_[from.site].count(reads, writes, bypasses_l1_[from.site], some_bytes);
    const auto touched = static_cast<uint64_t>(counts.sectors);
    const auto ideal = static_cast<uint64_t>(counts.ideal_sectors);
    if (from.active_mask != 0) {
      ++totals_.global_load_requests;
      totals_.global_load_sectors += touched;
      totals_.global_load_bytes_used += counts.bytes_used;
      totals_.theoretical_sectors += static_cast<uint64_t>(counts.theoretical_sectors);
      totals_.theoretical_sectors_ideal += ideal;
      SiteCounters& at = site_counters_[from.site];
      note_execution(at, from.active_mask);
      at.sectors += touched;
      at.sectors_ideal += std::min(ideal, touched);
      at.bytes_used += counts.bytes_used;
      at.worst_sectors = std::max(at.worst_sectors, static_cast<uint32_t>(touched));
    }
    if (to.active_mask != 0) {
      SiteCounters& at = site_counters_[to.site];
      note_execution(at, to.active_mask);
      totals_.async_copy_wavefronts += static_cast<uint64_t>(counts.banks.wavefronts);
      add_wavefronts(at, counts.banks);
    }
    if (!is_recorded(warp.linear_block)) return;
    if (from.active_mask != 0) record(warp, from);
    if (to.active_mask != 0) record(warp, to);
  }

  void on_box_outside(uint32_t site, uint32_t sectors) override {
    totals_.bulk_load_sectors += sectors;
    site_counters_[site].sectors += sectors;
    site_counters_[site].sectors_ideal += sectors;
  }

  void on_product_read(uint32_t site, uint32_t bytes) override {
    // Its layouts have no conflicts.
    const int wavefronts = static_cast<int>(bytes / models::kWavefrontBytes);
    totals_.wgmma_wavefronts += static_cast<uint64_t>(wavefronts);
    note_execution(site_counters_[site], 0xFFFFFFFFU);
    add_wavefronts(site_counters_[site], {wavefronts, wavefronts});
  }

  void on_block_end(uint64_t block) override {
    if (contention_) contention_->end_block(block);
  }

  // Adds the repetitions that have not been counted yet.
  void settle() {
    for (size_t site = 0; site < memos_.size(); ++site) settle(site);
  }

  const Counters& totals() const { return totals_; }
  const std::vector<SiteCounters>& site_counters() const { return site_counters_; }
  const std::vector<RecordedAccess>& records() const { return records_; }
  bool truncated() const { return truncated_; }
  ContentionCounter* contention() const { return contention_.get(); }

 private:
  // A site's last access, its counts per execution, and how often it was repeated.
  struct alignas(64) Memo {  // on cache lines of its own, to avoid false sharing
    uint64_t times = 0;
    ptx::Space space = ptx::Space::kGeneric;
    bool meets = false;  // an atomic
    uint64_t first = 0;
    uint64_t matters = 31;  // bits of the first address that affect the counts
    Counters totals;
    SiteCounters site;
  };

  // A site's last cp.async and its counts: they depend on the distances between addresses, and on
  // the first ones' places in their 128 bytes.
  class CopyMemo {
   public:
    const models::AsyncCopyCounts& count(const models::WarpRequestView& from,
                                         const models::WarpRequestView& to, bool bypasses_l1,
                                         bool some_bytes) {
      Places places{.reads = from.active_mask, .writes = to.active_mask, .some_bytes = some_bytes};
      fill(from, places.from);
      fill(to, places.to);
      if (!known_ || !(places == places_)) {
        counts_ = models::count_async_copy(from, to, bypasses_l1, some_bytes);
        places_ = places;
        known_ = true;
      }
      return counts_;
    }

   private:
    struct Places {
      uint32_t reads = 0, writes = 0;
      bool some_bytes = false;
      std::array<uint64_t, emulator::kWarpSize> from{}, to{};
      bool operator==(const Places&) const = default;
    };
    static void fill(const models::WarpRequestView& request,
                     std::array<uint64_t, emulator::kWarpSize>& out) {
      if (request.active_mask == 0) return;
      const uint64_t base = request.address[std::countr_zero(request.active_mask)] /
                            models::kLineBytes * models::kLineBytes;
      for (uint32_t rest = request.active_mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<size_t>(std::countr_zero(rest));
        out[lane] = request.address[lane] - base;
      }
    }
    bool known_ = false;
    Places places_;
    models::AsyncCopyCounts counts_;
  };

  static void note_execution(SiteCounters& at, uint32_t lanes) {
    ++at.executions;
    ++at.requests;
    at.lanes += static_cast<uint64_t>(std::popcount(lanes));
  }

  void add_wavefronts(SiteCounters& at, const models::BankCounts& banks) {
    const auto wavefronts = static_cast<uint64_t>(banks.wavefronts);
    const auto ideal = static_cast<uint64_t>(banks.ideal_wavefronts);
    totals_.shared_wavefronts += wavefronts;
    totals_.shared_wavefronts_ideal += ideal;
    at.wavefronts += wavefronts;
    at.wavefronts_ideal += ideal;
    at.worst_wavefronts = std::max(at.worst_wavefronts, static_cast<uint32_t>(wavefronts));
  }

  static bool whole_sectors_apart(const WarpAccess& access, uint64_t first) {
    uint64_t apart = 0;
    for (uint32_t rest = access.active_mask; rest != 0; rest &= rest - 1) {
      apart |= access.address[static_cast<size_t>(std::countr_zero(rest))] - first;
    }
    return apart % models::kSectorBytes == 0;
  }

  void settle(size_t site) {
    Memo& memo = memos_[site];
    if (memo.times == 0) return;
    for (const CounterInfo& counter : counter_table()) {
      totals_.*counter.field += memo.totals.*counter.field * memo.times;
    }
    SiteCounters& at = site_counters_[site];
    at.executions += memo.times;
    at.lanes += memo.site.lanes * memo.times;
    at.requests += memo.site.requests * memo.times;
    at.sectors += memo.site.sectors * memo.times;
    at.sectors_ideal += memo.site.sectors_ideal * memo.times;
    at.wavefronts += memo.site.wavefronts * memo.times;
    at.wavefronts_ideal += memo.site.wavefronts_ideal * memo.times;
    at.bytes_used += memo.site.bytes_used * memo.times;
    at.worst_sectors = std::max(at.worst_sectors, memo.site.worst_sectors);
    at.worst_wavefronts = std::max(at.worst_wavefronts, memo.site.worst_wavefronts);
    memo.times = 0;
  }

  void measure(const AccessSite& site, const WarpAccess& access, Memo& memo) {
    memo.times = 1;
    memo.space = access.space;
    memo.totals = {};
    memo.site = {};
    memo.site.lanes = static_cast<uint64_t>(std::popcount(access.active_mask));
    const IssuePlan& plan = plans_[access.site];
    for (int i = 0; i < plan.count; ++i) {
      const auto part = static_cast<size_t>(i);
      std::array<uint64_t, emulator::kWarpSize> addresses = access.address;
      for (uint64_t& address : addresses) address += static_cast<uint64_t>(plan.offset[part]);
      const models::WarpRequestView request(plan.lanes(access.active_mask), plan.width[part],
                                            addresses.data());
      switch (access.space) {
        case ptx::Space::kGlobal:
          count_global(site, request, memo.totals, memo.site);
          break;
        case ptx::Space::kShared:
          count_shared(site, request, plan.shared_access, memo.totals, memo.site);
          break;
        case ptx::Space::kLocal:
          count_local(site.kind, memo.totals, memo.site);
          break;
        default:
          break;  // constants, parameters: not counted
      }
    }
  }

  static void count_global(const AccessSite& site, const models::WarpRequestView& request,
                           Counters& totals, SiteCounters& at) {
    const AccessKind kind = site.kind;
    const models::CoalescerCounts counts = models::count_sectors(request);
    const auto touched = static_cast<uint64_t>(counts.sectors);
    const bool atomic = kind == AccessKind::kReduction || kind == AccessKind::kAtomic;
    const auto visited =
        atomic ? static_cast<uint64_t>(models::count_atomic_sectors(request)) : touched;
    ++at.requests;
    at.sectors += visited;
    at.sectors_ideal += static_cast<uint64_t>(counts.ideal_sectors);
    at.bytes_used += counts.bytes_used;
    at.worst_sectors = std::max(at.worst_sectors, static_cast<uint32_t>(visited));
    if (site.path == emulator::AccessPath::kBulk) {
      totals.*bulk_sectors(kind) += visited;
      return;
    }
    switch (kind) {
      case AccessKind::kLoad:
        ++totals.global_load_instructions;
        ++totals.global_load_requests;
        totals.global_load_sectors += touched;
        totals.global_load_bytes_used += counts.bytes_used;
        break;
      case AccessKind::kStore:
        ++totals.global_store_instructions;
        ++totals.global_store_requests;
        totals.global_store_sectors += touched;
        totals.global_store_bytes_used += counts.bytes_used;
        break;
      case AccessKind::kReduction:
        ++totals.global_reduction_requests;
        totals.global_reduction_sectors += visited;
        break;
      case AccessKind::kAtomic:
        ++totals.global_atomic_requests;
        totals.global_atomic_sectors += visited;
        break;
    }
    totals.theoretical_sectors += touched;
    totals.theoretical_sectors_ideal += static_cast<uint64_t>(counts.ideal_sectors);
  }

  static uint64_t Counters::*bulk_sectors(AccessKind kind) {
    return kind == AccessKind::kLoad    ? &Counters::bulk_load_sectors
           : kind == AccessKind::kStore ? &Counters::bulk_store_sectors
                                        : &Counters::bulk_reduction_sectors;
  }

  static void count_shared(const AccessSite& site, const models::WarpRequestView& request,
                           models::SharedAccess how, Counters& totals, SiteCounters& at) {
    ++at.requests;
    if (site.path == emulator::AccessPath::kBarrier) return;
    // Of an atomic's loop, the loads count apart.
    const bool loops = models::is_atomic_loop(how);
    const models::AtomicLoopCounts loop =
        loops ? models::count_atomic_loop(request, how) : models::AtomicLoopCounts{};
    const models::BankCounts counts = loops ? loop.total() : models::count_wavefronts(request, how);
    const auto wavefronts = static_cast<uint64_t>(counts.wavefronts);
    const bool matrix = site.path == emulator::AccessPath::kMatrix;
    switch (site.kind) {
      case AccessKind::kLoad:
        ++(matrix ? totals.matrix_load_instructions : totals.shared_load_instructions);
        (matrix ? totals.matrix_load_wavefronts : totals.shared_load_wavefronts) += wavefronts;
        break;
      case AccessKind::kStore:
        ++(matrix ? totals.matrix_store_instructions : totals.shared_store_instructions);
        (matrix ? totals.matrix_store_wavefronts : totals.shared_store_wavefronts) += wavefronts;
        break;
      case AccessKind::kReduction:
      case AccessKind::kAtomic:
        totals.shared_load_instructions += static_cast<uint64_t>(loop.load_instructions);
        totals.shared_load_wavefronts += static_cast<uint64_t>(loop.loads.wavefronts);
        totals.shared_atomic_wavefronts +=
            wavefronts - static_cast<uint64_t>(loop.loads.wavefronts);
        break;
    }
    totals.shared_wavefronts += wavefronts;
    totals.shared_wavefronts_ideal += static_cast<uint64_t>(counts.ideal_wavefronts);
    at.wavefronts += wavefronts;
    at.wavefronts_ideal += static_cast<uint64_t>(counts.ideal_wavefronts);
    at.worst_wavefronts = std::max(at.worst_wavefronts, static_cast<uint32_t>(wavefronts));
  }

  static void count_local(AccessKind kind, Counters& totals, SiteCounters& at) {
    ++at.requests;
    if (kind == AccessKind::kLoad) ++totals.local_load_instructions;
    if (kind == AccessKind::kStore) ++totals.local_store_instructions;
  }

  bool is_recorded(uint64_t block) {
    if (block == asked_block_) return asked_recorded_;
    asked_block_ = block;
    asked_recorded_ = std::find(selection_.blocks.begin(), selection_.blocks.end(), block) !=
                      selection_.blocks.end();
    return asked_recorded_;
  }

  // Each thread keeps at most the launch's limit; AccessCounter::records() trims the total.
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
  std::vector<bool> bypasses_l1_;                  // by site: a cp.async with .cg
  std::unordered_map<uint32_t, CopyMemo> copies_;  // by site
  std::unique_ptr<ContentionCounter> contention_;  // null without atomics
  std::vector<RecordedAccess> records_;
  bool truncated_ = false;
  uint64_t asked_block_ = ~uint64_t{0};  // a thread runs its blocks one at a time
  bool asked_recorded_ = false;
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
  for (const auto& sink : sinks_) {
    sink->settle();
    sum += sink->totals();
  }
  return sum;
}

std::vector<SiteCounters> AccessCounter::by_site() const {
  std::vector<SiteCounters> sum;
  for (const auto& sink : sinks_) {
    sink->settle();
    sum.resize(std::max(sum.size(), sink->site_counters().size()));
    for (size_t i = 0; i < sink->site_counters().size(); ++i) sum[i] += sink->site_counters()[i];
  }
  return sum;
}

LaunchContention AccessCounter::contention() const {
  std::vector<ContentionCounter*> counters;
  for (const auto& sink : sinks_) {
    if (sink->contention() != nullptr) counters.push_back(sink->contention());
  }
  return ContentionCounter::merge(counters);
}

std::vector<RecordedAccess> AccessCounter::records() const {
  std::vector<RecordedAccess> all;
  for (const auto& sink : sinks_) {
    all.insert(all.end(), sink->records().begin(), sink->records().end());
  }
  // Within a warp, arrival order is program order, and one thread runs a whole block.
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
