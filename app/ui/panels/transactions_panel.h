// The transaction map: 32 lanes, and the sectors that one access of the warp moves.
#pragma once

#include <optional>
#include <vector>

#include "app/commands.h"
#include "app/view.h"
#include "maps/coalescer_map.h"
#include "models/index_advice.h"
#include "panels/transactions_map.h"

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
  std::vector<Move> moves;      // the transactions or sectors of `map`
  models::IndexAdvice advice;   // of the same access
  std::optional<size_t> focus;  // the transaction shown alone; empty: show all
};

// Selects the next (`by` 1) or previous (-1) transaction; past either end, shows all of them. False
// if there are none.
bool move_focus(TransactionsPanelState& state, int by);

// Draws "32 sectors for one load", with the ideal, in the terms of the map's generation.
void transaction_headline(const CoalescerMap& map, emulator::AccessKind kind);

void transactions_panel(const View& view, TransactionsPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
