// What malloc gave and nobody freed.
#pragma once

#include <vector>

#include "emulator/finding.h"
#include "memory/heap.h"

namespace warpshop::emulator {

// One warning for each malloc whose blocks are left, at its place.
std::vector<Finding> leaks_of(const Heap& heap);

}  // namespace warpshop::emulator
