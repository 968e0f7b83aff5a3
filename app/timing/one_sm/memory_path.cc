#include "one_sm/memory_path.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "steady_exp.h"

namespace warpshop::timing {
namespace {

constexpr size_t kL1Ways = 16;
// From L2 into an SM, per cycle, of copies that bypass L1: tests/hardware/copies/rates.cu, 16
// warps' cp.async.cg of 512 bytes take 3.7 cycles each.
constexpr double kCopyPortBytes = 128;
// A load's lines are looked up in four sets at the same time, one of each per cycle.
constexpr size_t kTagSets = 4;
constexpr double kTagBacklog = 32;  // cycles of accepted accesses queued at the tag stage
// Of an SM alone: stores of whole sectors take 1.0 to 1.1 cycles each, a word of a line 2.0, parts
// of four sectors of a line at most 6.3, so what is not whole takes a cycle more
// (tests/microbench, "one_sm"; "local", 8 rows).
constexpr double kSectorLeaves = 1;
constexpr double kMaskLeaves = 1;
// Copies in bulk, one at a time from L2 (tests/hardware/copies/rates.cu): 128 lines take 166 cycles
// more than one sector, which arrives 70 cycles sooner than a load's.
constexpr double kBulkLine = 1.3;
constexpr double kBulkLatency = -70;
// An SM's requests to L2, as a part of those that it would make alone, if 1 to 4 neighbours read
// the same at about the same time (tests/microbench, "same_counted"; "same" has the times that go
// with it). Loads drift apart. Three were not measured: the mean of two and four.
constexpr Sharing::Parts kPartOfLoads = {1, 0.51, 0.46, 0.41};
constexpr Sharing::Parts kPartOfBulk = {1, 0.50, 0.38, 0.26};
constexpr double kStoreBacklog = 600;  // cycles of stores in flight at this SM's share of L2
constexpr double kDramBacklog = 2000;  // likewise for DRAM, before L2 accepts no more

constexpr double kGathering = 64;     // cycles that a store waits in L1 for others to its sectors
constexpr double kLoadMemory = 3000;  // time constant, in cycles, of DRAM's mean loads
// The next two: tests/microbench, "flight" and "under_load". SMs drift apart, so one that has
// left its share of DRAM unused may use it within as many cycles (1,000 and 4,000 are the same
// there).
constexpr double kUnusedShare = 2000;
// Up to this load the wait of M/D/1 describes DRAM's queue; beyond, the SM's own backlog does.
constexpr double kBusiestQueue = 0.9;

// Four consecutive lines lie in all four sets; which four sets others meet in is not published and
// taken as by chance.
size_t tag_set(uint64_t line) {
  uint64_t four = line / kTagSets * 0x9e3779b97f4a7c15;
  four = (four ^ four >> 32) * 0xbf58476d1ce4e5b9;
  return (line + (four >> 62)) % kTagSets;
}

}  // namespace

MemoryPath::MemoryPath(const OneSmFigures& chip, Sharing& sharing, uint64_t l1_bytes,
                       int active_sms)
    : chip_(chip), sharing_(sharing), share_(active_sms) {
  const size_t lines = std::max<size_t>(kL1Ways, l1_bytes / 128);
  ways_ = kL1Ways;
  sets_ = std::max<size_t>(1, lines / kL1Ways);
  lines_.resize(sets_ * ways_);
  tags_.assign(lines_.size(), ~uint64_t{0});
  flow_.has_l1 = flow_.has_l2 = true;
}

size_t MemoryPath::first_of_set(uint64_t line) const {
  return static_cast<size_t>((line ^ line >> 7 ^ line >> 15) % sets_) * ways_;
}

MemoryPath::Line* MemoryPath::find(uint64_t line) {
  const size_t first = first_of_set(line);
  for (size_t w = first; w < first + ways_; ++w) {
    if (tags_[w] == line) return &lines_[w];
  }
  return nullptr;
}

MemoryPath::Line& MemoryPath::place(uint64_t line) {
  const size_t first = first_of_set(line);
  size_t oldest = first;
  for (size_t w = first + 1; w < first + ways_; ++w) {
    if (lines_[w].used < lines_[oldest].used) oldest = w;
  }
  tags_[oldest] = line;
  lines_[oldest] = {};
  return lines_[oldest];
}

// The address of a line for a copy of a block: the same as the original's if shared, otherwise a
// private one.
uint64_t MemoryPath::place_of(uint64_t line, uint32_t copy, bool loads) const {
  const bool together = copy == 0 || (loads && sharing_.shared_with(line * 2, copy));
  return together ? line : line | uint64_t{copy} << 55;
}

double MemoryPath::accepts(double now) const { return std::max(now, tag_free_ - kTagBacklog); }

double MemoryPath::ask_l2(double at, double cost) {
  const double start = std::max(at, l2_free_);
  l2_free_ = start + cost * share_;
  totals_.l2_cycles += cost * share_;
  return start;
}

double MemoryPath::ask_slice(double at, uint64_t line, double cost) {
  const double start = ask_l2(at, cost);
  const double part = sharing_.busiest_slice(line);
  if (part <= 0) return start;
  const double begin = std::max(start, slice_free_);
  const double taken = cost * chip_.l2_slices * part * share_;
  slice_free_ = begin + taken;
  totals_.slice_cycles += taken;
  return begin;
}

void MemoryPath::write_back(double start, uint64_t sector, uint32_t copy) {
  const DramUse use = sharing_.store_of(sector, copy);
  if (use.cost <= 0) return;
  const double taken = dram_time(start, use.cost);
  take_dram(start, taken);
  write_load_.add(start, taken);
  note_dram(use);
}

void MemoryPath::note_dram(const DramUse& use) {
  flow_.dram_read_bytes += use.read_bytes;
  flow_.dram_write_bytes += use.write_bytes;
}

double MemoryPath::RecentLoad::at(double now) {
  if (now > at_) {
    load_ *= steady_exp((at_ - now) / kLoadMemory);
    at_ = now;
  }
  return std::min(1.0, load_);
}

void MemoryPath::RecentLoad::add(double now, double busy) {
  at(now);
  load_ += busy / kLoadMemory;
}

double MemoryPath::take_dram(double at, double taken) {
  const bool first = totals_.dram_cycles == 0;
  const double start = std::max(at, dram_free_);
  dram_free_ = std::max(first ? at : at - kUnusedShare, dram_free_) + taken;
  totals_.dram_cycles += taken;
  dram_load_.add(at, taken);
  return start;
}

// The mean wait of M/D/1. What is served at once is what is asked of a row.
double MemoryPath::dram_queue(double at) {
  const double load = std::min(kBusiestQueue, dram_load_.at(at));
  return chip_.dram_row * load / (2 * (1 - load));
}

// Every bus turnaround costs time; turnarounds are most frequent when reads and writes are equal
// parts.
double MemoryPath::dram_time(double at, double cost) {
  const double writes = write_load_.at(at);
  return cost * chip_.dram_unit * share_ * (1 + chip_.dram_mixed * 4 * writes * (1 - writes));
}

double MemoryPath::after_first(double at) {
  if (opened_ < 0) opened_ = at + chip_.first_access + chip_.first_access_per_sm * (share_ - 1);
  return std::max(at, opened_);
}

double MemoryPath::fetch(double at, uint64_t line, uint32_t missing, uint32_t copy,
                         double port_bytes, const Sharing::Parts& part_of) {
  const int sectors = std::popcount(missing);
  double own = 0;  // of the sectors
  for (uint32_t half = 0; half < 2; ++half) {
    const int asked = std::popcount(missing >> (2 * half) & 3);
    if (asked != 0) own += asked * sharing_.part_of_requests(line * 2 + half, part_of);
  }
  flow_.l2_read_sectors += own;
  const double cost = (chip_.l2_read + chip_.l2_read_sector * (sectors - 1)) * own / sectors;
  const double start = ask_l2(after_first(at), cost);
  double data = start + chip_.l2_latency;
  const double dram_latency =
      chip_.dram_latency + chip_.dram_write_wait * write_load_.at(start) + dram_queue(start);
  for (uint32_t half = 0; half < 2; ++half) {
    if ((missing >> (2 * half) & 3) == 0) continue;
    const int asked = std::popcount(missing >> (2 * half) & 3);
    const DramUse use = sharing_.load_of(line * 2 + half, copy);
    // the part of the 64 bytes that this SM brings into L2
    flow_.l2_read_misses += asked * use.read_bytes / 64;
    if (use.cost > 0) {
      const double dram = take_dram(start, dram_time(start, use.cost));
      note_dram(use);
      data = std::max(data, use.waits ? dram + dram_latency : data);
    } else if (use.waits) {
      data = std::max(data, start + dram_latency);
    }
  }
  port_free_ = std::max(port_free_, data) + sectors * 32 / port_bytes;
  flow_.read_bytes += sectors * 32;
  totals_.byte_cycles += sectors * 32 * (port_free_ - at);
  return port_free_;
}

double MemoryPath::load(double now, const AccessedLines& lines, uint32_t wavefronts, uint32_t copy,
                        MemoryUse use, bool bypass) {
  const double first = std::max(now, tag_free_);
  double done = first;
  std::array<int, kTagSets> looked_up{};
  for (size_t i = 0; i < lines.count; ++i) {
    const LineAccess access = lines[i];
    const double at = first + looked_up[tag_set(access.line)]++;
    const uint64_t tag = place_of(access.line, copy, true);
    Line* line = bypass ? nullptr : find(tag);
    uint32_t there = line == nullptr ? 0 : access.sectors & line->sectors;
    for (size_t s = 0; line != nullptr && s < 4; ++s) {
      const bool asked = (access.sectors >> s & 1) != 0 && access.words[s] != 0;
      if (asked && line->written.has(s, access.words[s])) there |= 1U << s;
    }
    const uint32_t missing = access.sectors & ~there;
    double data = at + chip_.l1_latency;
    if (there != 0) data = std::max(data, line->ready);
    if (missing != 0) {
      if (line == nullptr && !bypass) line = &place(tag);
      data = std::max(data, fetch(at, access.line, missing, tag == access.line ? 0 : copy,
                                  bypass ? kCopyPortBytes : chip_.port_bytes, kPartOfLoads));
    }
    flow_[use].hits += std::popcount(there);
    if (line != nullptr) {
      line->used = at;
      line->sectors |= static_cast<uint8_t>(missing);
      if (missing != 0) line->ready = data;
    }
    totals_.load_latency += data - now;
    totals_.loads += 1;
    done = std::max(done, data);
  }
  const int cycles = *std::max_element(looked_up.begin(), looked_up.end());
  const double taken =
      std::max({static_cast<double>(cycles), wavefronts * chip_.wavefront, chip_.access});
  tag_free_ = first + taken;
  totals_.l1_tags += taken;
  return std::max(done, first + std::max(1, cycles) + chip_.l1_latency);
}

void MemoryPath::load_again(double now, int sectors) {
  ask_l2(now, chip_.l2_read_sector * sectors);
  flow_.l2_read_sectors += sectors;
  flow_.read_bytes += sectors * 32;
}

double MemoryPath::bulk(double now, const AccessedLines& lines, uint32_t copy) {
  double at = std::max(now, bulk_free_);
  double done = at;
  for (size_t i = 0; i < lines.count; ++i) {
    const LineAccess access = lines[i];
    const uint64_t tag = place_of(access.line, copy, true);
    done = std::max(done, fetch(at, access.line, access.sectors, tag == access.line ? 0 : copy,
                                kCopyPortBytes, kPartOfBulk));
    totals_.load_latency += done - now;
    totals_.loads += 1;
    at += kBulkLine;
  }
  bulk_free_ = at;
  return done + kBulkLatency;
}

void MemoryPath::Written::add(const LineAccess& access) {
  for (size_t s = 0; s < 4; ++s) {
    bytes_[s] = static_cast<uint8_t>(std::min(32, bytes_[s] + access.bytes[s]));
    words_[s] |= (access.whole >> s & 1) != 0 ? uint8_t{0xff} : access.words[s];
  }
}

MemoryPath::StoreCost MemoryPath::gather(double at, const LineAccess& access, uint64_t tag) {
  Line* line = find(tag);
  if (line == nullptr) line = &place(tag);
  line->used = at;
  line->written.add(access);
  for (size_t s = 0; s < 4; ++s) {
    if (line->written.whole(s)) line->sectors |= static_cast<uint8_t>(1U << s);
  }
  auto entry = std::find_if(gathered_.begin(), gathered_.end(),
                            [&](const Gathered& g) { return g.tag == tag && g.leaves > at; });
  if (entry == gathered_.end()) {
    entry = gathered_.begin() + static_cast<std::ptrdiff_t>(next_gathered_);
    next_gathered_ = (next_gathered_ + 1) % gathered_.size();
    *entry = {.tag = tag, .leaves = at + kGathering};
  }
  const int before = std::popcount(static_cast<uint32_t>(entry->sectors));
  entry->sectors |= access.sectors;
  entry->written.add(access);
  bool whole = true;
  for (size_t s = 0; s < 4; ++s) {
    if ((entry->sectors >> s & 1) == 0) continue;
    whole &= entry->written.whole(s);
  }
  const int sectors = std::popcount(static_cast<uint32_t>(entry->sectors));
  flow_.write_bytes += (sectors - before) * 32;
  const double cost = whole ? chip_.l2_write + chip_.l2_write_sector * (sectors - 1)
                            : chip_.l2_partial + chip_.l2_partial_sector * (sectors - 1);
  const double leaving = kSectorLeaves * sectors + (whole ? 0 : kMaskLeaves);
  const StoreCost more{.leaving = std::max(0.0, leaving - entry->occupied),
                       .l2 = std::max(0.0, cost - entry->charged)};
  entry->occupied += more.leaving;
  entry->charged += more.l2;
  return more;
}

MemoryPath::Stored MemoryPath::store(double now, const AccessedLines& lines, uint32_t copy) {
  double at = std::max({now, tag_free_, l2_free_ - kStoreBacklog, slice_free_ - kStoreBacklog});
  at = std::max(at, dram_free_ - kDramBacklog);
  for (size_t i = 0; i < lines.count; ++i) {
    const LineAccess access = lines[i];
    at = std::max({at + 1, l2_free_ - kStoreBacklog, slice_free_ - kStoreBacklog,
                   leaving_free_ - kStoreBacklog});
    totals_.l1_tags += 1;
    const StoreCost cost = gather(at, access, place_of(access.line, copy, false));
    const double leaves = std::max(leaving_free_, after_first(at));
    if (cost.leaving > 0) leaving_free_ = leaves + cost.leaving;
    const double start = cost.l2 > 0 ? ask_slice(leaves, access.line, cost.l2) : at;
    for (uint32_t s = 0; s < 4; ++s) {
      if ((access.sectors >> s & 1) != 0) write_back(start, access.line * 4 + s, copy);
    }
    last_store_ = std::max(last_store_, start);
  }
  tag_free_ = std::max(tag_free_, at);
  return {.left = at, .taken = last_store_};
}

double MemoryPath::atomic(double now, const AccessedLines& lines, uint32_t copy, bool returned) {
  double at = std::max({now, tag_free_, l2_free_ - kStoreBacklog, slice_free_ - kStoreBacklog});
  at = std::max(at, dram_free_ - kDramBacklog);
  double done = at;
  for (size_t i = 0; i < lines.count; ++i) {
    const LineAccess access = lines[i];
    at = std::max({at + 1, l2_free_ - kStoreBacklog, slice_free_ - kStoreBacklog});
    totals_.l1_tags += 1;
    // Lines that all SMs visit constantly are always at hand.
    const bool at_hand = sharing_.busiest_slice(access.line) > 0;
    const double first = at_hand    ? chip_.l2_atomic
                         : returned ? chip_.l2_atomic_returned
                                    : chip_.l2_atomic_request;
    const double parts = access.visits > 0 ? first + chip_.l2_atomic * (access.visits - 1) : 0;
    const double cost = parts + chip_.l2_atomic_whole * access.whole_visits;
    const double start = ask_slice(after_first(at), access.line, cost);
    done = std::max(done, start + chip_.l2_latency);
    flow_.atomic_bytes += std::popcount(static_cast<uint32_t>(access.sectors)) * 32;
    for (uint32_t s = 0; s < 4; ++s) {
      if ((access.sectors >> s & 1) != 0) write_back(start, access.line * 4 + s, copy);
    }
  }
  tag_free_ = std::max(tag_free_, at);
  last_store_ = std::max(last_store_, done);
  return done;
}

double MemoryPath::drained() const {
  return std::max({tag_free_, l2_free_, slice_free_, dram_free_, last_store_});
}

}  // namespace warpshop::timing
