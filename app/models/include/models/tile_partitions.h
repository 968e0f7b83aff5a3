// A matrix in memory as tiles: which partitions each tile lies in, and in which order the blocks of
// a grid visit them.
// Source: Filipovič, "GPU Hardware Performance II" (the transpose on a GTX 280): a region of 256
// bytes is two tiles of 32 floats wide; matrices of a multiple of 512 keep a column of tiles in one
// region, of 256 in two, of 128 in four. The diagonal order: NVIDIA, "Optimizing Matrix Transpose
// in CUDA" (Ruetsch, Micikevicius 2009).
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
  uint32_t tiles_down = 1;  // tiles of the matrix
  uint32_t tiles_across = 1;
};

struct TilePartitions {
  uint32_t tiles_down = 0;
  uint32_t tiles_across = 0;
  std::vector<int> first;       // row by row: partition of the tile's first byte
  std::vector<uint64_t> bytes;  // [tile × count + partition]: the tile's bytes there
  int count = 0;                // partitions
  int at(uint32_t down, uint32_t across) const { return first[down * tiles_across + across]; }
  // Partitions that the tiles of one column reach together.
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
// width; others walk the diagonals by linear block number.
TilePlace tile_of_block(BlockOrder order, uint32_t x, uint32_t y, uint32_t width, uint32_t height);

// The transactions of a tiled transpose: `resident` blocks at a time, each reading its tile of `in`
// and writing the mirrored tile of `out`; `time` is the wave of resident blocks.
std::vector<MemoryRecord> transpose_records(const MatrixTiles& in, const MatrixTiles& out,
                                            BlockOrder order, uint32_t resident);

}  // namespace warpshop::models
