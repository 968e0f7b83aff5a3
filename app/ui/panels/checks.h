// The checks of the step: what was expected, what the kernel did, and a link to the next step once
// all pass.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

void checks(const View& view, CommandQueue& queue);

// Draws the checks on one line: a mark for each and how many pass, with the link once all do.
void checks_summary(const View& view, CommandQueue& queue);

}  // namespace warpshop::ui
