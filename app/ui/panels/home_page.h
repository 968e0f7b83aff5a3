// The home page, in place of the panels: all labs with the student's progress, and a way back to
// the last open step.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

struct HomePageState {
  bool open = false;
  bool focus = false;  // take the keyboard focus in the next frame
  bool popup = false;  // one was open in the previous frame, so Esc closed it
};

// `top`: y below the menus, in pixels.
void home_page(const View& view, HomePageState& state, float top, CommandQueue& queue);

}  // namespace warpshop::ui
