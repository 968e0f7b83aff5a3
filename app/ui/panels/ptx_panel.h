// The PTX of the kernel, and the machine code (SASS) that the back end made of it, beside their
// CUDA lines: the lines of the selected one are marked in both, and a click goes back.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/view.h"
#include "work/sass_worker.h"

namespace warpshop::ui {

struct PtxLine {
  std::string text;
  int line = 0;         // of the student's file; 0: none
  bool counted = true;  // how often it ran is known
  uint64_t warp_instructions = 0;
  uint64_t lane_instructions = 0;
};
// The kernel's body, without what only the assembler reads (.loc, empty lines, debug sections).
std::vector<PtxLine> ptx_lines_of(const lab::KernelRun& run);

// The kernel's machine code, each instruction with the CUDA line of its PTX line. Empty: none of
// the kernels is the run's.
std::vector<PtxLine> sass_lines_of(const lab::KernelRun& run,
                                   const std::vector<compile::SassKernel>& kernels);

struct PtxPanelState {
  const PreparedResult* of = nullptr;
  std::vector<PtxLine> lines;
  int shown_line = 0;  // the CUDA line that was scrolled to
  bool sass = false;   // the machine code is to be seen, too
  bool visible = false;
  std::shared_ptr<const Disassembly> sass_of;
  std::vector<PtxLine> sass_lines;
  int shown_sass_line = 0;
};

void ptx_panel(const View& view, PtxPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
