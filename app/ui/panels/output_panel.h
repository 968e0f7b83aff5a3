// What the kernel's printf wrote.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/view.h"
#include "maps/output_lines.h"

namespace warpshop::ui {

struct OutputPanelState {
  const PreparedResult* of =
      nullptr;              // whose lines these are; null: of a kernel that runs, or nobody's
  uint64_t live_calls = 0;  // of a kernel that runs, when it was last looked at; 0: none does
  uint64_t dropped = 0;     // calls without a line
  std::string printed;      // in full, to tell new output from the same again
  std::string seen;         // what was printed when the panel was last in front
  std::vector<OutputLine> lines;
};

void output_panel(const View& view, OutputPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
