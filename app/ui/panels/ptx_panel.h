// The kernel's PTX, and the machine code (SASS) generated from it, next to the CUDA lines:
// selecting a line marks its instructions in both, and a click on one goes back to the line.
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
  int ptx_line = 0;     // 0: no instruction
  bool counted = true;  // its execution count is known
  uint64_t warp_instructions = 0;
  uint64_t lane_instructions = 0;
};
// Lines of the kernel's body, without what only the assembler needs (.loc, empty lines, debug
// sections).
std::vector<PtxLine> ptx_lines_of(const lab::KernelRun& run);

// Lines of the kernel's machine code, each instruction with the CUDA line of its PTX line. Empty if
// none of `kernels` is the run's.
std::vector<PtxLine> sass_lines_of(const lab::KernelRun& run,
                                   const std::vector<compile::SassKernel>& kernels);

// What a list of code last scrolled to.
struct ShownCode {
  int line = 0;      // of the student's file
  int ptx_line = 0;  // the film's instruction
};

struct PtxPanelState {
  const PreparedResult* of = nullptr;
  std::vector<PtxLine> lines;
  ShownCode shown;
  bool sass = false;  // show the machine code as well
  bool visible = false;
  std::shared_ptr<const Disassembly> sass_of;
  std::vector<PtxLine> sass_lines;
  ShownCode shown_sass;
};

void ptx_panel(const View& view, PtxPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
