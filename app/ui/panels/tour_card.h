// The tour's card beside the panel that it speaks of, and a frame around that panel.
#pragma once

#include "app/commands.h"
#include "app/view.h"
#include "state/tour.h"

namespace warpshop::ui {

void tour_card(const Tour& tour, CommandQueue& queue);

}  // namespace warpshop::ui
