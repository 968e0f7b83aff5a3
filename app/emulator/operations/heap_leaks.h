// Memory from malloc that was neither freed nor kept for a later kernel.
#pragma once

#include <span>
#include <vector>

#include "emulator/finding.h"
#include "memory/heap.h"

namespace warpshop::emulator {

// One warning for each malloc with leaked blocks, at its place. Blocks to which `memory`, the
// launch's buffers and variables, has a pointer, or another such block, are no leaks: a later
// kernel can use and free them.
std::vector<Finding> leaks_of(const Heap& heap, std::span<const Region> memory);

}  // namespace warpshop::emulator
