// Choosing a kernel of somebody's file: what it has, and what each takes.
#pragma once

#include <string>
#include <vector>

#include "compile/device_source.h"

namespace warpshop::lab {

// An argument that fits the parameter, as `run --arg` takes it: "f32[1024]=random", "i32=1024"; a place holder in
// angle brackets where the type is one of the file's own.
std::string proposed_argument(const compile::SourceParameter& parameter);

// The kernels, one a line: "  add(const float* a, int n)  line 4, launched in line 15 as <<<4, 256>>>".
std::string kernel_lines(const std::vector<compile::SourceKernel>& kernels);

// "--kernel add --grid 1 --block 256 --arg f32[1024]=random --arg i32=1024".
std::string proposed_command(const compile::SourceKernel& kernel);

}  // namespace warpshop::lab
