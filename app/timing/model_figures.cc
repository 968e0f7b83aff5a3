#include "timing/model_figures.h"

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>

#include "issue_plan.h"
#include "models/bank_generations.h"
#include "models/dram.h"
#include "models/partitions.h"
#include "models/transactions.h"
#include "timing/issue.h"

namespace warpshop::timing {
namespace {

using emulator::AccessKind;
using emulator::AccessSite;
using emulator::WarpAccess;
using emulator::WarpIdentity;

// One transaction, before its wave's start time is known.
struct Record {
  uint64_t block = 0;
  uint64_t address = 0;
  uint32_t step = 0;  // of its warp
  uint32_t warp = 0;
  uint32_t bytes = 0;
  uint32_t site = 0;
};

// Segments, lines and bank rows repeat with this period: shifting an access by a multiple of it
// shifts its transactions without changing them.
constexpr uint64_t kPeriod = 256;

}  // namespace

class ModelCounter::Sink final : public emulator::AccessSink {
 public:
  Sink(const std::vector<AccessSite>& sites, const models::GpuProfile& gpu, uint64_t max_records)
      : bank_rule_(models::bank_rule_of(gpu)),
        max_records_(max_records),
        memos_(sites.size()),
        sites_(sites.size()) {
    for (const AccessSite& site : sites) {
      plans_.push_back(plan_of(site));
      rules_.push_back(models::coalescing_rule_of(gpu, global_access_of(site.kind)));
    }
  }

  void on_access(const WarpIdentity& warp, const AccessSite& site,
                 const WarpAccess& access) override {
    const bool global = access.space == ptx::Space::kGlobal;
    if (access.active_mask == 0 || (!global && access.space != ptx::Space::kShared)) return;
    const IssuePlan& plan = plans_[access.site];
    if (plan.count == 0) return;
    Memo& memo = memos_[access.site];
    const uint64_t first =
        access.address[static_cast<size_t>(std::countr_zero(access.active_mask))];
    if (!access.same_pattern || memo.space != access.space || (first ^ memo.first) % kPeriod != 0) {
      memo = measure(site, access);
      memo.first = first;
    }
    count(site.kind, memo, sites_[access.site]);
    if (global) record(warp, access.site, memo, first - memo.first);
  }

  const ModelFigures& counts() const { return counts_; }
  const std::vector<ModelSite>& sites() const { return sites_; }
  const std::vector<Record>& records() const { return records_; }
  bool truncated() const { return truncated_; }

 private:
  struct Memo {
    ptx::Space space = ptx::Space::kGeneric;
    uint64_t first = 0;
    uint64_t passes = 0;
    uint64_t parts = 0;
    uint64_t bytes = 0;
    uint64_t ideal_bytes = 0;
    std::vector<std::vector<models::Transaction>> issued;  // for each issued access
  };

  Memo measure(const AccessSite& site, const WarpAccess& access) const {
    Memo memo;
    memo.space = access.space;
    const IssuePlan& plan = plans_[access.site];
    for (size_t part = 0; part < static_cast<size_t>(plan.count); ++part) {
      models::WarpRequest request{.active_mask = plan.lanes(access.active_mask),
                                  .width_bytes = plan.width[part],
                                  .address = access.address};
      for (uint64_t& address : request.address) {
        address += static_cast<uint64_t>(plan.offset[part]);
      }
      if (access.space == ptx::Space::kShared) {
        const models::GenerationBankResult banks =
            models::explain_bank_generation(bank_rule_, request, plan.shared_access);
        memo.passes += banks.passes.size();
        memo.parts += static_cast<uint64_t>(banks.parts);
        continue;
      }
      models::TransactionResult made =
          models::explain_transactions(rules_[access.site], request, global_access_of(site.kind));
      memo.ideal_bytes += made.counts.ideal_bytes;
      memo.issued.push_back(std::move(made.transactions));
      for (const models::Transaction& t : memo.issued.back()) memo.bytes += t.bytes;
    }
    return memo;
  }

  void count(AccessKind kind, const Memo& memo, ModelSite& at) {
    counts_.shared_passes += memo.passes;
    counts_.shared_parts += memo.parts;
    uint64_t transactions = 0;
    for (const auto& issued : memo.issued) transactions += issued.size();
    const bool load = kind == AccessKind::kLoad;
    (load ? counts_.load_transactions : counts_.store_transactions) += transactions;
    (load ? counts_.load_bytes : counts_.store_bytes) += memo.bytes;
    at += {.accesses = 1,
           .transactions = transactions,
           .bytes = memo.bytes,
           .ideal_bytes = memo.ideal_bytes,
           .passes = memo.passes,
           .parts = memo.parts};
  }

  void record(const WarpIdentity& warp, uint32_t site, const Memo& memo, uint64_t shift) {
    if (warp.linear_block != block_) {  // a thread runs its blocks one at a time
      block_ = warp.linear_block;
      steps_.clear();
    }
    if (warp.warp >= steps_.size()) steps_.resize(warp.warp + 1);
    uint32_t& step = steps_[warp.warp];
    for (const auto& issued : memo.issued) {
      if (records_.size() + issued.size() > max_records_) truncated_ = true;
      if (truncated_) return;
      for (const models::Transaction& t : issued) {
        records_.push_back({.block = warp.linear_block,
                            .address = t.address + shift,
                            .step = step,
                            .warp = warp.warp,
                            .bytes = t.bytes,
                            .site = site});
      }
      ++step;
    }
  }

  models::BankRule bank_rule_;
  uint64_t max_records_;
  std::vector<IssuePlan> plans_;
  std::vector<models::CoalescingRule> rules_;
  std::vector<Memo> memos_;
  std::vector<ModelSite> sites_;
  ModelFigures counts_;
  std::vector<Record> records_;
  bool truncated_ = false;
  uint64_t block_ = ~uint64_t{0};
  std::vector<uint32_t> steps_;  // global accesses so far, by warp of the block
};

ModelCounter::ModelCounter(const models::GpuProfile& gpu, uint64_t resident_blocks,
                           uint64_t max_records)
    : gpu_(gpu),
      resident_blocks_(std::max<uint64_t>(resident_blocks, 1)),
      max_records_(max_records) {}
ModelCounter::~ModelCounter() = default;

emulator::AccessSink* ModelCounter::make_sink(const std::vector<AccessSite>& sites,
                                              int /*thread_index*/) {
  sinks_.push_back(std::make_unique<Sink>(sites, gpu_, max_records_));
  return sinks_.back().get();
}

ModelFigures ModelCounter::figures() const {
  ModelFigures sum;
  for (const auto& sink : sinks_) {
    const ModelFigures& one = sink->counts();
    sum.load_transactions += one.load_transactions;
    sum.store_transactions += one.store_transactions;
    sum.load_bytes += one.load_bytes;
    sum.store_bytes += one.store_bytes;
    sum.shared_passes += one.shared_passes;
    sum.shared_parts += one.shared_parts;
  }
  const models::DramSpec dram = models::dram_of(gpu_);
  sum.load_bursts = sum.load_bytes / dram.burst_bytes;
  sum.store_bursts = sum.store_bytes / dram.burst_bytes;
  const std::optional<std::vector<models::MemoryRecord>> over_time = records();
  if (!over_time) return sum;
  sum.over_time = ModelFigures::OverTime{
      .partition_slowdown = models::partition_load(dram.channels, *over_time, 1).slowdown(),
      .row_hit_pct = models::serve_dram(dram, *over_time, 1, false).row_hit_fraction() * 100};
  return sum;
}

ModelSite& ModelSite::operator+=(const ModelSite& other) {
  for (uint64_t ModelSite::*count :
       {&ModelSite::accesses, &ModelSite::transactions, &ModelSite::bytes, &ModelSite::ideal_bytes,
        &ModelSite::passes, &ModelSite::parts}) {
    this->*count += other.*count;
  }
  return *this;
}

std::vector<ModelSite> ModelCounter::by_site() const {
  std::vector<ModelSite> sum;
  for (const auto& sink : sinks_) {
    sum.resize(std::max(sum.size(), sink->sites().size()));
    for (size_t i = 0; i < sink->sites().size(); ++i) sum[i] += sink->sites()[i];
  }
  return sum;
}

std::optional<std::vector<models::MemoryRecord>> ModelCounter::records() const {
  std::vector<Record> all;
  for (const auto& sink : sinks_) {
    if (sink->truncated()) return std::nullopt;
    all.insert(all.end(), sink->records().begin(), sink->records().end());
  }
  if (all.size() > max_records_) return std::nullopt;

  // Within a step: by block, then by warp, regardless of the emulation thread.
  std::stable_sort(all.begin(), all.end(), [&](const Record& a, const Record& b) {
    return std::tuple(a.block / resident_blocks_, a.step, a.block, a.warp) <
           std::tuple(b.block / resident_blocks_, b.step, b.block, b.warp);
  });
  std::vector<models::MemoryRecord> records;
  records.reserve(all.size());
  uint64_t time = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    const bool same_step =
        i == 0 || (all[i].step == all[i - 1].step &&
                   all[i].block / resident_blocks_ == all[i - 1].block / resident_blocks_);
    if (!same_step) ++time;
    records.push_back({.time = time,
                       .block = all[i].block,
                       .address = all[i].address,
                       .bytes = all[i].bytes,
                       .from = {all[i].warp, all[i].step, all[i].site}});
  }
  return records;
}

const std::vector<ModelFigureInfo>& model_figure_table() {
  using F = ModelFigures;
  static const std::vector<ModelFigureInfo> kTable = {
      {"model.load_transactions", "transaction",
       "Global load transactions under the coalescing rule of the exercise's model GPU",
       [](const F& f) -> std::optional<double> { return double(f.load_transactions); }},
      {"model.store_transactions", "transaction", "Global store transactions under the same rule",
       [](const F& f) -> std::optional<double> { return double(f.store_transactions); }},
      {"model.load_bytes", "byte", "Bytes moved by these load transactions",
       [](const F& f) -> std::optional<double> { return double(f.load_bytes); }},
      {"model.store_bytes", "byte", "Bytes moved by these store transactions",
       [](const F& f) -> std::optional<double> { return double(f.store_bytes); }},
      {"model.load_bursts", "burst", "DRAM bursts of the model GPU for these load transactions",
       [](const F& f) -> std::optional<double> { return double(f.load_bursts); }},
      {"model.store_bursts", "burst", "DRAM bursts of the model GPU for these store transactions",
       [](const F& f) -> std::optional<double> { return double(f.store_bursts); }},
      {"model.shared_passes", "pass",
       "Passes of shared accesses through the banks of the model GPU",
       [](const F& f) -> std::optional<double> { return double(f.shared_passes); }},
      {"model.shared_parts", "pass", "Passes that these accesses would take without conflicts",
       [](const F& f) -> std::optional<double> { return double(f.shared_parts); }},
      {"model.partition_slowdown", "",
       "How much longer the model GPU's busiest partitions work than if all shared the load: 1 is "
       "even",
       [](const F& f) -> std::optional<double> {
         return f.over_time ? std::optional(f.over_time->partition_slowdown) : std::nullopt;
       }},
      {"model.row_hit_pct", "%", "Bursts of the model GPU that hit an open DRAM row",
       [](const F& f) -> std::optional<double> {
         return f.over_time ? std::optional(f.over_time->row_hit_pct) : std::nullopt;
       }},
  };
  return kTable;
}

// --- AccessTee ---

class AccessTee::Sink final : public emulator::AccessSink {
 public:
  Sink(emulator::AccessSink* first, emulator::AccessSink* second)
      : first_(first), second_(second) {}
  void on_access(const WarpIdentity& warp, const AccessSite& site,
                 const WarpAccess& access) override {
    first_->on_access(warp, site, access);
    second_->on_access(warp, site, access);
  }
  void on_block_end(uint64_t block) override {
    first_->on_block_end(block);
    second_->on_block_end(block);
  }

 private:
  emulator::AccessSink* first_;
  emulator::AccessSink* second_;
};

AccessTee::AccessTee(emulator::AccessSinkFactory& first, emulator::AccessSinkFactory& second)
    : first_(first), second_(second) {}
AccessTee::~AccessTee() = default;

emulator::AccessSink* AccessTee::make_sink(const std::vector<AccessSite>& sites, int thread_index) {
  sinks_.push_back(std::make_unique<Sink>(first_.make_sink(sites, thread_index),
                                          second_.make_sink(sites, thread_index)));
  return sinks_.back().get();
}

}  // namespace warpshop::timing
