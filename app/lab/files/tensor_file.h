// Reads the keys of a tensor map argument: docs/writing-a-lab.md, "Arguments".
#pragma once

#include <vector>

#include "files/toml_table.h"
#include "lab/lab.h"

namespace warpshop::lab {

// Everything except fill, seed and output, which all buffers have. Leaves `out.count` empty after a
// mistake. `sizes`: all at which the exercise runs.
void read_tensor_map(TomlTable& arg, const std::vector<const ProblemSize*>& sizes, KernelArg& out);

}  // namespace warpshop::lab
