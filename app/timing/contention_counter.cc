#include "contention_counter.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <tuple>

#include "timing/issue.h"

namespace warpshop::timing {
namespace {

using emulator::AccessKind;
using emulator::AccessSite;

// The lanes of one request by the address of their word.
struct Meeting {
  int words = 0;
  uint8_t most = 0;  // lanes on one word
  std::array<uint64_t, emulator::kWarpSize> address;
  std::array<uint8_t, emulator::kWarpSize> lanes;

  Meeting(const emulator::WarpAccess& access, uint32_t mask) {
    std::array<uint8_t, 64> slots{};  // 1 + index of the word
    for (; mask != 0; mask &= mask - 1) {
      const uint64_t a = access.address[static_cast<size_t>(std::countr_zero(mask))];
      constexpr uint64_t kGoldenRatio = 0x9E3779B97F4A7C15;
      size_t at = a * kGoldenRatio >> 58;
      while (slots[at] != 0 && address[slots[at] - size_t{1}] != a) at = (at + 1) % slots.size();
      if (slots[at] == 0) {
        const auto word = static_cast<size_t>(words);
        address[word] = a;
        lanes[word] = 0;
        slots[at] = static_cast<uint8_t>(++words);
      }
      most = std::max(most, ++lanes[slots[at] - size_t{1}]);
    }
  }
};

size_t bucket_of(uint64_t hits) {
  return std::min<size_t>(static_cast<size_t>(std::bit_width(hits)) - 1, Contention::kBuckets - 1);
}

void keep_hottest(std::vector<ContendedWord>& words) {
  const auto hotter = [](const ContendedWord& a, const ContendedWord& b) {
    return std::tuple(b.most, b.hits, a.address) < std::tuple(a.most, a.hits, b.address);
  };
  const size_t kept = std::min(words.size(), kHottestWords);
  std::partial_sort(words.begin(), words.begin() + static_cast<ptrdiff_t>(kept), words.end(),
                    hotter);
  words.resize(kept);
}

// Everything that adds up without regard to words.
void add_sums(Contention& to, const Contention& from) {
  to.requests += from.requests;
  to.hits += from.hits;
  to.combined += from.combined;
  to.counted += from.counted;
  for (size_t d = 0; d < to.requests_by_lanes.size(); ++d)
    to.requests_by_lanes[d] += from.requests_by_lanes[d];
  for (size_t b = 0; b < to.words_by_hits.size(); ++b) to.words_by_hits[b] += from.words_by_hits[b];
  to.words += from.words;
}

}  // namespace

bool is_atomic_instruction(const AccessSite& site) {
  if (site.kind != AccessKind::kAtomic && site.kind != AccessKind::kReduction) return false;
  std::string_view text = site.text;
  if (text.starts_with('@')) text.remove_prefix(std::min(text.find(' ') + 1, text.size()));
  return text.starts_with("atom.") || text.starts_with("red.");
}

ContentionCounter::ContentionCounter(const std::vector<AccessSite>& sites)
    : sites_(sites.size()), by_site_(sites.size()) {
  int smallest = 16;
  for (size_t s = 0; s < sites.size(); ++s) {
    if (!is_atomic_instruction(sites[s]) || sites[s].element_bytes == 0) continue;
    sites_[s] = {sites[s].element_bytes, sites[s].elements,
                 shared_access_of(sites[s]) == models::SharedAccess::kCountingAdd};
    smallest = std::min<int>(smallest, sites[s].element_bytes);
  }
  granule_shift_ = std::countr_zero(static_cast<unsigned>(smallest));
}

void ContentionCounter::add(uint64_t block, const emulator::WarpAccess& access, uint32_t issued) {
  const bool is_shared = access.space == ptx::Space::kShared;
  if (!is_shared && access.space != ptx::Space::kGlobal) return;
  const Site& site = sites_[access.site];
  Contention& to = is_shared ? shared_ : global_;
  const auto lanes = static_cast<uint64_t>(std::popcount(issued));
  ++to.requests;
  to.hits += lanes * site.elements;
  if (is_shared && site.counts_lanes) ++to.counted;
  to.combined += static_cast<uint64_t>(std::popcount(access.active_mask)) - lanes;
  if (is_shared && block_ != block) {
    block_ = block;
    block_hits_ = &blocks_[block];
    if (block_hits_->empty()) block_hits_->swap(spare_);
  }
  const Meeting meeting(access, issued);
  ++to.requests_by_lanes[meeting.most];
  SiteContention& at = by_site_[access.site];
  ++at.requests;
  at.lanes_on_busiest += meeting.most;
  for (size_t w = 0; w < static_cast<size_t>(meeting.words); ++w) {
    for (uint64_t e = 0; e < site.elements; ++e)
      hit(access.space, meeting.address[w] + e * site.element_bytes, meeting.lanes[w]);
  }
}

void ContentionCounter::hit(ptx::Space space, uint64_t address, uint64_t lanes) {
  if (space == ptx::Space::kShared) {
    const size_t slot = slot_of(address);
    if (slot >= block_hits_->size()) block_hits_->resize(std::bit_ceil(slot + 1));
    (*block_hits_)[slot] += lanes;
  } else if (Hits* hits = page(address / kContentionPageBytes)) {
    (*hits)[slot_of(address % kContentionPageBytes)] += lanes;
  }
}

ContentionCounter::Hits* ContentionCounter::page(uint64_t number) {
  CachedPage& cached = cache_[number % cache_.size()];
  if (cached.hits != nullptr && cached.number == number) return cached.hits;
  if (number >= first_page_left_out_) return nullptr;
  std::unique_ptr<Hits>& hits = pages_[number];
  if (!hits) {
    hits = std::make_unique<Hits>(slot_of(kContentionPageBytes));
    if (pages_.size() > kContentionPages) {
      drop_last_page();
      if (number >= first_page_left_out_) return nullptr;
    }
  }
  cached = {number, hits.get()};
  return cached.hits;
}

void ContentionCounter::drop_last_page() {
  const auto last = std::prev(pages_.end());
  first_page_left_out_ = last->first;
  CachedPage& cached = cache_[last->first % cache_.size()];
  if (cached.number == last->first) cached = {};
  pages_.erase(last);
}

void ContentionCounter::end_block(uint64_t block) {
  const auto ended = blocks_.find(block);
  if (ended == blocks_.end()) return;
  Hits& hits = ended->second;
  if (shared_words_.size() < hits.size()) shared_words_.resize(hits.size());
  for (size_t slot = 0; slot < hits.size(); ++slot) {
    if (hits[slot] == 0) continue;
    SharedWord& word = shared_words_[slot];
    word.hits += hits[slot];
    ++word.copies;
    word.most = std::max(word.most, hits[slot]);
    ++shared_.words_by_hits[bucket_of(hits[slot])];
    ++shared_.words;
    hits[slot] = 0;
  }
  spare_ = std::move(hits);
  blocks_.erase(ended);
  block_ = ~uint64_t{0};
}

LaunchContention ContentionCounter::merge(std::span<ContentionCounter* const> counters) {
  LaunchContention out;
  std::map<uint64_t, Hits> pages;
  std::vector<SharedWord> shared_words;
  int shift = 2;
  for (ContentionCounter* counter : counters) {
    shift = counter->granule_shift_;  // the same for all
    while (!counter->blocks_.empty()) counter->end_block(counter->blocks_.begin()->first);
    add_sums(out.global, counter->global_);
    add_sums(out.shared, counter->shared_);
    out.by_site.resize(counter->by_site_.size());
    for (size_t s = 0; s < out.by_site.size(); ++s) {
      out.by_site[s].requests += counter->by_site_[s].requests;
      out.by_site[s].lanes_on_busiest += counter->by_site_[s].lanes_on_busiest;
    }
    for (const auto& [number, hits] : counter->pages_) {
      Hits& sum = pages[number];
      if (sum.empty()) sum.resize(hits->size());
      for (size_t slot = 0; slot < sum.size(); ++slot) sum[slot] += (*hits)[slot];
    }
    if (shared_words.size() < counter->shared_words_.size())
      shared_words.resize(counter->shared_words_.size());
    for (size_t slot = 0; slot < counter->shared_words_.size(); ++slot) {
      const SharedWord& from = counter->shared_words_[slot];
      shared_words[slot].hits += from.hits;
      shared_words[slot].copies += from.copies;
      shared_words[slot].most = std::max(shared_words[slot].most, from.most);
    }
  }
  // A page that a thread has dropped follows kContentionPages others of that thread, so it is
  // dropped here, too: what is kept is complete and does not depend on the number of threads.
  uint64_t counted = 0;
  size_t kept = 0;
  for (const auto& [number, hits] : pages) {
    if (kept++ == kContentionPages) break;
    out.global.first_left_out = (number + 1) * kContentionPageBytes;
    for (size_t slot = 0; slot < hits.size(); ++slot) {
      if (hits[slot] == 0) continue;
      counted += hits[slot];
      ++out.global.words;
      ++out.global.words_by_hits[bucket_of(hits[slot])];
      out.global.hottest.push_back({.name = {},
                                    .address = number * kContentionPageBytes + (slot << shift),
                                    .hits = hits[slot],
                                    .most = hits[slot]});
    }
    if (out.global.hottest.size() > 64 * kHottestWords) keep_hottest(out.global.hottest);
  }
  out.global.hits_left_out = out.global.hits - counted;
  if (out.global.hits_left_out == 0) out.global.first_left_out = 0;
  for (size_t slot = 0; slot < shared_words.size(); ++slot) {
    const SharedWord& word = shared_words[slot];
    if (word.hits == 0) continue;
    out.shared.hottest.push_back({.name = {},
                                  .address = uint64_t{slot} << shift,
                                  .hits = word.hits,
                                  .copies = word.copies,
                                  .most = word.most});
  }
  keep_hottest(out.global.hottest);
  keep_hottest(out.shared.hottest);
  return out;
}

}  // namespace warpshop::timing
