#include "maps/tile_map.h"

#include <algorithm>
#include <bit>

namespace warpshop::ui {

uint64_t TileMap::elements_at(int column, int row) const {
  uint64_t n = 0;
  const uint64_t x0 = static_cast<uint64_t>(column) * tile_width;
  const uint64_t x1 = std::min(width, x0 + tile_width);
  const uint64_t y0 = static_cast<uint64_t>(row) * tile_height;
  const uint64_t y1 = std::min(height, y0 + tile_height);
  for (uint64_t y = y0; y < y1; ++y) {
    const uint64_t first = y * width + x0, last = std::min(y * width + x1, count);
    if (last > first) n += last - first;
  }
  return n;
}

TileMap map_tiles(const lab::BufferComparison& comparison, int max_columns, int max_rows) {
  TileMap map;
  map.count = comparison.count;
  if (comparison.count == 0) return map;
  map.width = comparison.width;
  if (map.width == 0 || map.width >= map.count) {
    // A vector: rows whose length is a power of two, so
    // that the picture is about twice as wide as high.
    uint64_t side = 1;
    while (side * side < map.count * 2) side *= 2;
    map.width = std::min<uint64_t>(side, map.count);
  }
  map.height = (map.count + map.width - 1) / map.width;

  auto tile_side = [](uint64_t elements, int tiles) {
    return std::bit_ceil((elements + static_cast<uint64_t>(tiles) - 1) /
                         static_cast<uint64_t>(tiles));
  };
  map.tile_width = tile_side(map.width, max_columns);
  map.tile_height = tile_side(map.height, max_rows);
  map.columns = static_cast<int>((map.width + map.tile_width - 1) / map.tile_width);
  map.rows = static_cast<int>((map.height + map.tile_height - 1) / map.tile_height);
  map.wrong.assign(static_cast<size_t>(map.columns) * static_cast<size_t>(map.rows), 0);

  for (size_t byte = 0; byte < comparison.wrong_bits.size(); ++byte) {
    unsigned bits = comparison.wrong_bits[byte];
    while (bits != 0) {
      const uint64_t element = byte * 8 + static_cast<unsigned>(std::countr_zero(bits));
      bits &= bits - 1;
      if (element >= map.count) break;
      const uint64_t column = element % map.width / map.tile_width;
      const uint64_t row = element / map.width / map.tile_height;
      ++map.wrong[row * static_cast<uint64_t>(map.columns) + column];
    }
  }
  return map;
}

}  // namespace warpshop::ui
