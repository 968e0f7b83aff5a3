// A matrix in memory as tiles: the partitions that hold each tile, and the order in which a grid's
// blocks visit the tiles. Source: Filipovič, "GPU Hardware Performance II" (the transpose on a GTX
// 280): a region of 256 bytes is as wide as two tiles of 32 floats. If the matrix width is a
// multiple of 512, a column of tiles falls into one region; of 256, into two; of 128, into four.
// Diagonal order: NVIDIA, "Optimizing Matrix Transpose in CUDA" (Ruetsch, Micikevicius 2009).
#pragma once

#include <cstdint>
#include <vector>

#include "models/partitions.h"

namespace warpshop::models {

struct MatrixTiles {
  uint64_t base = 0;         // address of element (0, 0)
  uint64_t pitch_bytes = 0;  // from one row to the next
  uint32_t element_bytes = 4;
  uint32_t tile_rows = 32;  // elements
  uint32_t tile_columns = 32;
  uint32_t tiles_down = 1;  // tiles in the matrix
  uint32_t tiles_across = 1;
};

struct TilePartitions {
  uint32_t tiles_down = 0;
  uint32_t tiles_across = 0;
  std::vector<int> first;       // row by row: the partition of each tile's first byte
  std::vector<uint64_t> bytes;  // [tile × count + partition]: bytes of the tile in the partition
  int count = 0;                // partitions
  int at(uint32_t down, uint32_t across) const { return first[down * tiles_across + across]; }
  // Partitions hit by the tiles of one column together.
  int reached_by_column(uint32_t across) const;
  int reached_by_row(uint32_t down) const;
};

TilePartitions tile_partitions(const PartitionMap& map, const MatrixTiles& tiles);

enum class BlockOrder { kRowMajor, kDiagonal };

struct TilePlace {
  uint32_t down = 0;    // blockIdx.y after reordering
  uint32_t across = 0;  // blockIdx.x after reordering
  bool operator==(const TilePlace&) const = default;
};

// The tile that block (x, y) of a grid works on. Diagonal, square grids: y' = x, x' = (x + y) mod
// width; other grids walk the diagonals by linear block index.
TilePlace tile_of_block(BlockOrder order, uint32_t x, uint32_t y, uint32_t width, uint32_t height);

// The transactions of a tiled transpose: `resident` blocks at a time, each reading its tile of `in`
// and writing the mirrored tile of `out`. `time` is the wave of resident blocks.
std::vector<MemoryRecord> transpose_records(const MatrixTiles& in, const MatrixTiles& out,
                                            BlockOrder order, uint32_t resident);

}  // namespace warpshop::models
