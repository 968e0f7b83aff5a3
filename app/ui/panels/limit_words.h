// The kernel's limit and its possible gain, as the timing panels word it.
#pragma once

#include "app/commands.h"
#include "timing/limit.h"

namespace warpshop::ui {

// Draws the headline and, below it, what the gain is relative to and the reason. With `short_form`,
// beside a share of the roof, these move into the tooltip, and the difference between the two
// figures is explained below if the panel has room. A click on the headline opens the glossary at
// "limit".
void limit_words(const timing::Limit& limit, CommandQueue& queue, bool short_form = false);
// Height of the headline with `short_form`.
float limit_headline_height(const timing::Limit& limit);

}  // namespace warpshop::ui
