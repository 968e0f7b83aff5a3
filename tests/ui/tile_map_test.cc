#include "maps/tile_map.h"

#include <gtest/gtest.h>

#include "demo.h"

namespace warpshop::ui {
namespace {

uint64_t sum(const TileMap& map) {
  uint64_t n = 0;
  for (uint32_t wrong : map.wrong) n += wrong;
  return n;
}

TEST(TileMap, AMatrixKeepsItsShape) {
  // Element (row 300, column 512) of 1024 × 1024 in tiles of 32 × 32: tile (9, 16).
  const TileMap map = map_tiles(demo::comparison(1024 * 1024, 1024, {300 * 1024 + 512}));
  EXPECT_EQ(map.columns, 32);
  EXPECT_EQ(map.rows, 32);
  EXPECT_EQ(map.tile_width, 32u);
  EXPECT_EQ(map.wrong_at(16, 9), 1u);
  EXPECT_EQ(sum(map), 1u);
  EXPECT_EQ(map.elements_at(0, 0), 1024u);
}

TEST(TileMap, EdgesHaveFewerElements) {
  // 33 × 33 in tiles of 2 × 2: tiles in the last column and row are one element wide or high.
  const TileMap map = map_tiles(demo::comparison(33 * 33, 33, {33 * 33 - 1}));
  EXPECT_EQ(map.tile_width, 2u);
  EXPECT_EQ(map.columns, 17);
  EXPECT_EQ(map.elements_at(16, 16), 1u);
  EXPECT_EQ(map.elements_at(16, 0), 2u);
  EXPECT_EQ(map.wrong_at(16, 16), 1u);
  uint64_t elements = 0;
  for (int row = 0; row < map.rows; ++row) {
    for (int column = 0; column < map.columns; ++column) elements += map.elements_at(column, row);
  }
  EXPECT_EQ(elements, 33u * 33u);
}

TEST(TileMap, AVectorIsFolded) {
  const TileMap map = map_tiles(demo::comparison(10007, 0, {0, 10006}));
  EXPECT_GT(map.height, 1u);
  EXPECT_LE(map.columns, 32);
  EXPECT_LE(map.rows, 32);
  EXPECT_EQ(sum(map), 2u);
  EXPECT_EQ(map.wrong_at(0, 0), 1u);
}

TEST(TileMap, NothingWrongNothingMarked) {
  EXPECT_EQ(sum(map_tiles(demo::comparison(777, 0, {}))), 0u);
  EXPECT_EQ(map_tiles(demo::comparison(0, 0, {})).columns, 0);
  EXPECT_EQ(map_tiles(demo::comparison(1, 0, {0})).wrong_at(0, 0), 1u);
}

}  // namespace
}  // namespace warpshop::ui
