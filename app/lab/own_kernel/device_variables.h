// The values of __constant__ and __device__ variables that a program sets with cudaMemcpyToSymbol:
// a lab runs no host code, so they become initialisers in its text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/kernel_lab.h"

namespace warpshop::lab {

// `n`: for integers that are not in an array, which are usually sizes.
std::vector<KernelLabVariable> proposed_variables(std::string_view source, const std::string& n);

// The file's text with their initialisers, on the same lines.
std::string with_variables(const std::string& source,
                           const std::vector<KernelLabVariable>& variables);

// One item of a Markdown list for each: where its values come from.
std::string variables_text(const std::vector<KernelLabVariable>& variables);

}  // namespace warpshop::lab
