// The picture of the transaction map: 32 lanes, and the sectors that one access of the warp moves.
#pragma once

#include <cstdint>

#include "app/view.h"
#include "maps/coalescer_map.h"

namespace warpshop::ui {

// Draws the map alone, as an item "map" of this size at the cursor, for panels that show several.
// `progress`: the part of the links drawn, 0 to 1. `pointing`: lanes and sectors to highlight.
struct MapHover {
  int lane = -1;
  int row = -1, sector = -1;
};
MapHover draw_transaction_map(const CoalescerMap& map, ImVec2 size, float progress,
                              const Pointing& pointing = {});
// Returns the hovered lane, or the lanes that access the hovered sector; 0 if nothing is hovered.
uint32_t lanes_under(const CoalescerMap& map, const MapHover& hover);
// Like lanes_under(), but adds the source line and the bytes of the sector or lane.
Pointing pointing_under(const View& view, const CoalescerMap& map, const MapHover& hover);

}  // namespace warpshop::ui
