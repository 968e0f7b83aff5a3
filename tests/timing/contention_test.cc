// Where atomics meet: synthetic accesses, with counts worked out by hand or counted by std::map.
#include "timing/contention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "timing/counters.h"

namespace warpshop::timing {
namespace {

using emulator::AccessKind;
using emulator::AccessSink;
using emulator::AccessSite;
using emulator::WarpAccess;
using ptx::Space;

AccessSite atomic_site(Space space, std::string text, uint8_t bytes = 4, uint8_t elements = 1) {
  AccessSite site;
  site.space = space;
  site.kind = text.starts_with("red") ? AccessKind::kReduction : AccessKind::kAtomic;
  site.element_bytes = bytes;
  site.elements = elements;
  site.text = std::move(text);
  return site;
}
const AccessSite kGlobalRed = atomic_site(Space::kGlobal, "red.global.add.u32 [%rd1], %r2;");
const AccessSite kSharedRed = atomic_site(Space::kShared, "red.shared.add.u32 [%r1], %r2;");

// Lane l accesses addresses[l]; there may be fewer than 32.
WarpAccess access_to(Space space, const std::vector<uint64_t>& addresses, uint32_t site = 0) {
  WarpAccess access{.site = site, .space = space};
  access.active_mask = static_cast<uint32_t>((uint64_t{1} << addresses.size()) - 1);
  std::copy(addresses.begin(), addresses.end(), access.address.begin());
  return access;
}

emulator::WarpIdentity in_block(uint64_t block) {
  emulator::WarpIdentity warp;
  warp.linear_block = block;
  return warp;
}

std::vector<uint64_t> strided(uint64_t first, uint64_t stride, size_t count = 32) {
  std::vector<uint64_t> out(count);
  for (size_t l = 0; l < count; ++l) out[l] = first + l * stride;
  return out;
}

// One access of one site by block 0.
LaunchContention contention_of(const AccessSite& site, const std::vector<uint64_t>& addresses) {
  AccessCounter counter;
  const std::vector<AccessSite> sites = {site};
  AccessSink* sink = counter.make_sink(sites, 0);
  const Space space = site.space;
  sink->on_access(in_block(0), sites[0], access_to(space, addresses));
  sink->on_block_end(0);
  return counter.contention();
}

TEST(Contention, LanesOnOneWordTakeTurns) {
  struct Case {
    std::vector<uint64_t> addresses;
    int most;
    uint64_t words;
  };
  std::vector<uint64_t> halves = strided(0x1000, 0, 16);
  halves.resize(32, 0x2000);
  std::vector<uint64_t> uneven = strided(0x1000, 4, 20);
  uneven.resize(32, 0x1008);  // twelve more on lane 2's word
  const Case cases[] = {{strided(0x1000, 0), 32, 1},
                        {strided(0x1000, 4), 1, 32},
                        {strided(0x1000, 4096), 1, 32},
                        {halves, 16, 2},
                        {uneven, 13, 20},
                        {strided(0x1000, 4, 1), 1, 1}};
  for (const Case& c : cases) {
    for (const AccessSite& site : {kGlobalRed, kSharedRed}) {
      const LaunchContention all = contention_of(site, c.addresses);
      const Contention& got = site.space == Space::kGlobal ? all.global : all.shared;
      EXPECT_EQ(got.requests, 1U);
      EXPECT_EQ(got.hits, c.addresses.size());
      EXPECT_EQ(got.most_lanes(), c.most);
      EXPECT_EQ(got.lanes_on_busiest(), c.most);
      EXPECT_EQ(got.requests_by_lanes[static_cast<size_t>(c.most)], 1U);
      EXPECT_EQ(got.words, c.words);
      EXPECT_EQ(all.by_site[0].lanes_on_busiest, static_cast<uint64_t>(c.most));
      EXPECT_EQ(site.space == Space::kGlobal ? all.shared : all.global, Contention());
    }
  }
}

TEST(Contention, WordsAreSortedIntoPowersOfTwo) {
  AccessCounter counter;
  const std::vector<AccessSite> sites = {kGlobalRed};
  AccessSink* sink = counter.make_sink(sites, 0);
  // Word k is hit k + 1 times, by one lane each.
  for (uint64_t k = 0; k < 9; ++k) {
    for (uint64_t n = 0; n <= k; ++n)
      sink->on_access(in_block(n), sites[0], access_to(Space::kGlobal, {0x4000 + 4 * k}));
  }
  const Contention got = counter.contention().global;
  EXPECT_EQ(got.words_by_hits[0], 1U);  // 1
  EXPECT_EQ(got.words_by_hits[1], 2U);  // 2, 3
  EXPECT_EQ(got.words_by_hits[2], 4U);  // 4 … 7
  EXPECT_EQ(got.words_by_hits[3], 2U);  // 8, 9
  EXPECT_EQ(got.words, 9U);
  EXPECT_EQ(got.requests_by_lanes[1], 45U);
  ASSERT_EQ(got.hottest.size(), 9U);
  for (uint64_t k = 0; k < 9; ++k) {
    EXPECT_EQ(got.hottest[k].address, 0x4000 + 4 * (8 - k));
    EXPECT_EQ(got.hottest[k].hits, 9 - k);
    EXPECT_EQ(got.hottest[k].most, 9 - k);
  }
}

// Blocks may take turns on one thread, and may run on several.
TEST(Contention, EachBlockHasItsOwnSharedWords) {
  AccessCounter counter;
  const std::vector<AccessSite> sites = {kSharedRed};
  AccessSink* one = counter.make_sink(sites, 0);
  AccessSink* two = counter.make_sink(sites, 1);
  const auto hit = [&](AccessSink* sink, uint64_t block, uint64_t address, int times) {
    for (int n = 0; n < times; ++n)
      sink->on_access(in_block(block), sites[0], access_to(Space::kShared, {address}));
  };
  hit(one, 0, 64, 3);
  hit(one, 1, 64, 5);
  hit(one, 0, 64, 1);
  hit(one, 0, 12, 2);
  one->on_block_end(0);
  hit(one, 1, 64, 1);
  one->on_block_end(1);
  hit(two, 2, 64, 9);
  two->on_block_end(2);
  hit(two, 3, 64, 1);  // abandoned
  const Contention got = counter.contention().shared;
  EXPECT_EQ(got.hits, 22U);
  EXPECT_EQ(got.words, 5U);  // of 4, 6, 9, 1 and 2 hits
  EXPECT_EQ(got.words_by_hits[0], 1U);
  EXPECT_EQ(got.words_by_hits[1], 1U);
  EXPECT_EQ(got.words_by_hits[2], 2U);
  EXPECT_EQ(got.words_by_hits[3], 1U);
  ASSERT_EQ(got.hottest.size(), 2U);
  EXPECT_EQ(got.hottest[0],
            (ContendedWord{.name = {}, .address = 64, .hits = 20, .copies = 4, .most = 9}));
  EXPECT_EQ(got.hottest[1],
            (ContendedWord{.name = {}, .address = 12, .hits = 2, .copies = 1, .most = 2}));
}

TEST(Contention, VectorsAndNarrowWordsCountByElement) {
  const LaunchContention four = contention_of(
      atomic_site(Space::kGlobal, "red.global.add.v4.f32 [%rd1], {%f1, %f2, %f3, %f4};", 4, 4),
      strided(0x1000, 16, 8));
  EXPECT_EQ(four.global.hits, 32U);
  EXPECT_EQ(four.global.words, 32U);
  EXPECT_EQ(four.global.most_lanes(), 1);
  const LaunchContention half = contention_of(
      atomic_site(Space::kGlobal, "red.global.add.noftz.f16 [%rd1], %h1;", 2), strided(0x1000, 2));
  EXPECT_EQ(half.global.words, 32U) << "neighbouring half-words are words of their own";
  EXPECT_EQ(half.global.hottest.back().address, 0x103EU);
}

TEST(Contention, WhatTheBackEndCombinesIsOneLane) {
  AccessSite site = kGlobalRed;
  site.elected = true;
  const Contention got = contention_of(site, strided(0x1000, 0)).global;
  EXPECT_EQ(got.hits, 1U);
  EXPECT_EQ(got.combined, 31U);
  EXPECT_EQ(got.most_lanes(), 1);
}

TEST(Contention, BarrierObjectsAndCopiesAreNoAtomics) {
  for (const char* text : {"mbarrier.arrive.shared.b64 %rd1, [%r1];",
                           "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], ",
                           "@%p1 mbarrier.try_wait.parity.shared.b64 %p2, [%r1], %r2;"})
    EXPECT_FALSE(contention_of(atomic_site(Space::kGlobal, text, 8), strided(0x1000, 0)).any());
  EXPECT_TRUE(contention_of(atomic_site(Space::kGlobal,
                                        "@!%p1 atom.global.cas.b64 %rd1, "
                                        "[%rd2], %rd3, %rd4;",
                                        8),
                            strided(0x1000, 0))
                  .any());
}

// Words beyond the limit are left out in the same way however blocks are spread over threads.
TEST(Contention, BeyondTheLimitTheLowestAddressesAreCounted) {
  std::vector<uint64_t> pages(kContentionPages + 500);
  std::iota(pages.begin(), pages.end(), uint64_t{100});
  std::mt19937 random(7);
  std::shuffle(pages.begin(), pages.end(), random);
  LaunchContention by_one;
  for (const int threads : {1, 3}) {
    AccessCounter counter;
    const std::vector<AccessSite> sites = {kGlobalRed};
    std::vector<AccessSink*> sinks;
    for (int t = 0; t < threads; ++t) sinks.push_back(counter.make_sink(sites, t));
    for (int round = 0; round < 2; ++round) {
      for (size_t p = 0; p < pages.size(); ++p) {
        const uint64_t address = pages[p] * kContentionPageBytes + 4 * (pages[p] % 512);
        sinks[p % sinks.size()]->on_access(
            in_block(0), sites[0], access_to(Space::kGlobal, {address, address, address + 4}));
      }
    }
    const LaunchContention got = counter.contention();
    if (threads == 1) by_one = got;
    EXPECT_EQ(got, by_one);
    EXPECT_EQ(got.global.hits, 6 * pages.size());
    EXPECT_EQ(got.global.words, 2 * kContentionPages);
    EXPECT_EQ(got.global.hits_left_out, 6U * 500);
    EXPECT_EQ(got.global.first_left_out, (100 + kContentionPages) * kContentionPageBytes);
    EXPECT_EQ(got.global.requests_by_lanes[2], 2 * pages.size()) << "never left out";
  }
}

TEST(Contention, RandomAccessesCountAsInAMap) {
  std::mt19937 random(1);
  AccessCounter counter;
  const std::vector<AccessSite> sites = {kGlobalRed, kSharedRed};
  AccessSink* sink = counter.make_sink(sites, 0);
  std::map<uint64_t, uint64_t> global;
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> shared;  // by block and address
  std::map<uint64_t, uint64_t> requests;                     // global, by lanes on one word
  for (int n = 0; n < 3000; ++n) {
    const uint64_t block = random() % 4;
    std::vector<uint64_t> words(1 + random() % 32);
    std::map<uint64_t, uint64_t> here;
    const bool is_shared = random() % 2 == 0;
    for (uint64_t& word : words) {
      word = 4 * (random() % (1 + random() % 3000));
      if (!is_shared) word += 0x7000'0000'0000;
      ++here[word];
      ++(is_shared ? shared[{block, word}] : global[word]);
    }
    uint64_t most = 0;
    for (const auto& [word, count] : here) most = std::max(most, count);
    if (!is_shared) ++requests[most];
    sink->on_access(in_block(block), sites[is_shared ? 1 : 0],
                    access_to(is_shared ? Space::kShared : Space::kGlobal, words, is_shared));
  }
  const LaunchContention got = counter.contention();
  EXPECT_EQ(got.global.words, global.size());
  EXPECT_EQ(got.shared.words, shared.size());
  for (uint64_t d = 0; d <= 32; ++d) EXPECT_EQ(got.global.requests_by_lanes[d], requests[d]) << d;
  std::map<uint64_t, uint64_t> sum, copies, most;
  for (const auto& [key, hits] : shared) {
    sum[key.second] += hits;
    ++copies[key.second];
    most[key.second] = std::max(most[key.second], hits);
  }
  ASSERT_EQ(got.shared.hottest.size(), kHottestWords);
  for (const ContendedWord& word : got.shared.hottest) {
    EXPECT_EQ(word.hits, sum[word.address]);
    EXPECT_EQ(word.copies, copies[word.address]);
    EXPECT_EQ(word.most, most[word.address]);
  }
  uint64_t hottest = 0;
  for (const auto& [word, hits] : global) hottest = std::max(hottest, hits);
  EXPECT_EQ(got.global.hottest.front().hits, hottest);
  for (const ContendedWord& word : got.global.hottest)
    EXPECT_EQ(word.hits, global[word.address]) << word.address;
}

}  // namespace
}  // namespace warpshop::timing
