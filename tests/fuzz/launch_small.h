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
  uint64_t order_seed = 0;
  // Runs the kernel a second time, with nobody looking and nobody watching for races: memory must
  // be the same.
  bool compare = false;
  // Plays this warp of block 0 step by step, and looks at some steps, forwards and backwards; -1:
  // no.
  int replay_warp = -1;
  // The text is one that we wrote: a fuzzer learns nothing from the ways that the parser takes
  // through it.
  bool parsing_counts = true;
};
// Parameters 0 to 3 of 8 bytes point to buffers, 4 is a texture's handle and 5 a surface's; the
// others are 7.
void launch_small(std::string_view text, const SmallLaunch& shape);

}  // namespace warpshop::fuzz
