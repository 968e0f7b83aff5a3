// The numbers that a program's host code passes to a launch, where the file states them plainly:
// "const int N = 1024", "#define N 4096", "int n = 1 << 20", and arithmetic over such names.
// Whatever depends on input, on a call, or on a variable that may have changed is left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/device_source.h"
#include "lab/value_type.h"
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

// A __constant__ variable without an initialiser, or a __device__ one that the host code copies to.
struct UnsetVariable {
  std::string declaration;  // "__constant__ float w[5]"
  std::string name;
  size_t end = 0;                      // the offset in the file at which an initialiser belongs
  std::optional<ValueType> type;       // none: not a number, or a vector of numbers
  std::vector<UnsetVariable> members;  // of a struct that consists of numbers
  int64_t count = 0;                   // elements of an array; 1: not an array, 0: unknown
  bool is_array = false;
  std::string value;  // the initialiser that the first cudaMemcpyToSymbol states: "{0.6, 0.1}"
  int line = 0;       // of that copy; 0: not stated
};
std::vector<UnsetVariable> unset_variables(std::string_view source);
// Of a struct with these members, laid out as in C++; 0 if there are none. Itanium C++ ABI, "POD
// Data Types".
int64_t struct_size_bytes(const std::vector<UnsetVariable>& members);

// Empty if the file does not launch the kernel.
std::optional<HostLaunch> first_launch(std::string_view source,
                                       const compile::SourceKernel& kernel);

}  // namespace warpshop::lab
