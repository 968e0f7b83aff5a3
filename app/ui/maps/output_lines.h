// What a kernel's printf wrote, in lines, with the thread of each.
#pragma once

#include <string>
#include <vector>

#include "lab/run_result.h"

namespace warpshop::ui {

struct OutputLine {
  std::string text;
  emulator::Dim3 block;
  emulator::Dim3 thread;  // who wrote its first character
};

// A thread's calls go on in one line until it ends; another thread starts a new one.
std::vector<OutputLine> output_lines(const emulator::LivePrints::Text& printed);
std::vector<OutputLine> output_lines(const lab::KernelRun& run);

}  // namespace warpshop::ui
