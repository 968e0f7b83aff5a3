// The transaction map: 32 lanes, and the sectors that one access of the warp moves.
#pragma once

#include <optional>
#include <vector>

#include "app/commands.h"
#include "app/view.h"
#include "maps/coalescer_map.h"
#include "models/index_advice.h"

namespace warpshop::ui {

// A piece of memory that moves as one: a transaction of the map's generation, or a sector.
struct Move {
  uint64_t address = 0;
  uint32_t bytes = 32, lanes = 0;
  int used = 0, replay = -1;
};

struct CoalescerPanelState {
  const PreparedResult* of = nullptr;  // what `map` was made from
  size_t entry = 0;
  std::optional<CoalescerMap> map;
  std::vector<Move> moves;     // of the map
  models::IndexAdvice advice;  // of the same access
  std::optional<size_t> hand;  // the transaction that is shown alone; none: all are
};

// To the next transaction (`by` 1) or the one before; behind the last and before the first all are
// shown. False: there are none.
bool move_hand(CoalescerPanelState& state, int by);

// The map alone, for panels that show more than one: an item "map" of this size at the cursor.
// `progress` 0 to 1: how much of the links is drawn; `pointing`: lanes and sectors that are shown
// strongly.
struct MapHover {
  int lane = -1;
  int row = -1, sector = -1;
};
MapHover draw_transaction_map(const CoalescerMap& map, ImVec2 size, float progress,
                              const Pointing& pointing = {});
// A lane, or those of the sector between them; 0: nothing is hovered.
uint32_t lanes_under(const CoalescerMap& map, const MapHover& hover);
// The same, with the line and the bytes of the sector or the lane.
Pointing pointing_under(const View& view, const CoalescerMap& map, const MapHover& hover);

// "32 sectors for one load", with what would be ideal, in the words of the map's generation.
void transaction_headline(const CoalescerMap& map, emulator::AccessKind kind);

void coalescer_panel(const View& view, CoalescerPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
