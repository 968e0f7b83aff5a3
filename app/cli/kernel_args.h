// Parses grids, blocks, arguments and fills on the command line of `run`.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "emulator/access.h"
#include "lab/lab.h"
#include "lab/spec.h"

namespace warpshop::cli {

// "4", "4,2" or "4,2,1". Error: what was expected.
Result<Dim3> read_dim(const std::string& text, const char* option);

// "f32[1024]=random", "u8[4096]" (zero), "i32=5", "float4=1,2,3,4", "ptr=0", "{i32=5;
// f32[64]=zero}" (a struct by value).
struct KernelWord {
  lab::SpecArg arg;
  std::vector<lab::ElementType> types;  // of its buffers, in order, for printing their contents
};
Result<KernelWord> read_argument(const std::string& text);

}  // namespace warpshop::cli
