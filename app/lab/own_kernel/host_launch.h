// The numbers that a program's host code passes to a launch, where the file states them plainly:
// "const int N = 1024", "#define N 4096", "int n = 1 << 20", and arithmetic over such names.
// Whatever depends on input, on a call, or on a variable that may have changed is left out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/device_source.h"
#include "own_kernel/host_number.h"

namespace warpshop::lab {

// The first launch of a kernel. What is empty could not be read.
struct HostLaunch {
  // "k<4, float>" of a template with arguments: constants of the host code are replaced by their
  // values, since only functions of the host may see them. Otherwise empty.
  std::string instance;
  std::vector<HostNumber> grid, block;  // their dimensions
  std::optional<HostNumber> shared_bytes;
  // By parameter: the value, or for a pointer the bytes that were allocated for it.
  std::vector<std::optional<HostNumber>> arguments;
  int line = 0;
};

// Empty if the file does not launch the kernel.
std::optional<HostLaunch> first_launch(std::string_view source,
                                       const compile::SourceKernel& kernel);

}  // namespace warpshop::lab
