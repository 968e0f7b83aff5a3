// The tour's text, in a strip below the top bar that takes its room from the panels instead of
// covering them, and a frame around the thing described.
#pragma once

#include "app/commands.h"
#include "state/tour.h"

namespace warpshop::ui {

// Draws the strip, `top` pixels down, below the menus, with the step's text as things are. Returns
// its height including the gap below it; 0 if the tour is closed.
float tour_strip(const Tour& tour, const TourFacts& now, float top, CommandQueue& queue);
// Draws the frame. Call after everything that may be framed.
void tour_frame(const Tour& tour);

}  // namespace warpshop::ui
