// Runs every kernel of a PTX text on little memory and a little budget.
#pragma once

#include <cstdint>
#include <string_view>

#include "emulator/access.h"

namespace warpshop::fuzz {

struct SmallLaunch {
  emulator::Dim3 grid{2, 1, 1};
  emulator::Dim3 block{48, 1, 1};
  uint32_t dynamic_shared_bytes = 64;
  int threads = 1;
  bool independent_threads = true;
};
void launch_small(std::string_view text, const SmallLaunch& shape);

}  // namespace warpshop::fuzz
