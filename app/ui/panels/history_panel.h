// Every version that was run, the newest first, with what changed against the pinned baseline.
#pragma once

#include <cstdint>
#include <string>

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

void history_panel(const View& view, CommandQueue& queue);

// When a run was, for people: "14:03", with the date where that was another day.
std::string time_text(const std::string& iso_utc);
// "−75%", "+3%", "×12" from ten times on, "=": how `now` differs from `before`. Empty where there
// is nothing to compare.
std::string delta_text(double before, double now);

}  // namespace warpshop::ui
