// A source file compiled and parsed once, and one of its kernels decoded once. Immutable; shared
// between runs.
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
  std::string source;     // empty for PTX
  std::string ptx;
  std::vector<uint8_t> cubin;  // empty for PTX that was not compiled here
  Diagnostics warnings;
  // Empty for PTX that was not compiled here.
  std::map<std::string, compile::KernelResources> resources;
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

// Finds a kernel by its name in the source: "scale", "detail::scale", "scale<16>", "scale(float*,
// int)" for an overload. A template with a single instance needs no arguments. Error: no such
// kernel, with the names that exist and the likely one; an ambiguous name; a kernel that the
// emulator cannot run.
Result<CompiledKernel> find_kernel(const CompiledFilePtr& file, const std::string& name);

// The line of an instruction in the file `file_name`: its own, or the line of the call when a
// function from another file was inlined there. 0: none.
int line_in_file(const ptx::Module& module, const ptx::SourceLine& source,
                 const std::string& file_name);

// Whether NVRTC 13 compiles for this GPU: compute capability 7.5 and newer. Older GPUs get the
// register counts of sm_75.
bool compiler_knows(const models::GpuProfile& gpu);

// The architecture to compile for so that register counts match this GPU; sm_75 is the oldest that
// NVRTC knows.
std::string architecture_for(const models::GpuProfile& gpu);

}  // namespace warpshop::lab
