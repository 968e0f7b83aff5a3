// The wrong parts of an output, as tiles of a picture. Plain data, no drawing.
#pragma once

#include <cstdint>
#include <vector>

#include "lab/run_result.h"

namespace warpshop::ui {

struct TileMap {
  uint64_t width = 0, height = 0;            // elements
  uint64_t tile_width = 1, tile_height = 1;  // elements per tile
  int columns = 0, rows = 0;                 // tiles
  std::vector<uint32_t> wrong;               // wrong elements per tile, row by row
  uint32_t wrong_at(int column, int row) const {
    return wrong[static_cast<size_t>(row) * static_cast<size_t>(columns) +
                 static_cast<size_t>(column)];
  }
  uint64_t elements_at(int column, int row) const;  // fewer at the right and lower edge
  uint64_t count = 0;                               // elements in all
};

// At most `max_columns` × `max_rows` tiles, whose sides are a
// power of two of elements. One-dimensional outputs (width 0, or a
// single row) are folded into rows so that they fill the picture.
TileMap map_tiles(const lab::BufferComparison& comparison, int max_columns = 32, int max_rows = 32);

}  // namespace warpshop::ui
