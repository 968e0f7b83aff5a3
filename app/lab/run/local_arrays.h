// Names and dimensions of the arrays inside a kernel, read from the source: PTX keeps all of a
// thread's arrays in one piece of local memory without names, and shared ones without dimensions.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "emulator/finding.h"

namespace warpshop::lab {

// Completes findings about local memory: if the finding's line indexes a single array that the
// source declares inside a function, names it, and its element where local memory holds nothing
// else. `file_name`: of the source, as findings name it.
void name_local_arrays(std::string_view source, std::string_view file_name,
                       std::vector<emulator::Finding>& findings);

// The dimensions of an array that the source declares in shared memory; empty if they are not
// numbers or constants, or if several functions declare one of that name.
std::vector<uint64_t> shared_extents(std::string_view source, std::string_view array);

}  // namespace warpshop::lab
