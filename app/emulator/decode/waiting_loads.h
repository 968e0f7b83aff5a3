// Loads that a loop waits for: whether it goes on may depend on what they read.
#pragma once

#include <set>
#include <utility>

namespace warpshop::emulator {

struct DecodedProgram;

// As pairs of a function's index in the module and an instruction's in its body. Only loads in
// basic blocks that may be part of a waiting loop (decode/polling.h). A load of a function that is
// called in a loop counts without a loop of its own. After find_polling.
std::set<std::pair<int, int>> waiting_loads(const DecodedProgram& program);

}  // namespace warpshop::emulator
