// The shared-memory arrays of a kernel's text as layouts: what a panel offers to look at.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpshop::lab {

struct SharedLayout {
  std::string name;    // "tile"
  std::string layout;  // "(32,33):(33,1)", as models/layout.h reads it
  uint64_t element_bytes = 4;
};

// Arrays whose extents are sums of numbers and of constants that the text defines. The last index
// goes across, the others down; rows of 32 elements where there is one index. Leaves out what is
// not understood and dynamic shared memory.
std::vector<SharedLayout> shared_layouts(std::string_view text, std::string_view kernel);

}  // namespace warpshop::lab
