// The checks of the step: what was wanted and what the kernel did. And, once all hold, the way on.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

void checks(const View& view, CommandQueue& queue);

// One line of them: a mark each, and how many hold; the way on once all do.
void checks_summary(const View& view, CommandQueue& queue);

}  // namespace warpshop::ui
