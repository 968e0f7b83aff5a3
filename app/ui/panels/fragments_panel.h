// The matrices of a tensor instruction as they lie in a warp's registers: A at the left, B above,
// D where rows of A meet columns of B. Each element has its lane's colour and number.
#pragma once

#include <cstddef>

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

struct FragmentsPanelState {
  size_t shown = 0;  // of the kernel's tensor instructions
};

void fragments_panel(const View& view, FragmentsPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
