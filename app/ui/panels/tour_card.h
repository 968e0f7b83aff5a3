// The tour's card beside the panel that it speaks of, and a frame around that panel.
#pragma once

#include "commands.h"
#include "tour.h"
#include "view.h"

namespace warpshop::ui {

void tour_card(const Tour& tour, CommandQueue& queue);

}  // namespace warpshop::ui
