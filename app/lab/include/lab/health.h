// What this machine has and lacks, each line with what to do: `warpshop doctor`, and the page in the window.
#pragma once

#include <vector>

#include "core/sentence.h"

namespace warpshop::lab {

struct HealthLine {
  enum class State { kOk, kWarn, kFail };
  State state = State::kOk;
  Sentence what;   // "NVRTC"
  Sentence found;  // "13.0 at /…"
  Sentence fix;    // what to do; empty where all is well
};

// Looks at the compiler, which it tries, the GPU's driver, the display, the program's data, and the folders that
// must be writable. Takes some tenths of a second.
std::vector<HealthLine> check_health();
bool any_failed(const std::vector<HealthLine>& lines);

}  // namespace warpshop::lab
