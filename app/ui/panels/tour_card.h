// The tour's words in a strip below the top bar, which takes its room from the panels and so covers
// none of them, and a frame around what they speak of.
#pragma once

#include "app/commands.h"
#include "state/tour.h"

namespace warpshop::ui {

// Draws the strip, `top` pixels below the menus. Returns its height with the gap below it; 0: the
// tour is closed.
float tour_strip(const Tour& tour, float top, CommandQueue& queue);
// After everything that may be framed.
void tour_frame(const Tour& tour);

}  // namespace warpshop::ui
