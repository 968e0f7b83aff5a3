#include "tile_partitions.h"

#include <algorithm>

namespace warpshop::models {
namespace {

uint64_t address_of(const MatrixTiles& tiles, uint32_t down, uint32_t across, uint32_t row) {
  return tiles.base + (uint64_t{down} * tiles.tile_rows + row) * tiles.pitch_bytes +
         uint64_t{across} * tiles.tile_columns * tiles.element_bytes;
}

int reached(const TilePartitions& tiles, uint32_t down, uint32_t downs, uint32_t across,
            uint32_t acrosses) {
  const auto count = static_cast<size_t>(tiles.count);
  std::vector<bool> seen(count);
  for (uint32_t d = down; d < down + downs; ++d) {
    for (uint32_t a = across; a < across + acrosses; ++a) {
      for (size_t p = 0; p < count; ++p) {
        if (tiles.bytes[(size_t{d} * tiles.tiles_across + a) * count + p] != 0) seen[p] = true;
      }
    }
  }
  return static_cast<int>(std::count(seen.begin(), seen.end(), true));
}

}  // namespace

int TilePartitions::reached_by_column(uint32_t across) const {
  return reached(*this, 0, tiles_down, across, 1);
}

int TilePartitions::reached_by_row(uint32_t down) const {
  return reached(*this, down, 1, 0, tiles_across);
}

TilePartitions tile_partitions(const PartitionMap& map, const MatrixTiles& tiles) {
  TilePartitions result{.tiles_down = tiles.tiles_down,
                        .tiles_across = tiles.tiles_across,
                        .first = {},
                        .bytes = {},
                        .count = map.count};
  const auto count = static_cast<size_t>(map.count);
  const size_t total = size_t{tiles.tiles_down} * tiles.tiles_across;
  result.first.reserve(total);
  result.bytes.assign(total * count, 0);
  const uint64_t row_bytes = uint64_t{tiles.tile_columns} * tiles.element_bytes;
  for (uint32_t down = 0; down < tiles.tiles_down; ++down) {
    for (uint32_t across = 0; across < tiles.tiles_across; ++across) {
      const size_t tile = size_t{down} * tiles.tiles_across + across;
      result.first.push_back(partition_of(map, address_of(tiles, down, across, 0)));
      for (uint32_t row = 0; row < tiles.tile_rows; ++row) {
        uint64_t at = address_of(tiles, down, across, row);
        uint64_t left = row_bytes;
        while (left != 0) {
          const uint64_t here = std::min<uint64_t>(left, map.bytes - at % map.bytes);
          result.bytes[tile * count + static_cast<size_t>(partition_of(map, at))] += here;
          at += here;
          left -= here;
        }
      }
    }
  }
  return result;
}

TilePlace tile_of_block(BlockOrder order, uint32_t x, uint32_t y, uint32_t width, uint32_t height) {
  if (order == BlockOrder::kRowMajor) return {.down = y, .across = x};
  if (width == height) return {.down = x, .across = (x + y) % width};
  const uint64_t linear = x + uint64_t{width} * y;
  const auto down = static_cast<uint32_t>(linear % height);
  return {.down = down, .across = static_cast<uint32_t>((linear / height + down) % width)};
}

std::vector<MemoryRecord> transpose_records(const MatrixTiles& in, const MatrixTiles& out,
                                            BlockOrder order, uint32_t resident) {
  std::vector<MemoryRecord> records;
  const uint32_t width = in.tiles_across;
  const uint32_t height = in.tiles_down;
  records.reserve(size_t{width} * height * (in.tile_rows + out.tile_rows));
  for (uint64_t block = 0; block < uint64_t{width} * height; ++block) {
    const TilePlace tile = tile_of_block(order, static_cast<uint32_t>(block % width),
                                         static_cast<uint32_t>(block / width), width, height);
    const uint64_t wave = block / std::max<uint32_t>(resident, 1);
    for (uint32_t row = 0; row < in.tile_rows; ++row) {
      records.push_back({.time = wave,
                         .block = block,
                         .address = address_of(in, tile.down, tile.across, row),
                         .bytes = in.tile_columns * in.element_bytes});
    }
    for (uint32_t row = 0; row < out.tile_rows; ++row) {
      records.push_back({.time = wave,
                         .block = block,
                         .address = address_of(out, tile.across, tile.down, row),
                         .bytes = out.tile_columns * out.element_bytes});
    }
  }
  return records;
}

}  // namespace warpshop::models
