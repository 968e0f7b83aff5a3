// A block's shared memory at a step of the film: each array in the rows and columns of its
// declaration. No drawing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "emulator/replay.h"
#include "lab/film.h"

namespace warpshop::ui {

// An array, or the part of it that the block has.
struct SharedGrid {
  std::string name;           // "tile"
  std::string declared;       // "float tile[16][17]"
  uint64_t offset_bytes = 0;  // in the block's shared memory
  uint64_t element_bytes = 4;
  ptx::Type type = ptx::Type::kB32;  // how an element is read
  uint64_t elements = 0;
  // Of the picture: the last dimension, or 128 bytes of a one-dimensional array.
  uint64_t columns = 32;
  bool row_is_all_banks = false;  // rows are 128 bytes, so each column is a bank
  std::vector<uint64_t> counts;   // per dimension; a single one if the declaration is unknown

  uint64_t rows() const { return columns == 0 ? 0 : (elements + columns - 1) / columns; }
  std::string index_of(uint64_t element) const;  // "[3][5]"
};

// `shapes`: empty until known.
std::vector<SharedGrid> shared_grids(const lab::FilmScript& film,
                                     const emulator::ReplayState& state,
                                     const std::vector<lab::SharedShape>& shapes);

struct SharedCell {
  uint64_t bits = 0;
  bool written = true;   // the block has written all of its words
  uint32_t touched = 0;  // lanes with which the step's instruction reads or writes it
  bool stored = false;   // by a store
};
SharedCell shared_cell(const SharedGrid& grid, const emulator::ReplayState& state, uint64_t element,
                       const std::vector<emulator::AccessSite>& sites);

// Lanes whose access in this step goes to that bank (32 banks, 4 bytes wide).
uint32_t lanes_of_bank(const emulator::ReplayState& state, int bank);

std::string shared_csv(const std::vector<SharedGrid>& grids, const emulator::ReplayState& state);

}  // namespace warpshop::ui
