// The bank map: 32 lanes over 32 banks, and a row for every wavefront that one shared access takes.
#pragma once

#include <optional>

#include "app/commands.h"
#include "app/view.h"
#include "models/bank_generations.h"
#include "models/padding.h"

namespace warpshop::ui {

struct BankPanelState {
  const PreparedResult* of = nullptr;
  size_t entry = 0;
  std::optional<models::GenerationBankResult> banks;
  std::optional<models::PaddedAccess> padded;  // none: no padding helps
  bool beside = false;                         // the padded layout is shown beside the kernel's own
};

// The map alone, for panels that show more than one: an item "map" of this size at the cursor.
// Gives the lanes under the mouse, 0: none; those of `pointed` are shown strongly.
uint32_t draw_bank_map(const models::WarpRequest& request,
                       const models::GenerationBankResult& banks, ImVec2 size, float progress,
                       uint32_t pointed = 0);

// "32 wavefronts for one load", with the ideal and why, in the words of the generation.
void bank_headline(const models::GenerationBankResult& banks, emulator::AccessKind kind, int cost,
                   int ideal);

void bank_panel(const View& view, BankPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
