// Bursts, channels, banks and rows, worked out by hand from the
// Teaching Kit's module 6 and the profiles.
#include "models/dram.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lanes.h"

namespace warpshop::models {
namespace {

using testing::HasSubstr;

DramSpec spec_of(const char* gpu) {
  const auto profile = find_gpu_profile(WARPSHOP_SOURCE_DIR, gpu);
  EXPECT_TRUE(profile.ok());
  return dram_of(*profile);
}

// A single channel, so that addresses are those within its banks. Rows of 256 bytes, 32-byte bursts
// in four transfers, and ten transfers to open a row.
DramSpec toy(int banks) {
  return {.channels = {.count = 1, .bytes = 256},
          .burst_bytes = 32,
          .burst_steps = 4,
          .banks = banks,
          .row_bytes = 256,
          .row_steps = 10};
}

// "DDR2/GDDR3: core speed = 1/4 interface speed; DDR3/GDDR4: 1/8".
TEST(Dram, TheCoreIsAsSlowAsTheBurstIsLong) {
  struct Case {
    const char* gpu;
    int steps;
    uint32_t burst;
    uint32_t row_steps;
    const char* note;
  };
  for (const Case& c : {Case{"8800-gt", 4, 32, 72, "number of banks is unknown: 16 assumed"},
                        {"gtx-280", 4, 32, 89, "the number of banks is assumed"},
                        {"k40c", 8, 32, 240, "row size in bytes is unknown: 2048 assumed"},
                        {"rtx-6000", 16, 32, 560, "the burst size in bytes is assumed"}}) {
    const DramSpec spec = spec_of(c.gpu);
    EXPECT_EQ(spec.burst_steps, c.steps) << c.gpu;
    EXPECT_EQ(spec.burst_bytes, c.burst) << c.gpu;
    EXPECT_EQ(spec.row_steps, c.row_steps) << c.gpu;  // 40 ns × Gbit/s per pin
    EXPECT_THAT(spec.note, HasSubstr(c.note)) << c.gpu;
    EXPECT_THAT(spec.note, HasSubstr("order of rows in the banks are assumed")) << c.gpu;
  }
}

// GTX 280: 8 channels interleaved by 256 bytes, 8 banks with rows of 2,048 bytes.
TEST(Dram, PlacesOfTheGtx280) {
  const DramSpec spec = spec_of("gtx-280");
  struct Case {
    uint64_t address;
    DramPlace place;
  };
  constexpr uint64_t kAllChannelsRow = 2048 * 8;       // one row in each channel
  constexpr uint64_t kAllBanks = kAllChannelsRow * 8;  // one row in each bank of every channel
  for (const Case& c : {Case{0, {0, 0, 0, 0}},
                        {255, {0, 0, 0, 255}},
                        {256, {1, 0, 0, 0}},
                        {2048, {0, 0, 0, 256}},  // channel 0 again: the row's next 256 bytes
                        {2048 * 7 + 256 * 7 + 5, {7, 0, 0, 256 * 7 + 5}},
                        {kAllChannelsRow, {0, 1, 0, 0}},
                        {kAllChannelsRow * 7 + 512, {2, 7, 0, 0}},
                        {kAllBanks, {0, 0, 1, 0}},
                        {kAllBanks * 3 + kAllChannelsRow * 2 + 256 * 4 + 9, {4, 2, 3, 9}}}) {
    EXPECT_EQ(dram_place_of(spec, c.address), c.place) << c.address;
  }
}

// The Teaching Kit's example: 16 bytes of memory, burst
// sections of four bytes, warps of four lanes.
TEST(Dram, SectionsOfTheTeachingKit) {
  DramSpec spec = toy(1);
  spec.burst_bytes = 4;
  struct Case {
    const char* what;
    std::array<uint64_t, 4> byte;
    size_t sections;
    bool coalesced;
  };
  for (const Case& c : {Case{"bytes 0 to 3: one section", {0, 1, 2, 3}, 1, true},
                        {"out of order", {7, 4, 6, 5}, 1, true},
                        {"across a boundary", {6, 7, 8, 9}, 2, false},
                        {"a column", {0, 4, 8, 12}, 4, false},
                        {"all one byte", {9, 9, 9, 9}, 1, true}}) {
    const BurstResult result =
        explain_bursts(spec, lanes(1, 0xF, [&](uint64_t lane) { return c.byte[lane]; }));
    EXPECT_EQ(result.sections.size(), c.sections) << c.what;
    EXPECT_EQ(result.is_fully_coalesced(), c.coalesced) << c.what;
    EXPECT_EQ(result.bytes_moved(), 4 * c.sections) << c.what;
  }
}

TEST(Dram, WhatOfEachBurstWasUsed) {
  DramSpec spec = toy(1);
  spec.burst_bytes = 128;  // "in practice … burst section sizes of 128 bytes or more"
  // Floats 13 to 44 are bytes 52 to 179: 76 bytes of the first section, 52 of the second.
  const BurstResult shifted = explain_bursts(spec, strided(4, 52, 4));
  ASSERT_EQ(shifted.sections.size(), 2U);
  EXPECT_EQ(shifted.sections[0].bytes_used(), 76U);
  EXPECT_EQ(shifted.sections[0].lanes, 0x0007FFFFU);  // lanes 0 to 18
  EXPECT_EQ(shifted.sections[0].used[0], ~uint64_t{0} << 52);
  EXPECT_EQ(shifted.sections[1].bytes_used(), 52U);
  EXPECT_EQ(shifted.sections[1].address, 128U);
  EXPECT_EQ(shifted.bytes_used(), 128U);
  EXPECT_EQ(shifted.bytes_moved(), 256U);
  EXPECT_EQ(shifted.ideal_sections(), 1U);
  EXPECT_FALSE(shifted.is_fully_coalesced());
  // An unaligned 16-byte access may span two sections; its lane then counts in both of them.
  spec.burst_bytes = 8;
  const BurstResult wide = explain_bursts(spec, strided(16, 0, 16, 1U << 3));
  ASSERT_EQ(wide.sections.size(), 2U);
  EXPECT_EQ(wide.sections[0].lanes, 8U);
  EXPECT_EQ(wide.sections[1].lanes, 8U);
  EXPECT_EQ(wide.ideal_sections(), 2U);
}

std::vector<MemoryRecord> bursts_at(std::initializer_list<uint64_t> addresses,
                                    uint64_t time_step = 0) {
  std::vector<MemoryRecord> records;
  uint64_t time = 0;
  for (const uint64_t address : addresses) {
    records.push_back({.time = time, .block = 0, .address = address, .bytes = 32});
    time += time_step;
  }
  return records;
}

// "Single-bank burst timing: dead time on the interface; multi-bank: reduced dead time."
TEST(Dram, BanksHideTheOpeningOfRows) {
  // Four rows, one burst each. One bank: (10 + 4) × 4. With two banks, the second
  // row opens in the meantime: transfers 10–14 and 14–18, then 24–28 (bank 0 was
  // free at 14) and 28–32. Four banks: 10 + 4 × 4.
  struct Case {
    int banks;
    uint64_t end;
  };
  for (const Case& c : {Case{1, 56}, {2, 32}, {4, 26}}) {
    const DramService service = serve_dram(toy(c.banks), bursts_at({0, 256, 512, 768}), 1);
    EXPECT_EQ(service.end_step(), c.end) << c.banks;
    EXPECT_EQ(service.row_misses, 4U) << c.banks;
    EXPECT_DOUBLE_EQ(service.interface_use(), 16.0 / static_cast<double>(c.end)) << c.banks;
  }
}

TEST(Dram, AnOpenRowIsAHit) {
  // One row after another, eight bursts each: twice 10 + 8 × 4.
  const DramService in_order = serve_dram(
      toy(1),
      bursts_at({0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448, 480}), 1);
  EXPECT_EQ(in_order.row_hits, 14U);
  EXPECT_EQ(in_order.row_misses, 2U);
  EXPECT_EQ(in_order.end_step(), 84U);
  EXPECT_EQ(in_order.bursts[0].row, RowState::kEmpty);
  EXPECT_EQ(in_order.bursts[8].row, RowState::kConflict);
  EXPECT_EQ(in_order.bursts[9].row, RowState::kHit);
  // The same two rows, alternating: each burst closes the other row.
  const auto turns = bursts_at({0, 256, 32, 288, 64, 320}, 1);
  EXPECT_EQ(serve_dram(toy(1), turns, 1).row_hits, 0U);
  // With two banks, each row stays open.
  EXPECT_EQ(serve_dram(toy(2), turns, 1).row_hits, 4U);
  // A queue that holds all six serves row by row.
  EXPECT_EQ(serve_dram(toy(1), turns, 6).row_hits, 4U);
}

// The next window starts with the requests to the row that is still open.
TEST(Dram, WindowsBeginWithTheOpenRow) {
  std::vector<MemoryRecord> records = {{.time = 0, .address = 256, .bytes = 32},
                                       {.time = 1, .address = 0, .bytes = 32},
                                       {.time = 1, .address = 288, .bytes = 32}};
  const DramService service = serve_dram(toy(1), records, 1);
  ASSERT_EQ(service.bursts.size(), 3U);
  EXPECT_EQ(service.bursts[1].address, 288U);
  EXPECT_EQ(service.row_hits, 1U);
}

TEST(Dram, ARecordIsAsManyBurstsAsItTouches) {
  const std::vector<MemoryRecord> records = {{.address = 40, .bytes = 64}};  // bytes 40 to 103
  const DramService service = serve_dram(toy(1), records, 1);
  EXPECT_EQ(service.channels[0].bursts, 3U);
  EXPECT_EQ(service.bursts[0].address, 32U);
  const DramService totals = serve_dram(toy(1), records, 1, false);
  EXPECT_TRUE(totals.bursts.empty());
  EXPECT_EQ(totals.row_hits, 2U);
}

// RTX 6000: 12 channels of 32 bits at 14 Gbit/s per pin give 56 GB/s each, 672 GB/s in total.
TEST(Dram, ChannelsOfTheRtx6000) {
  const auto gpu = find_gpu_profile(WARPSHOP_SOURCE_DIR, "rtx-6000");
  ASSERT_TRUE(gpu.ok());
  EXPECT_DOUBLE_EQ(*gpu->data_rate_gbps * 32 / 8, 56);
  EXPECT_EQ(*gpu->memory_bus_bits / 32, 12);
  EXPECT_DOUBLE_EQ(gpu->memory_bandwidth_gb_s, 12 * 56);
  EXPECT_EQ(dram_of(*gpu).channels.count, 24);  // GDDR6 splits each 32 bits into two channels
}

// Streams that fill all channels equally finish at the same time; a stride that stays in one
// channel takes eight times as long.
TEST(Dram, ChannelsWorkSideBySide) {
  const DramSpec spec = spec_of("gtx-280");
  std::vector<MemoryRecord> even;
  std::vector<MemoryRecord> camping;
  for (uint64_t i = 0; i < 64; ++i) {
    even.push_back({.address = i * 256, .bytes = 256});
    camping.push_back({.address = i * 2048, .bytes = 256});
  }
  const DramService fast = serve_dram(spec, even, 1);
  const DramService slow = serve_dram(spec, camping, 1);
  for (const ChannelService& channel : fast.channels) EXPECT_EQ(channel.bursts, 64U);
  EXPECT_EQ(slow.channels[0].bursts, 512U);
  // 89 transfers until the first row is open, then 64 or 512 bursts of 4.
  EXPECT_EQ(fast.end_step(), 89U + 64 * 4);
  EXPECT_EQ(slow.end_step(), 89U + 512 * 4);
}

}  // namespace
}  // namespace warpshop::models
