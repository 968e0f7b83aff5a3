// Partition camping on the transpose lecture's GTX 280: which matrix sizes camp, on how many
// partitions, and how much slower they were.
#include "models/partitions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tile_partitions.h"

namespace warpshop::models {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const PartitionMap kGtx280 = {.count = 8, .bytes = 256};

PartitionMap map_of(const char* gpu) {
  const auto profile = find_gpu_profile(WARPSHOP_SOURCE_DIR, gpu);
  EXPECT_TRUE(profile.ok());
  return partition_map_of(*profile);
}

TEST(Partitions, OldChipsDealBlocksOf256BytesInTurn) {
  const PartitionMap gtx280 = map_of("gtx-280");
  EXPECT_EQ(gtx280.count, 8);
  EXPECT_FALSE(gtx280.illustration);
  EXPECT_EQ(gtx280.note, "");
  struct Case {
    uint64_t address;
    int partition;
  };
  for (const Case& c :
       {Case{0, 0}, {255, 0}, {256, 1}, {2047, 7}, {2048, 0}, {2048 + 256 * 3 + 5, 3}}) {
    EXPECT_EQ(partition_of(gtx280, c.address), c.partition) << c.address;
  }
  EXPECT_EQ(partition_of(map_of("8800-gt"), 1024), 0);  // four partitions
}

TEST(Partitions, NewerChipsAreCalledAnIllustration) {
  for (const char* gpu : {"k40c", "v100", "a100", "h200", "b200"}) {
    const PartitionMap map = map_of(gpu);
    EXPECT_TRUE(map.illustration) << gpu;
    EXPECT_THAT(map.note, HasSubstr("illustration")) << gpu;
  }
  auto unknown = find_gpu_profile(WARPSHOP_SOURCE_DIR, "b200");
  ASSERT_TRUE(unknown.ok());
  unknown->partition_count.reset();
  EXPECT_THAT(partition_map_of(*unknown).note, HasSubstr("unknown: 8 assumed"));
}

// Each row of `count` blocks must fill every partition once; otherwise plain streaming would camp.
TEST(Partitions, TheFoldIsAPermutationOfEveryRow) {
  for (const int count : {8, 12, 10, 24, 32, 40, 80, 94}) {
    const PartitionMap map{.count = count, .bytes = 256, .hashed = true};
    for (uint64_t row = 0; row < 300; ++row) {
      std::set<int> seen;
      for (uint64_t column = 0; column < static_cast<uint64_t>(count); ++column) {
        const int p = partition_of(map, (row * static_cast<uint64_t>(count) + column) * 256);
        ASSERT_GE(p, 0);
        ASSERT_LT(p, count);
        seen.insert(p);
      }
      ASSERT_EQ(seen.size(), static_cast<size_t>(count));
    }
  }
}

TEST(Partitions, TheFoldBreaksTheStridesThatCampOnALinearMap) {
  for (const uint64_t stride : {2048U, 4096U, 16384U, 65536U}) {
    EXPECT_EQ(partitions_reached(kGtx280, stride), 1) << stride;
    EXPECT_EQ(partitions_reached({.count = 8, .bytes = 256, .hashed = true}, stride), 8) << stride;
  }
}

// "Matrices sized multiple of 512: the tiles in the same column are in the same region; 256: at
// most in two; 128: at most in four."
struct Size {
  uint64_t n;
  int reached;
};

TEST(Partitions, AColumnReachesAsManyAsTheLectureSays) {
  for (const Size& c : {Size{4096, 1},
                        {2048, 1},
                        {512, 1},
                        {3840, 2},
                        {256, 2},
                        {768, 2},
                        {3968, 4},
                        {128, 4},
                        {4000, 8}}) {
    EXPECT_EQ(partitions_reached(kGtx280, c.n * 4), c.reached) << c.n;
    const TilePartitions tiles =
        tile_partitions(kGtx280, {.pitch_bytes = c.n * 4,
                                  .tiles_down = static_cast<uint32_t>(c.n / 32),
                                  .tiles_across = static_cast<uint32_t>(c.n / 32)});
    // A region of 256 bytes holds two tiles that are 32 floats wide, unless the pitch shifts them.
    EXPECT_EQ(tiles.reached_by_column(0), c.reached) << c.n;
    if (c.n >= 512) {
      EXPECT_EQ(tiles.reached_by_row(0), 8) << c.n;
    }
    EXPECT_EQ(tiles.at(0, 0), 0);
    EXPECT_EQ(tiles.at(0, 1), 0);
    EXPECT_EQ(tiles.at(0, 2), 1);
  }
}

// The bytes of each tile add up to its size.
TEST(Partitions, TileBytesAreComplete) {
  const TilePartitions tiles = tile_partitions(
      kGtx280, {.base = 96, .pitch_bytes = 16000, .tiles_down = 5, .tiles_across = 7});
  for (size_t tile = 0; tile < 35; ++tile) {
    uint64_t sum = 0;
    for (size_t p = 0; p < 8; ++p) sum += tiles.bytes[tile * 8 + p];
    EXPECT_EQ(sum, 32U * 32 * 4);
  }
}

MatrixTiles square(uint64_t n, uint64_t base) {
  return {.base = base,
          .pitch_bytes = n * 4,
          .tiles_down = static_cast<uint32_t>(n / 32),
          .tiles_across = static_cast<uint32_t>(n / 32)};
}

// 30 SMs with four blocks of 256 threads each
constexpr uint32_t kResident = 120;

// The padded tiled transpose on the GTX 280 reached 93.4 GB/s at 4000, 19 at 4096, 35 at 3840 and
// 62 at 3968. By hand: reads are spread evenly, writes fall on p of 8 partitions. The busiest one
// takes B/8 + B/p of the 2B bytes instead of 2B/8, which is (1 + 8/p) / 2 times as long: 4.5,
// 2.5 and 1.5. 93.4 GB/s become 20.8, 37.4 and 62.3.
TEST(Partitions, CampingCostsWhatTheLectureMeasured) {
  struct Case {
    uint64_t n;
    double by_hand;
    double lecture;  // GB/s
  };
  for (const Case& c : {Case{4096, 4.5, 19}, {3840, 2.5, 35}, {3968, 1.5, 62}}) {
    const std::vector<MemoryRecord> records = transpose_records(
        square(c.n, 0), square(c.n, c.n * c.n * 4), BlockOrder::kRowMajor, kResident);
    const PartitionLoad load = partition_load(kGtx280, records, 1);
    // A wave does not end with a column of tiles, but includes a few blocks of the next column.
    EXPECT_NEAR(load.slowdown(), c.by_hand, 0.15 * c.by_hand) << c.n;
    EXPECT_NEAR(93.4 / load.slowdown() / c.lecture, 1, 0.25) << c.n;
  }
  const std::vector<MemoryRecord> records =
      transpose_records(square(4000, 0), square(4000, 64000000), BlockOrder::kRowMajor, kResident);
  EXPECT_LT(partition_load(kGtx280, records, 1).slowdown(), 1.15);
}

TEST(Partitions, TheDiagonalOrderSpreadsTheLoad) {
  const std::vector<MemoryRecord> records = transpose_records(
      square(4096, 0), square(4096, 4096 * 4096 * 4), BlockOrder::kDiagonal, kResident);
  const PartitionLoad load = partition_load(kGtx280, records, 1);
  EXPECT_LT(load.slowdown(), 1.15);
  EXPECT_FALSE(find_camping(kGtx280, records, 1, 4).camps);
}

TEST(Partitions, TheCampingReportNamesTheStrideAndTheSizesThatAvoidIt) {
  const std::vector<MemoryRecord> records = transpose_records(
      square(4096, 0), square(4096, 4096 * 4096 * 4), BlockOrder::kRowMajor, kResident);
  const CampingReport report = find_camping(kGtx280, records, 1, 4);
  EXPECT_TRUE(report.camps);
  EXPECT_EQ(report.stride_bytes,
            32U * 4096 * 4);  // consecutive tiles in a column of `out`
  EXPECT_EQ(report.partitions, 1);
  ASSERT_FALSE(report.better_strides.empty());
  for (const uint64_t stride : report.better_strides)
    EXPECT_EQ(partitions_reached(kGtx280, stride), 8);
  EXPECT_THAT(report.text, HasSubstr("524288 bytes apart"));
  EXPECT_THAT(report.text, HasSubstr("1 of 8 partitions"));
}

// For rows of 4096 floats. One extra element shifts each row by only 4 bytes,
// so 64 and more rows still collide in one partition; 64 extra elements
// (256 bytes) move each row to the next partition.
TEST(Partitions, PaddingThatAvoidsCamping) {
  EXPECT_THAT(strides_without_camping(kGtx280, 16384, 256, 3), ElementsAre(16640, 17152, 17664));
  EXPECT_EQ(strides_without_camping(kGtx280, 16384, 4, 1).front(), 16640U);
  EXPECT_THAT(strides_without_camping(kGtx280, 16640, 256, 1), ElementsAre(16640));
  // Twelve partitions of 256 bytes: the stride divided by 256 must have no common divisor with 12.
  EXPECT_THAT(strides_without_camping({.count = 12, .bytes = 256}, 3072, 256, 3),
              ElementsAre(3328, 4352, 4864));
}

TEST(Partitions, LoadIsKeptByWindowAndSplitAtBorders) {
  const std::vector<MemoryRecord> records = {
      {.time = 0, .block = 0, .address = 192, .bytes = 128},
      {.time = 9, .block = 1, .address = 256, .bytes = 32},
      {.time = 25, .block = 2, .address = 2048, .bytes = 64}};
  const PartitionLoad load = partition_load(kGtx280, records, 10);
  ASSERT_EQ(load.windows.size(), 2U);
  EXPECT_EQ(load.windows[0].begin, 0U);
  EXPECT_EQ(load.windows[1].begin, 20U);
  EXPECT_THAT(load.windows[0].bytes, ElementsAre(64, 96, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(load.bytes, ElementsAre(128, 96, 0, 0, 0, 0, 0, 0));
  // The busiest partition has 96 of 160 bytes, then 64 of 64: 160 × 8 / 224.
  EXPECT_DOUBLE_EQ(load.slowdown(), 160.0 * 8 / 224);
  EXPECT_EQ(partition_load(kGtx280, {}, 0).slowdown(), 1);
}

TEST(Partitions, ARandomCampWithoutAStrideIsSaidSo) {
  // Every record is in partition 3, and the distances between blocks are all different.
  std::vector<MemoryRecord> records;
  for (uint64_t i = 0; i < 40; ++i)
    records.push_back({.time = 0, .block = 0, .address = 768 + i * i * 2048});
  const CampingReport report = find_camping(kGtx280, records, 1, 4);
  EXPECT_TRUE(report.camps);
  EXPECT_EQ(report.stride_bytes, 0U);
  EXPECT_THAT(report.text, HasSubstr("no single stride"));
}

TEST(TileOrder, BlocksWalkTheDiagonals) {
  // The lecture's code: y' = x and x' = (x + y) mod width.
  EXPECT_EQ(tile_of_block(BlockOrder::kDiagonal, 0, 0, 4, 4), (TilePlace{0, 0}));
  EXPECT_EQ(tile_of_block(BlockOrder::kDiagonal, 1, 0, 4, 4), (TilePlace{1, 1}));
  EXPECT_EQ(tile_of_block(BlockOrder::kDiagonal, 3, 1, 4, 4), (TilePlace{3, 0}));
  EXPECT_EQ(tile_of_block(BlockOrder::kRowMajor, 3, 1, 4, 4), (TilePlace{1, 3}));
  struct Grid {
    uint32_t width, height;
  };
  for (const Grid& g : {Grid{4, 4}, {7, 3}, {3, 7}, {1, 5}}) {
    std::set<std::pair<uint32_t, uint32_t>> seen;
    for (uint32_t y = 0; y < g.height; ++y) {
      for (uint32_t x = 0; x < g.width; ++x) {
        const TilePlace tile = tile_of_block(BlockOrder::kDiagonal, x, y, g.width, g.height);
        ASSERT_LT(tile.down, g.height);
        ASSERT_LT(tile.across, g.width);
        seen.insert({tile.down, tile.across});
      }
    }
    EXPECT_EQ(seen.size(), size_t{g.width} * g.height) << "each tile once";
  }
}

}  // namespace
}  // namespace warpshop::models
