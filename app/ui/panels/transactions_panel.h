// The transaction map: 32 lanes, and the sectors that one access of the warp moves.
#pragma once

#include <optional>
#include <vector>

#include "app/commands.h"
#include "app/view.h"
#include "maps/coalescer_map.h"
#include "models/index_advice.h"

namespace warpshop::ui {

// A piece of memory that is moved as a unit: a transaction of the map's generation, or a sector.
struct Move {
  uint64_t address = 0;
  uint32_t bytes = 32, lanes = 0;
  int used = 0, replay = -1;
};

struct TransactionsPanelState {
  const PreparedResult* of = nullptr;  // what `map` was made from
  size_t entry = 0;
  std::optional<CoalescerMap> map;
  std::vector<Move> moves;     // the transactions or sectors of `map`
  models::IndexAdvice advice;  // of the same access
  std::optional<size_t> hand;  // the transaction shown alone; empty: show all
};

// Selects the next (`by` 1) or previous (-1) transaction; past either end, shows all of them. False
// if there are none.
bool move_focus(TransactionsPanelState& state, int by);

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

// Draws "32 sectors for one load", with the ideal, in the terms of the map's generation.
void transaction_headline(const CoalescerMap& map, emulator::AccessKind kind);

void transactions_panel(const View& view, TransactionsPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
