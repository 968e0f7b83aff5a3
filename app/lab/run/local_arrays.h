// The names of arrays inside a kernel, for findings. PTX keeps all of a thread's arrays in one
// piece of local memory without names, so the names are read from the source.
#pragma once

#include <string_view>
#include <vector>

#include "emulator/finding.h"

namespace warpshop::lab {

// Completes findings about local memory: if the finding's line indexes a single array that the
// source declares inside a function, names it, and its element where local memory holds nothing
// else. `file_name`: of the source, as findings name it.
void name_local_arrays(std::string_view source, std::string_view file_name,
                       std::vector<emulator::Finding>& findings);

}  // namespace warpshop::lab
