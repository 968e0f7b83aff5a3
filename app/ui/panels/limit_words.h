// What limits the kernel and how much there is to gain, as the panels of times say it.
#pragma once

#include "app/commands.h"
#include "timing/limit.h"

namespace warpshop::ui {

// The headline, and below it what the gain is counted from, and why. Beside a share of the roof
// (`short_form`) that is under the mouse, and what tells the two figures apart stands below where
// the panel has room. A click on the headline opens the glossary at "limit".
void limit_words(const timing::Limit& limit, CommandQueue& queue, bool short_form = false);

}  // namespace warpshop::ui
