// Helps a user choose a kernel in their own file: lists the kernels and the arguments each takes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compile/device_source.h"

namespace warpshop::lab {

// An argument for `run --arg` that fits the parameter: "f32[1024]=random", "i32=1024"; a
// placeholder in angle brackets if the type is defined in the file.
std::string proposed_argument(const compile::SourceParameter& parameter);

// The kernels, one per line: "  add(const float* a, int n)  line 4, launched in line 15 as <<<4,
// 256>>>".
std::string kernel_lines(const std::vector<compile::SourceKernel>& kernels);

// "--kernel add --grid 4 --block 256 --arg f32[1024]=random --arg i32=1024": with the numbers that
// the program's first launch states plainly; the rest is guessed.
std::string proposed_command(std::string_view source, const compile::SourceKernel& kernel);

}  // namespace warpshop::lab
