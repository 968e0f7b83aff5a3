#include "maps/coalescer_map.h"

#include <algorithm>
#include <utility>

namespace warpshop::ui {
namespace {

constexpr uint64_t kLineBytes = 128;
constexpr uint64_t kSectorBytes = 32;

// The pieces of 32 bytes that the transactions move,
// ascending; a piece moved by two transactions is listed once.
std::vector<models::SectorUse> pieces_of(const models::TransactionResult& result) {
  std::vector<models::SectorUse> pieces;
  for (const models::Transaction& t : result.transactions) {
    for (uint32_t at = 0; at < t.bytes; at += kSectorBytes) {
      const auto used = static_cast<uint32_t>(t.used[at / 64] >> (at % 64));
      const uint64_t address = t.address + at;
      auto place =
          std::lower_bound(pieces.begin(), pieces.end(), address,
                           [](const models::SectorUse& p, uint64_t a) { return p.address < a; });
      if (place == pieces.end() || place->address != address)
        place = pieces.insert(place, {address, 0, 0});
      place->used_mask |= used;
      if (used != 0) place->lanes |= t.lanes;
    }
  }
  return pieces;
}

}  // namespace

CoalescerMap map_transactions(const models::WarpRequest& request) {
  return map_transactions(request, models::TransactionResult{});
}

CoalescerMap map_transactions(const models::WarpRequest& request, models::TransactionResult made) {
  CoalescerMap map;
  map.result = models::coalesce(request);
  if (made.rule != models::CoalescingRule::kSectors) {
    map.generation = std::move(made);
    map.result.sectors = pieces_of(*map.generation);
  }
  const auto width = std::max<uint32_t>(request.width_bytes, 1);
  map.unit_bytes = static_cast<int>(std::min<uint32_t>(width, 4));
  map.cells_per_row = static_cast<int>(kLineBytes) / map.unit_bytes;

  for (const models::SectorUse& sector : map.result.sectors) {
    const uint64_t line = sector.address / kLineBytes * kLineBytes;
    if (map.rows.empty() || map.rows.back().address != line) {
      CoalescerMap::Row row;
      row.address = line;
      if (!map.rows.empty()) row.gap_bytes = line - map.rows.back().address - kLineBytes;
      row.lane.assign(static_cast<size_t>(map.cells_per_row), -1);
      row.lanes.assign(static_cast<size_t>(map.cells_per_row), 0);
      map.rows.push_back(std::move(row));
    }
    map.rows.back().moved[(sector.address - line) / kSectorBytes] = true;
  }

  const auto unit = static_cast<uint64_t>(map.unit_bytes);
  for (int lane = 0; lane < models::kLanes; ++lane) {
    if (!(request.active_mask >> lane & 1)) continue;
    const uint64_t begin = request.address[static_cast<size_t>(lane)], end = begin + width;
    CoalescerMap::Target& target = map.target[static_cast<size_t>(lane)];
    for (uint64_t at = begin / unit * unit; at < end; at += unit) {
      const uint64_t line = at / kLineBytes * kLineBytes;
      auto row = std::lower_bound(map.rows.begin(), map.rows.end(), line,
                                  [](const auto& r, uint64_t a) { return r.address < a; });
      if (row == map.rows.end() || row->address != line) continue;
      const size_t cell = (at - line) / unit;
      if (row->lanes[cell]++ == 0) {
        row->lane[cell] = static_cast<int16_t>(lane);
        ++row->used_cells;
      }
      const int row_number = static_cast<int>(row - map.rows.begin());
      if (target.row < 0) target = {row_number, static_cast<int>(cell), 0};
      if (target.row == row_number) ++target.cell_count;
    }
  }
  return map;
}

}  // namespace warpshop::ui
