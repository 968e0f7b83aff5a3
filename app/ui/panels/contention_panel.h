// Contention of the kernel's atomics: how many lanes of a request want one word and take turns, how
// often words are hit, and which words are hit most.
#pragma once

#include <optional>

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

struct ContentionPanelState {
  std::optional<bool> shared;  // none: the memory at which more lanes take turns
};

void contention_panel(const View& view, ContentionPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
