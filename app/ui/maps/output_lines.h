// Lines that a kernel's printf wrote, each with its thread.
#pragma once

#include <string>
#include <vector>

#include "lab/run_result.h"

namespace warpshop::ui {

struct OutputLine {
  std::string text;
  Dim3 block;
  Dim3 thread;  // the thread that wrote its first character
};

// Joins a thread's consecutive calls until its line ends; another thread starts a new line.
std::vector<OutputLine> output_lines(const emulator::LivePrints::Text& printed);
std::vector<OutputLine> output_lines(const lab::KernelRun& run);

}  // namespace warpshop::ui
