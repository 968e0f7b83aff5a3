// Sectors and lines, worked out by hand from the rule: the distinct 32-byte sectors and 128-byte
// lines that active lanes touch.
#include "models/coalescer.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "lanes.h"

namespace warpshop::models {
namespace {

struct CoalescerCase {
  const char* name;
  WarpRequest request;
  CoalescerCounts expected;
};

std::vector<CoalescerCase> coalescer_cases() {
  return {
      {"nobody active", strided(4, 0, 4, 0), {0, 0, 0, 0, 0}},
      {"one float each, side by side: 128 bytes, 4 sectors", strided(4, 512, 4), {1, 4, 4, 1, 128}},
      {"shifted by one float: a fifth sector, a second line",
       strided(4, 516, 4),
       {1, 5, 4, 2, 128}},
      {"shifted by a sector: still 4 sectors, but of two lines",
       strided(4, 544, 4),
       {1, 4, 4, 2, 128}},
      {"every second float: twice the sectors", strided(4, 0, 8), {1, 8, 4, 2, 128}},
      {"every third float: 31 × 12 + 4 = 376 bytes", strided(4, 0, 12), {1, 12, 4, 3, 128}},
      {"one sector each", strided(4, 0, 32), {1, 32, 4, 8, 128}},
      {"one line each", strided(4, 0, 128), {1, 32, 4, 32, 128}},
      {"a column of a 1024-wide matrix", strided(4, 64, 4096), {1, 32, 4, 32, 128}},
      {"stride 33 bytes: each byte in a sector of its own, 1024 bytes in all",
       strided(1, 0, 33),
       {1, 32, 1, 8, 32}},
      {"backwards costs what forwards costs", strided(4, 636, -4), {1, 4, 4, 1, 128}},
      {"all on one word: one sector is enough", strided(4, 1000, 0), {1, 1, 1, 1, 4}},
      {"bytes side by side: one sector", strided(1, 96, 1), {1, 1, 1, 1, 32}},
      {"bytes at 24: 8 in one sector, 24 in the next", strided(1, 24, 1), {1, 2, 1, 1, 32}},
      {"doubles side by side", strided(8, 0, 8), {1, 8, 8, 2, 256}},
      {"float4 side by side", strided(16, 0, 16), {1, 16, 16, 4, 512}},
      {"float4, every second: 32 sectors half used", strided(16, 0, 32), {1, 32, 16, 8, 512}},
      {"one lane", strided(4, 128, 0, 1), {1, 1, 1, 1, 4}},
      {"9 lanes: 36 bytes", strided(4, 0, 4, 0x1FF), {1, 2, 2, 1, 36}},
      {"every other lane of a dense row: 64 bytes would fill 2 sectors, 4 are touched",
       strided(4, 0, 4, 0xAAAAAAAAU),
       {1, 4, 2, 1, 64}},
      {"only the last lane", strided(4, 0, 4, 0x80000000U), {1, 1, 1, 1, 4}},
      {"two rows of 16 floats, 512 bytes apart",
       lanes(4, kAllLanes, [](uint64_t l) { return l / 16 * 512 + l % 16 * 4; }),
       {1, 4, 4, 2, 128}},
      {"two words in turn, one sector",
       lanes(4, kAllLanes, [](uint64_t l) { return l % 2 * 4; }),
       {1, 1, 1, 1, 8}},
      {"a permutation of a dense row",
       lanes(4, kAllLanes, [](uint64_t l) { return (l * 7 + 3) % 32 * 4; }),
       {1, 4, 4, 1, 128}},
      {"structures of 12 bytes, first member at 4", strided(4, 4, 12), {1, 12, 4, 3, 128}},
      {"not aligned: 8 bytes at 28 lie in two sectors", strided(8, 28, 0, 1), {1, 2, 1, 1, 8}},
      {"not aligned, far apart, two sectors each: 16 of 124 + 4096 i",
       strided(16, 120, 4096, 0x3),
       {1, 4, 1, 4, 32}},
      {"at the top of the address space", strided(4, ~uint64_t{0} - 127, 4), {1, 4, 4, 1, 128}},
  };
}

TEST(Coalescer, CountsWhatIsWorkedByHand) {
  for (const CoalescerCase& c : coalescer_cases()) {
    SCOPED_TRACE(c.name);
    const CoalescerCounts counts = count_sectors(c.request);
    EXPECT_EQ(counts.requests, c.expected.requests);
    EXPECT_EQ(counts.sectors, c.expected.sectors);
    EXPECT_EQ(counts.ideal_sectors, c.expected.ideal_sectors);
    EXPECT_EQ(counts.lines, c.expected.lines);
    EXPECT_EQ(counts.bytes_used, c.expected.bytes_used);
    EXPECT_EQ(coalesce(c.request).counts, counts);
  }
}

// The definition, byte by byte with sets: slow but simple.
CoalescerCounts by_definition(const WarpRequest& request) {
  std::set<uint64_t> bytes;
  std::set<uint64_t> sectors;
  std::set<uint64_t> lines;
  int active = 0;
  for (size_t lane = 0; lane < kLanes; ++lane) {
    if ((request.active_mask >> lane & 1U) == 0) continue;
    ++active;
    for (uint32_t b = 0; b < request.width_bytes; ++b) {
      bytes.insert(request.address[lane] + b);
      sectors.insert((request.address[lane] + b) / 32);
      lines.insert((request.address[lane] + b) / 128);
    }
  }
  const int needed =
      static_cast<int>((static_cast<uint32_t>(active) * request.width_bytes + 31) / 32);
  return {active > 0 ? 1 : 0, static_cast<int>(sectors.size()),
          std::min(needed, static_cast<int>(sectors.size())), static_cast<int>(lines.size()),
          bytes.size()};
}

// Covers every path of the fast count: random gathers, strides and partial masks, aligned or not.
TEST(Coalescer, FastCountEqualsTheDefinitionOnRandomRequests) {
  std::mt19937_64 random(1);
  auto below = [&](uint64_t n) { return random() % n; };
  for (int i = 0; i < 20000; ++i) {
    const uint32_t width = 1U << below(5);
    const uint32_t mask = below(3) == 0   ? static_cast<uint32_t>(random())
                          : below(2) == 0 ? static_cast<uint32_t>((uint64_t{1} << below(33)) - 1)
                                          : kAllLanes;
    const uint64_t unit = below(4) == 0 ? 1 : width;  // a quarter of them unaligned
    const uint64_t range = uint64_t{1} << (2 + below(18));
    const uint64_t first = below(4096) * unit;
    const int64_t stride = (static_cast<int64_t>(below(200)) - 60) * static_cast<int64_t>(unit);
    WarpRequest request = strided(width, (uint64_t{1} << 20) + first, stride, mask);
    switch (below(4)) {
      case 0:
        request = lanes(width, mask, [&](uint64_t) { return below(range) * unit; });
        break;
      case 1: {  // ascending, with repeats
        uint64_t at = first;
        request = lanes(width, mask, [&](uint64_t) { return at += below(5) * unit; });
        break;
      }
      case 2: {  // two runs
        const uint64_t far = below(range) * unit;
        request =
            lanes(width, mask, [&](uint64_t l) { return first + (l / 16) * far + l % 16 * unit; });
        break;
      }
      default:
        break;
    }
    ASSERT_EQ(count_sectors(request), by_definition(request))
        << "width " << width << " mask " << mask;
  }
}

TEST(Coalescer, ExplanationNamesEverySectorItsBytesAndItsLanes) {
  // 8 lanes of 8 bytes starting at 24 read bytes 24..87, in sectors 0, 32 and 64.
  const CoalescerResult result = coalesce(strided(8, 24, 8, 0xFF));
  ASSERT_EQ(result.sectors.size(), 3U);
  EXPECT_EQ(result.sectors[0].address, 0U);
  EXPECT_EQ(result.sectors[0].used_mask, 0xFF000000U);
  EXPECT_EQ(result.sectors[0].lanes, 0x01U);
  EXPECT_EQ(result.sectors[1].address, 32U);
  EXPECT_EQ(result.sectors[1].used_mask, 0xFFFFFFFFU);
  EXPECT_EQ(result.sectors[1].lanes, 0x1EU);
  EXPECT_EQ(result.sectors[2].address, 64U);
  EXPECT_EQ(result.sectors[2].used_mask, 0x00FFFFFFU);
  EXPECT_EQ(result.sectors[2].lanes, 0xE0U);
  EXPECT_EQ(result.first_sector[0], 0);
  EXPECT_EQ(result.first_sector[1], 1);
  EXPECT_EQ(result.last_sector[7], 2);
  EXPECT_EQ(result.first_sector[8], -1);
  EXPECT_EQ(result.last_sector[31], -1);
}

TEST(Coalescer, ALaneThatStraddlesTwoSectorsTouchesBoth) {
  const CoalescerResult result = coalesce(strided(8, 28, 0, 1));
  ASSERT_EQ(result.sectors.size(), 2U);
  EXPECT_EQ(result.first_sector[0], 0);
  EXPECT_EQ(result.last_sector[0], 1);
  EXPECT_EQ(result.sectors[1].used_mask, 0xFU);
}

struct AtomicCase {
  const char* name;
  WarpRequest request;
  int expected;
};

TEST(Coalescer, AtomicsOnOneWordVisitItsSectorInTurn) {
  const AtomicCase table[] = {
      {"nobody", strided(4, 0, 4, 0), 0},
      {"all on one word", strided(4, 0, 0), 32},
      {"a word each, side by side", strided(4, 0, 4), 4},
      {"two lanes a word: 16 words, 2 sectors, two visits each",
       lanes(4, kAllLanes, [](uint64_t l) { return l / 2 * 4; }), 4},
      {"words 0 and 1 in turn: one sector, 16 lanes on each",
       lanes(4, kAllLanes, [](uint64_t l) { return l % 2 * 4; }), 16},
      {"two on one word, one in the next sector",
       lanes(4, 0x7, [](uint64_t l) { return l / 2 * 32; }), 3},
      {"8 bytes each", strided(8, 0, 8), 8},
      {"backwards", strided(4, 124, -4), 4},
  };
  for (const AtomicCase& c : table) {
    EXPECT_EQ(count_atomic_sectors(c.request), c.expected) << c.name;
  }
}

}  // namespace
}  // namespace warpshop::models
