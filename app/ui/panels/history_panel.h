// Every version that was run, newest first, with the differences from the pinned baseline.
#pragma once

#include <cstdint>
#include <string>

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

void history_panel(const View& view, CommandQueue& queue);

// Formats a run's time for display: local time of day, with the date if it was not today.
std::string time_text(const std::string& iso_utc);
// Formats the change from `before` to `now`: "−75%", "+3%", "×12" from tenfold on, "=". Empty if
// there is nothing to compare.
std::string delta_text(double before, double now);

}  // namespace warpshop::ui
