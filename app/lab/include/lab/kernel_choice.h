// Helps a user choose a kernel in their own file: lists the kernels and the arguments each takes.
#pragma once

#include <string>
#include <vector>

#include "compile/device_source.h"

namespace warpshop::lab {

// An argument for `run --arg` that fits the parameter: "f32[1024]=random", "i32=1024"; a
// placeholder in angle brackets if the type is defined in the file.
std::string proposed_argument(const compile::SourceParameter& parameter);

// The kernels, one per line: "  add(const float* a, int n)  line 4, launched in line 15 as <<<4, 256>>>".
std::string kernel_lines(const std::vector<compile::SourceKernel>& kernels);

// "--kernel add --grid 1 --block 256 --arg f32[1024]=random --arg i32=1024".
std::string proposed_command(const compile::SourceKernel& kernel);

}  // namespace warpshop::lab
