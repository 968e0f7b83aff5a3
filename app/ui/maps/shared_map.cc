#include "maps/shared_map.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "maps/csv_tables.h"
#include "text/film_text.h"

namespace warpshop::ui {
namespace {

// Infers the type of the words from the kernel's
// instructions, for use if the declaration is unknown.
ptx::Type type_from_instructions(const lab::FilmScript& film) {
  for (const auto& function : film.functions) {
    for (const lab::FilmInstruction& i : function) {
      const size_t opcode = i.text.starts_with("@") ? i.text.find(' ') + 1 : 0;
      const std::string word = i.text.substr(opcode, i.text.find_first_of(" \t", opcode) - opcode);
      if (!word.starts_with("ld.shared") && !word.starts_with("st.shared")) continue;
      if (const auto type = ptx::type_from_name(word.substr(word.rfind('.') + 1))) return *type;
    }
  }
  return ptx::Type::kB32;
}

SharedGrid grid_of(const emulator::Program::SharedArray& array, const lab::SharedShape* shape,
                   uint64_t bytes, ptx::Type other) {
  SharedGrid grid;
  grid.name = array.name;
  grid.offset_bytes = array.offset_bytes;
  const bool known = shape && shape->scalar != ptx::Type::kNone && shape->element_bytes > 0 &&
                     shape->element_bytes <= 8;
  grid.type = known ? shape->scalar : other;
  grid.element_bytes =
      known ? shape->element_bytes : static_cast<uint64_t>(std::max(1, ptx::size_bytes(grid.type)));
  grid.elements = bytes / grid.element_bytes;
  grid.declared = shape && !shape->element.empty() ? shape->element + " " + array.name : array.name;
  if (shape) {
    for (const uint64_t n : shape->counts)
      grid.declared += n > 0 ? "[" + std::to_string(n) + "]" : "[]";
  }
  if (known) grid.counts = shape->counts;
  if (grid.counts.size() > 1 && grid.counts.back() > 0) {
    grid.columns = grid.counts.back();
  } else {
    grid.counts = {grid.elements};
    grid.columns = std::min<uint64_t>(std::max<uint64_t>(1, 128 / grid.element_bytes),
                                      std::max<uint64_t>(1, grid.elements));
  }
  grid.row_is_all_banks = grid.columns * grid.element_bytes == 128 && grid.offset_bytes % 128 == 0;
  return grid;
}

}  // namespace

std::string SharedGrid::index_of(uint64_t element) const {
  std::string out;
  for (size_t d = counts.size(); d-- > 1;) {
    const uint64_t count = std::max<uint64_t>(1, counts[d]);
    out = "[" + std::to_string(element % count) + "]" + out;
    element /= count;
  }
  return "[" + std::to_string(element) + "]" + out;
}

std::vector<SharedGrid> shared_grids(const lab::FilmScript& film,
                                     const emulator::ReplayState& state,
                                     const std::vector<lab::SharedShape>& shapes) {
  std::vector<SharedGrid> out;
  const ptx::Type other = type_from_instructions(film);
  for (const emulator::Program::SharedArray& array : film.shared_arrays) {
    if (array.offset_bytes >= state.shared.size()) continue;
    const uint64_t rest = state.shared.size() - array.offset_bytes;
    const auto shape = std::find_if(shapes.begin(), shapes.end(), [&](const lab::SharedShape& s) {
      return s.name == array.name;
    });
    const uint64_t bytes = array.size_bytes == 0 ? rest : std::min(array.size_bytes, rest);
    out.push_back(grid_of(array, shape == shapes.end() ? nullptr : &*shape, bytes, other));
  }
  return out;
}

SharedCell shared_cell(const SharedGrid& grid, const emulator::ReplayState& state, uint64_t element,
                       const std::vector<emulator::AccessSite>& sites) {
  SharedCell cell;
  const uint64_t first = grid.offset_bytes + element * grid.element_bytes,
                 end = first + grid.element_bytes;
  if (end > state.shared.size()) return cell;
  std::memcpy(&cell.bits, state.shared.data() + first, grid.element_bytes);
  for (uint64_t word = first / 4; word * 4 < end && word < state.shared_written.size(); ++word) {
    cell.written = cell.written && state.shared_written[word];
  }
  for (const emulator::ReplayAccess& access : state.accesses) {
    if (access.space != ptx::Space::kShared) continue;
    for (uint32_t rest = access.mask; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      const uint64_t at = access.address[static_cast<size_t>(lane)];
      if (at >= end || at + access.bytes <= first) continue;
      cell.touched |= 1u << lane;
      cell.stored = cell.stored || (access.site < sites.size() &&
                                    sites[access.site].kind != emulator::AccessKind::kLoad);
    }
  }
  return cell;
}

uint32_t lanes_of_bank(const emulator::ReplayState& state, int bank) {
  uint32_t lanes = 0;
  for (const emulator::ReplayAccess& access : state.accesses) {
    if (access.space != ptx::Space::kShared) continue;
    for (uint32_t rest = access.mask; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      const uint64_t at = access.address[static_cast<size_t>(lane)];
      for (uint64_t word = at / 4; word * 4 < at + access.bytes; ++word) {
        if (static_cast<int>(word % 32) == bank) lanes |= 1u << lane;
      }
    }
  }
  return lanes;
}

std::string shared_csv(const std::vector<SharedGrid>& grids, const emulator::ReplayState& state) {
  CsvTable table({"array", "element", "byte", "value"});
  for (const SharedGrid& grid : grids) {
    for (uint64_t n = 0; n < grid.elements; ++n) {
      const SharedCell cell = shared_cell(grid, state, n, {});
      table.row({grid.name, grid.index_of(n),
                 std::to_string(grid.offset_bytes + n * grid.element_bytes),
                 cell.written ? value_text(grid.type, cell.bits) : ""});
    }
  }
  return table.text();
}

}  // namespace warpshop::ui
