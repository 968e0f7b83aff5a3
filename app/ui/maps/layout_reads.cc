#include "maps/layout_reads.h"

#include <algorithm>

namespace warpshop::ui {

using models::kLanes;
using models::Layout;

namespace {

uint64_t lanes_in_row(const Layout& layout, const LayoutReading& reading) {
  return layout.columns() / reading.per_lane;
}

}  // namespace

uint64_t layout_requests(const Layout& layout, const LayoutReading& reading) {
  return (layout.rows() * lanes_in_row(layout, reading) + kLanes - 1) / kLanes;
}

LayoutRequest layout_request(const Layout& layout, const LayoutReading& reading) {
  LayoutRequest out;
  const uint64_t across = lanes_in_row(layout, reading), rows = layout.rows();
  const uint64_t width = reading.element_bytes * reading.per_lane;
  out.request.width_bytes = static_cast<uint32_t>(width);
  for (int lane = 0; lane < kLanes; ++lane) {
    const uint64_t n = reading.request * kLanes + static_cast<uint64_t>(lane);
    if (n >= rows * across) break;
    const LayoutCell cell{reading.down ? n % rows : n / across,
                          (reading.down ? n / rows : n % across) * reading.per_lane};
    const uint64_t index = layout.at(cell.row, cell.column);
    const auto at = static_cast<size_t>(lane);
    out.first[at] = cell;
    out.request.active_mask |= uint32_t{1} << lane;
    out.request.address[at] = index * reading.element_bytes;
    bool whole = out.request.address[at] % width == 0;
    for (uint64_t next = 1; next < reading.per_lane; ++next)
      whole &= layout.at(cell.row, cell.column + next) == index + next;
    if (!whole && !out.torn) out.torn = lane;
  }
  return out;
}

std::optional<LayoutReader> reader_of(const Layout& layout, const LayoutReading& reading,
                                      LayoutCell cell) {
  const uint64_t across = lanes_in_row(layout, reading), x = cell.column / reading.per_lane;
  if (x >= across) return std::nullopt;
  const uint64_t n = reading.down ? x * layout.rows() + cell.row : cell.row * across + x;
  return LayoutReader{n / kLanes, static_cast<int>(n % kLanes)};
}

}  // namespace warpshop::ui
