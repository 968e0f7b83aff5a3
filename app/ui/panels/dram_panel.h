// DRAM: the bursts that one access of a warp fetches and the bytes used of each; row hits and row
// conflicts over time; and the banks of one channel at work.
#pragma once

#include <memory>
#include <optional>

#include "app/commands.h"
#include "app/view.h"
#include "models/dram.h"
#include "timing/memory_timeline.h"

namespace warpshop::ui {

struct DramPanelState {
  const PreparedResult* of = nullptr;  // what `bursts` was made from
  size_t entry = 0;
  std::optional<models::BurstResult> bursts;
  const timing::MemoryTimeline* memory = nullptr;  // whose channel is shown
  int channel = 0;
  double begin = 0, end = 0;  // visible range of transfers
};

// Moves the view of the banks. `zoom` > 1 shows fewer transfers, 0 shows all; `shift` is a fraction
// of the visible range.
void move_transfers(DramPanelState& state, double zoom, double shift);

void dram_panel(const View& view, DramPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
