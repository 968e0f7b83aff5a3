// The system check: what this machine has and lacks, with a fix per line. Shown by `warpshop
// doctor` and in the window.
#pragma once

#include <vector>

#include "core/sentence.h"

namespace warpshop::lab {

struct SystemCheckLine {
  enum class State { kOk, kWarn, kFail };
  State state = State::kOk;
  Sentence what;   // "NVRTC"
  Sentence found;  // "13.0 at /…"
  Sentence fix;    // what to do; empty if all is well
};

// Checks the compiler (by compiling a kernel), the GPU driver, the display, the program's data, and
// the folders that must be writable. Takes a few tenths of a second. `window`: false for a program
// without one, which needs no display, OpenGL or fonts.
std::vector<SystemCheckLine> check_system(bool window = true);
bool any_failed(const std::vector<SystemCheckLine>& lines);

}  // namespace warpshop::lab
