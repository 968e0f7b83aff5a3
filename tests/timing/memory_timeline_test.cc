// Transactions over time on a GTX 280: 8 partitions of 256 bytes, interleaved linearly; rows of
// 2,048 bytes, 8 banks per channel, 32-byte bursts.
#include "timing/memory_timeline.h"

#include <gtest/gtest.h>

namespace warpshop::timing {
namespace {

models::GpuProfile gtx_280() {
  return models::find_gpu_profile(WARPSHOP_SOURCE_DIR, "gtx-280").value();
}

// Blocks at multiples of 8 × 256 bytes collide in partition 0; with
// 256 bytes more, each has a partition of its own.
TEST(MemoryTimeline, CampingIsNamedWithItsStrideAndABetterOne) {
  struct Case {
    const char* name;
    uint64_t stride;
    double slowdown;
    size_t partitions;  // partitions with any load
  };
  for (const Case& c : {Case{"2,048 bytes apart", 2048, 8, 1}, Case{"1,024", 1024, 4, 2},
                        Case{"2,304", 2304, 1, 8}}) {
    std::vector<models::MemoryRecord> records;
    for (uint64_t step = 0; step < 4; ++step) {
      for (uint64_t block = 0; block < 16; ++block) {
        records.push_back({.time = step, .block = block, .address = block * c.stride, .bytes = 64});
      }
    }
    const MemoryTimeline timeline = memory_timeline(gtx_280(), records, 4);
    EXPECT_DOUBLE_EQ(timeline.camping.slowdown, c.slowdown) << c.name;
    EXPECT_EQ(timeline.camping.camps, c.slowdown > 1) << c.name;
    size_t loaded = 0;
    for (const uint64_t bytes : timeline.load.bytes) loaded += bytes > 0;
    EXPECT_EQ(loaded, c.partitions) << c.name;
    if (c.slowdown > 1) {
      EXPECT_EQ(timeline.camping.stride_bytes, c.stride) << c.name;
      ASSERT_FALSE(timeline.camping.better_strides.empty()) << c.name;
      EXPECT_EQ(models::partitions_reached(timeline.load.map, timeline.camping.better_strides[0]),
                8);
    }
    EXPECT_EQ(timeline.steps, 4U);
    EXPECT_EQ(timeline.transactions, 64U);
  }
}

// A row of a bank is 8 local pieces of 256 bytes. Its first burst opens the row, the other 63 hit.
TEST(MemoryTimeline, RowsAreCountedInTheWindowsOfTheLoad) {
  std::vector<models::MemoryRecord> records;
  for (uint64_t i = 0; i < 64; ++i) {  // one whole row of channel 0, bank 0
    records.push_back({.time = i, .block = 0, .address = i / 8 * 2048 + i % 8 * 32, .bytes = 32});
  }
  // The next row of the same bank: after 8 banks, 8 × 2,048 local bytes in each of 8 partitions.
  records.push_back({.time = 64, .block = 0, .address = uint64_t{8} * 2048 * 8, .bytes = 32});
  const MemoryTimeline fine = memory_timeline(gtx_280(), records, 4);
  EXPECT_EQ(fine.dram.row_hits, 63U);
  EXPECT_EQ(fine.dram.row_misses, 2U);
  EXPECT_EQ(fine.busiest_channel(), 0);
  ASSERT_EQ(fine.rows.size(), 65U);
  EXPECT_EQ(fine.rows.front().empties, 1U);
  EXPECT_EQ(fine.rows[1].hits, 1U);
  EXPECT_EQ(fine.rows.back().conflicts, 1U);

  const MemoryTimeline coarse = memory_timeline(gtx_280(), records, 4, 8);
  ASSERT_EQ(coarse.load.windows.size(), coarse.rows.size());
  EXPECT_LE(coarse.rows.size(), 8U);
  uint64_t bursts = 0;
  for (size_t i = 0; i < coarse.rows.size(); ++i) {
    EXPECT_EQ(coarse.rows[i].begin, coarse.load.windows[i].begin);
    bursts += coarse.rows[i].hits + coarse.rows[i].empties + coarse.rows[i].conflicts;
  }
  EXPECT_EQ(bursts, 65U);
  EXPECT_EQ(coarse.camping.slowdown, fine.camping.slowdown) << "judged access by access";
}

// Two blocks of two warps. At time 0, each warp reads 32 bytes of partition 0, except block 1's
// warp 1, which reads 96; at time 1 all read 32 bytes, each from a different partition.
MemoryTimeline two_blocks() {
  std::vector<models::MemoryRecord> records;
  for (uint64_t time = 0; time < 2; ++time) {
    for (uint32_t n = 0; n < 4; ++n) {
      const uint64_t block = n / 2;
      const uint32_t warp = n % 2;
      const uint64_t place = time == 0 ? uint64_t{n} * 2048 : uint64_t{n} * 256;
      records.push_back({.time = time,
                         .block = block,
                         .address = place,
                         .bytes = time == 0 && n == 3 ? 96U : 32U,
                         .from = {.warp = warp, .step = static_cast<uint32_t>(time), .site = 7}});
    }
  }
  return memory_timeline(gtx_280(), records, 4);
}

TEST(MemoryTimeline, AStretchOfTimeLeadsToTheAccessThatLoadsItsPartitionMost) {
  const MemoryTimeline timeline = two_blocks();
  struct Case {
    const char* name;
    uint64_t begin, end;
    std::optional<int> partition;
    std::optional<TimedAccess> near;
    std::optional<TimedAccess> wanted;
  };
  const auto of = [](uint64_t block, uint32_t warp) {
    return TimedAccess{.block = block, .from = {.warp = warp, .step = 0, .site = 0}};
  };
  const auto moved = [](uint64_t block, uint32_t warp, uint32_t step, uint64_t bytes) {
    return TimedAccess{.block = block, .from = {warp, step, 7}, .time = step, .bytes = bytes};
  };
  for (const Case& c : {
           Case{"the heaviest", 0, 1, 0, std::nullopt, moved(1, 1, 0, 96)},
           Case{"the heaviest, wherever one looks", 0, 1, 0, of(0, 0), moved(1, 1, 0, 96)},
           Case{"both stretches", 0, 2, 0, std::nullopt, moved(1, 1, 0, 96)},
           Case{"one partition of many", 1, 2, 2, std::nullopt, moved(1, 0, 1, 32)},
           Case{"of equals the first of the grid", 1, 2, std::nullopt, std::nullopt,
                moved(0, 0, 1, 32)},
           Case{"of equals the shown warp's", 1, 2, std::nullopt, of(1, 1), moved(1, 1, 1, 32)},
           Case{"of equals the shown block's", 1, 2, std::nullopt, of(1, 5), moved(1, 0, 1, 32)},
           Case{"idle", 0, 1, 5, std::nullopt, std::nullopt},
           Case{"past the end", 2, 9, std::nullopt, std::nullopt, std::nullopt},
       }) {
    const std::optional<TimedAccess> got =
        heaviest_access(timeline, c.begin, c.end, c.partition, c.near);
    ASSERT_EQ(got.has_value(), c.wanted.has_value()) << c.name;
    if (!got) continue;
    EXPECT_EQ(got->block, c.wanted->block) << c.name;
    EXPECT_EQ(got->from.warp, c.wanted->from.warp) << c.name;
    EXPECT_EQ(got->from.step, c.wanted->from.step) << c.name;
    EXPECT_EQ(got->from.site, c.wanted->from.site) << c.name;
    EXPECT_EQ(got->time, c.wanted->time) << c.name;
    EXPECT_EQ(got->bytes, c.wanted->bytes) << c.name;
  }
  EXPECT_EQ(time_of_access(timeline, 1, 0, 1), std::optional<uint64_t>(1));
  EXPECT_EQ(time_of_access(timeline, 1, 0, 2), std::nullopt);
}

TEST(MemoryTimeline, WithoutAccessesThereIsNothing) {
  const MemoryTimeline timeline = memory_timeline(gtx_280(), {}, 4);
  EXPECT_EQ(timeline.steps, 0U);
  EXPECT_TRUE(timeline.load.windows.empty());
  EXPECT_FALSE(timeline.camping.camps);
}

}  // namespace
}  // namespace warpshop::timing
