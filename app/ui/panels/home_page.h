// All labs with what was done of them, and the way back to the step that was open: in place of the
// panels.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

struct HomePageState {
  bool open = false;
  bool focus = false;  // takes the keyboard in the next frame
  bool popup = false;  // one was open in the frame before: Esc closed that
};

// `top`: pixels below the menus.
void home_page(const View& view, HomePageState& state, float top, CommandQueue& queue);

}  // namespace warpshop::ui
