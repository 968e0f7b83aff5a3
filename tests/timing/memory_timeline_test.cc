// Transactions over time on a GTX 280: 8 partitions of 256 bytes, linear; rows of 2,048 bytes, 8
// banks a channel, bursts of 32 bytes.
#include "timing/memory_timeline.h"

#include <gtest/gtest.h>

namespace warpshop::timing {
namespace {

models::GpuProfile gtx_280() {
  return models::find_gpu_profile(WARPSHOP_SOURCE_DIR, "gtx-280").value();
}

// Blocks that are a multiple of 8 × 256 bytes apart meet in partition 0; 256 bytes more and each has
// its own.
TEST(MemoryTimeline, CampingIsNamedWithItsStrideAndABetterOne) {
  struct Case {
    const char* name;
    uint64_t stride;
    double slowdown;
    size_t partitions;  // that carry load
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
      EXPECT_EQ(models::partitions_reached(timeline.load.map, timeline.camping.better_strides[0]), 8);
    }
    EXPECT_EQ(timeline.steps, 4U);
    EXPECT_EQ(timeline.transactions, 64U);
  }
}

// A row of a bank is 8 local pieces of 256 bytes: its first burst opens it, the other 63 find it open.
TEST(MemoryTimeline, RowsAreCountedInTheWindowsOfTheLoad) {
  std::vector<models::MemoryRecord> records;
  for (uint64_t i = 0; i < 64; ++i) {  // one whole row of channel 0, bank 0
    records.push_back({.time = i, .block = 0, .address = i / 8 * 2048 + i % 8 * 32, .bytes = 32});
  }
  // The same bank's next row: 8 banks on, 8 × 2,048 local bytes, in each of 8 partitions.
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

TEST(MemoryTimeline, WithoutAccessesThereIsNothing) {
  const MemoryTimeline timeline = memory_timeline(gtx_280(), {}, 4);
  EXPECT_EQ(timeline.steps, 0U);
  EXPECT_TRUE(timeline.load.windows.empty());
  EXPECT_FALSE(timeline.camping.camps);
}

}  // namespace
}  // namespace warpshop::timing
