// What a Compiler is: NVRTC on this machine, or another machine that has it.
#pragma once

#include "compile/compiler.h"

namespace warpshop::compile {

class Compiler::Backend {
 public:
  virtual ~Backend() = default;
  virtual Result<CompileOutput> compile(const CompileInput& input) const = 0;
  virtual About about() const = 0;
};

}  // namespace warpshop::compile
