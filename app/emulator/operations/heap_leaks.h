// Memory from malloc that was never freed.
#pragma once

#include <vector>

#include "emulator/finding.h"
#include "memory/heap.h"

namespace warpshop::emulator {

// One warning for each malloc with leaked blocks, at its place.
std::vector<Finding> leaks_of(const Heap& heap);

}  // namespace warpshop::emulator
