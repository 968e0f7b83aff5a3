// Makes the program's stacks independent of the shell's `ulimit -s`, which may be far too small, or
// so large that each thread reserves gigabytes.
#pragma once

#include <cstddef>

namespace warpshop::cli {

// The usual limit, with which everything is tested.
inline constexpr size_t kStackBytes = size_t{8} << 20;

// Returns what `program` returns, run with this much stack. Threads that it starts have as much.
int with_enough_stack(int (*program)(int, char**), int argc, char** argv);

}  // namespace warpshop::cli
