// What a Compiler is: NVRTC on this machine, or another machine that has it.
#pragma once

#include <memory>

#include "compile/compiler.h"

namespace warpshop::compile {

class Compiler::Backend {
 public:
  virtual ~Backend() = default;
  virtual Result<CompileOutput> compile(const CompileInput& input) const = 0;
  virtual About about() const = 0;
};

class NvrtcRunner;

// NVRTC on this machine, run by `runner`; null: in this process.
Compiler compiler_of(std::shared_ptr<const Compiler::Library> library,
                     std::shared_ptr<NvrtcRunner> runner);

}  // namespace warpshop::compile
