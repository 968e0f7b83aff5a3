// The PTX of the kernel beside its CUDA lines: the lines of the selected one are marked, and a click goes back.
#pragma once

#include <string>
#include <vector>

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

struct PtxLine {
  std::string text;
  int line = 0;                    // of the student's file; 0: none
  uint64_t warp_instructions = 0;
  uint64_t lane_instructions = 0;
};
// The kernel's body, without what only the assembler reads (.loc, empty lines, debug sections).
std::vector<PtxLine> ptx_lines_of(const lab::KernelRun& run);

struct PtxPanelState {
  const PreparedResult* of = nullptr;
  std::vector<PtxLine> lines;
  int shown_line = 0;              // the CUDA line that was scrolled to
};

void ptx_panel(const View& view, PtxPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
