// The variables of a program that its host code, not their declaration, sets.
#pragma once

#include <string_view>
#include <vector>

#include "own_kernel/host_source.h"

namespace warpshop::lab {

// The __constant__ variables without an initialiser, and the __device__ ones that the host code
// copies to, with the values that the first copy to each states.
std::vector<UnsetVariable> unset_variables(std::string_view source);

}  // namespace warpshop::lab
