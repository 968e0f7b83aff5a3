// The bank map: 32 lanes over 32 banks, and a row for every wavefront that one shared access takes.
#pragma once

#include <optional>

#include "commands.h"
#include "models/bank_generations.h"
#include "view.h"

namespace warpshop::ui {

struct BankPanelState {
  const PreparedResult* of = nullptr;
  size_t entry = 0;
  std::optional<models::GenerationBankResult> banks;
};

void bank_panel(const View& view, BankPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
