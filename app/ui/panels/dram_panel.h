// DRAM: the bursts that one access of a warp fetches and what of each is used; rows that were open
// or had to be opened, over time; and the banks of one channel at work.
#pragma once

#include <memory>
#include <optional>

#include "app/commands.h"
#include "app/view.h"
#include "models/dram.h"

namespace warpshop::ui {

struct DramPanelState {
  const PreparedResult* of = nullptr;  // what `bursts` was made from
  size_t entry = 0;
  std::optional<models::BurstResult> bursts;
  const timing::MemoryTimeline* memory = nullptr;  // whose channel is shown
  int channel = 0;
  double begin = 0, end = 0;  // transfers in sight
};

// The banks' picture: `zoom` over 1 shows fewer transfers, 0 all of them; `shift` is a part of what
// is in sight.
void move_transfers(DramPanelState& state, double zoom, double shift);

void dram_panel(const View& view, DramPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
