// Runs every kernel of a PTX text with little memory and a small instruction budget.
#pragma once

#include <cstdint>
#include <string_view>

#include "emulator/access.h"

namespace warpshop::fuzz {

struct SmallLaunch {
  Dim3 grid{2, 1, 1};
  Dim3 block{48, 1, 1};
  uint32_t dynamic_shared_bytes = 64;
  int threads = 1;
  bool independent_threads = true;
  uint64_t order_seed = 0;
  // Runs the kernel a second time, without access sinks and without checks for races in global
  // memory: memory must be the same.
  bool compare = false;
  // Plays this warp of block 0 step by step, and inspects some steps, forwards and backwards; -1
  // for none.
  int replay_warp = -1;
  // False for text that we generated: the parser's coverage would tell a fuzzer nothing.
  bool parsing_counts = true;
};
// Parameters 0 to 3, of 8 bytes each, point to buffers, 4 is a texture handle and 5 a surface
// handle; the others are 7.
void launch_small(std::string_view text, const SmallLaunch& shape);

}  // namespace warpshop::fuzz
