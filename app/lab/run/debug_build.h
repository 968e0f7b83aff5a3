// The student's kernel compiled again, without optimisation and with the names of its variables.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lab/variables.h"
#include "ptx/debug_info.h"
#include "run/compiled_file.h"

namespace warpshop::lab {

struct DebugBuild {
  CompiledKernel kernel;
  ptx::DebugInfo info;
  std::vector<SharedShape> shapes;
};

// `input`: what the optimised kernel was compiled from.
Result<DebugBuild> build_debug(const compile::Compiler& compiler, compile::CompileInput input,
                               const std::string& kernel);

// Debug information omits shared memory, so each declaration in a function gets a companion on the
// same line that is described: `__shared__ float t[8][9]; decltype(t)* warpshop_shape_t;`. It
// generates no code.
std::string with_shape_probes(std::string_view source);

}  // namespace warpshop::lab
