// The words of `run`: grids, blocks, arguments and fills as they are typed.
#pragma once

#include <string>

#include "core/result.h"
#include "emulator/access.h"
#include "lab/lab.h"
#include "lab/spec.h"

namespace warpshop::cli {

// "4", "4,2" or "4,2,1". Error: what was expected.
Result<emulator::Dim3> read_dim(const std::string& text, const char* option);

// "f32[1024]=random", "u8[4096]" (zero), "i32=5", "f32=0.5", "ptr=0". Of a buffer the element type
// is kept in `type`, for showing what is in it.
struct KernelWord {
  lab::SpecArg arg;
  lab::ElementType type = lab::ElementType::kU8;
};
Result<KernelWord> read_argument(const std::string& text);

}  // namespace warpshop::cli
