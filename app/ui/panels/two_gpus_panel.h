// Two GPUs side by side: one access of the warp on the chosen GPU and on a second one, and its cost
// on every GPU.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/view.h"
#include "maps/coalescer_map.h"
#include "models/bank_generations.h"

namespace warpshop::ui {

// The selected access by the rules of one GPU.
struct ComparedSide {
  std::string gpu;  // id
  std::optional<CoalescerMap> map;
  std::optional<models::GenerationBankResult> banks;
  int cost = 0, ideal = 0;  // as in AccessEntry
};

struct TwoGpusPanelState {
  // What the sides were made from.
  const PreparedResult* of = nullptr;
  size_t entry = 0;
  std::array<ComparedSide, 2> sides;
  std::vector<ComparedSide> all;  // for every GPU, without maps
};

void two_gpus_panel(const View& view, TwoGpusPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
