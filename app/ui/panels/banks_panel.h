// The bank map: 32 lanes over 32 banks, and one row per wavefront of a shared-memory access.
#pragma once

#include <optional>

#include "app/commands.h"
#include "app/view.h"
#include "models/bank_generations.h"
#include "models/padding.h"
#include "panels/layout_view.h"

namespace warpshop::ui {

struct BanksPanelState {
  const PreparedResult* of = nullptr;
  size_t entry = 0;
  std::optional<models::GenerationBankResult> banks;
  std::optional<models::PaddedAccess> padded;  // empty if no padding helps
  bool layouts = false;                        // in place of the access: layouts to try
  LayoutViewState layout;
  bool beside = false;  // show the padded layout beside the kernel's own
};

// Draws the map alone, as an item "map" of this size at the cursor, for panels that show several.
// Returns the lanes under the mouse (0 if none); `pointed` lanes are highlighted.
uint32_t draw_bank_map(const models::WarpRequest& request,
                       const models::GenerationBankResult& banks, ImVec2 size, float progress,
                       uint32_t pointed = 0);

// Draws "32 wavefronts for one load", with the ideal and the reason, in the generation's terms.
void bank_headline(const models::GenerationBankResult& banks, emulator::AccessKind kind, int cost,
                   int ideal);

void banks_panel(const View& view, BanksPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
