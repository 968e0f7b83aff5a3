// The kernel's limiter and its possible gain, as the timing panels word it.
#pragma once

#include "app/commands.h"
#include "timing/limiter_summary.h"

namespace warpshop::ui {

// Draws the headline and, below it, what the gain is relative to and the reason. With `short_form`,
// beside a share of the roof, these move into the tooltip, and the difference between the two
// figures is explained below if the panel has room. A click on the headline opens the glossary at
// "limiter".
void limiter_words(const timing::LimiterSummary& limiter, CommandQueue& queue,
                   bool short_form = false);
// Height of the headline with `short_form`.
float limiter_headline_height(const timing::LimiterSummary& limiter);

}  // namespace warpshop::ui
