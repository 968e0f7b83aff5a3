// A source file compiled and parsed once, and a kernel of it decoded once. Immutable; runs share
// them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "core/result.h"
#include "emulator/program.h"
#include "models/gpu_profile.h"
#include "ptx/module.h"

namespace warpshop::lab {

struct CompiledFile {
  std::string file_name;  // as diagnostics name it
  std::string ptx;
  std::vector<uint8_t> cubin;  // empty for PTX that was not compiled here
  Diagnostics warnings;
  std::map<std::string, compile::KernelResources>
      resources;  // empty for PTX that was not compiled here
  std::shared_ptr<const ptx::Module> module;
  std::map<std::string, std::string> instances;  // CompileInput::instances: their names in the PTX
  std::vector<compile::LeftOut> left_out;        // of a whole program
  std::vector<compile::SourceKernel> kernels;    // likewise
};
using CompiledFilePtr = std::shared_ptr<const CompiledFile>;

Result<CompiledFilePtr> compile_cuda(const compile::Compiler& compiler,
                                     const compile::CompileInput& input);
Result<CompiledFilePtr> read_ptx(std::string text, const std::string& file_name);

struct CompiledKernel {
  CompiledFilePtr file;
  std::string name;  // as the source has it, "scale"
  emulator::Program program;
  const compile::KernelResources* resources = nullptr;  // inside `file`; nullptr when not known
};

// The kernel by its name in the source: "scale", "detail::scale", "scale<16>", "scale(float*, int)" of several; a
// template's arguments can be left out where it has one instance. Error: there is none, with those there are and what
// may have been meant; several; one that the emulator cannot run.
Result<CompiledKernel> find_kernel(const CompiledFilePtr& file, const std::string& name);

// The line of an instruction in the file `file_name`: its own, or the call's when a function of
// another file was inlined there. 0 when it has none.
int line_in_file(const ptx::Module& module, const ptx::SourceLine& source,
                 const std::string& file_name);

// Whether NVRTC 13 compiles for this GPU: compute capability 7.5 and newer. Registers of older ones
// are those of sm_75.
bool compiler_knows(const models::GpuProfile& gpu);

// What NVRTC is to compile for, so that registers are those of this GPU: sm_75 is the oldest it
// knows.
std::string architecture_for(const models::GpuProfile& gpu);

}  // namespace warpshop::lab
