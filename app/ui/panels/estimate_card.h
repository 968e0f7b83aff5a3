// The student's estimate of the kernel's time before the run, and how close it came.
#pragma once

#include <vector>

#include "app/commands.h"
#include "app/view.h"
#include "lab/times.h"
#include "panels/number_field.h"

namespace warpshop::ui {

// Draws the card in the step's text; nothing if the exercise asks for no estimate.
void estimate_card(const View& view, NumberFieldState& field, CommandQueue& queue);
bool has_estimate_card(const View& view);

// Draws a line in Times: "You said 4 ×; it is 3.6 × (predicted)." `rows`: of the size that times
// refer to. Nothing without an estimate.
void estimate_line(const View& view, const lab::RunResult& result, const lab::SizeResult& size,
                   const std::vector<lab::TimeRow>& rows);

}  // namespace warpshop::ui
