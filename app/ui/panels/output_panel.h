// Output of the kernel's printf.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/view.h"
#include "maps/output_lines.h"

namespace warpshop::ui {

struct OutputPanelState {
  // Source of `lines`; null if they are from a running kernel, or there are none.
  const PreparedResult* of = nullptr;
  uint64_t live_calls = 0;  // calls of the running kernel when last checked; 0: none is running
  uint64_t dropped = 0;     // printf calls without a line
  std::string printed;      // all of it, to tell new output from a repetition
  std::string seen;         // what was printed when the panel was last in front
  std::vector<OutputLine> lines;
};

void output_panel(const View& view, OutputPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
