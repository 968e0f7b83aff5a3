#include "compiled_file.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "ptx/parser.h"

namespace warpshop::lab {
namespace {

// "scale" of "_Z5scalePKfPfi": the demangled text before its parameters.
std::string source_name(const std::string& ptx_name) {
  int status = 0;
  char* demangled = abi::__cxa_demangle(ptx_name.c_str(), nullptr, nullptr, &status);
  if (demangled == nullptr) return ptx_name;
  std::string name = demangled;
  std::free(demangled);  // NOLINT: the ABI's function allocates with malloc
  return name.substr(0, name.find('('));
}

bool same_file(const std::string& ptx_file, const std::string& file_name) {
  return std::filesystem::path(ptx_file).filename() == std::filesystem::path(file_name).filename();
}

}  // namespace

Result<CompiledFilePtr> compile_cuda(const compile::Compiler& compiler,
                                     const compile::CompileInput& input) {
  Result<compile::CompileOutput> output = compiler.compile(input);
  if (!output.ok()) return output.errors();
  Result<CompiledFilePtr> file = read_ptx(std::move(output->ptx), input.file_name);
  if (!file.ok()) return file;
  auto complete = std::make_shared<CompiledFile>(**file);
  complete->warnings.insert(complete->warnings.begin(), output->warnings.begin(),
                            output->warnings.end());
  complete->resources = std::move(output->kernels);
  complete->cubin = std::move(output->cubin);
  return CompiledFilePtr(std::move(complete));
}

Result<CompiledFilePtr> read_ptx(std::string text, const std::string& file_name) {
  ptx::ParseOutput parsed = ptx::parse(text, file_name);
  if (has_errors(parsed.diagnostics)) return parsed.diagnostics;
  auto file = std::make_shared<CompiledFile>();
  file->file_name = file_name;
  file->ptx = std::move(text);
  file->module = std::make_shared<const ptx::Module>(std::move(parsed.module));
  return CompiledFilePtr(std::move(file));
}

Result<CompiledKernel> find_kernel(const CompiledFilePtr& file, const std::string& name) {
  std::vector<const ptx::Function*> found;
  std::string others;
  for (const ptx::Function& function : file->module->functions) {
    if (!function.is_entry) continue;
    const std::string known_as = source_name(function.name);
    if (function.name == name || known_as == name) {
      found.push_back(&function);
    } else if (!known_as.starts_with("warpshop_")) {
      others += (others.empty() ? "" : ", ") + known_as;
    }
  }
  if (found.empty()) {
    return make_error_at({file->file_name}, "kernel",
                         sentence("there is no kernel '{name}' in this file", {{"name", name}}),
                         others.empty() ? sentence("the file must define __global__ void {name}(…)", {{"name", name}})
                                        : sentence("the file's kernels are: {names}", {{"names", others}}));
  }
  if (found.size() > 1) {
    return make_error_at(
        {file->file_name}, "kernel",
        sentence("there are {count} kernels named '{name}' in this file", {{"count", found.size()}, {"name", name}}),
        sentence("give each a name of its own"));
  }
  Result<emulator::Program> program = emulator::Program::decode(file->module, found.front()->name);
  if (!program.ok()) return program.errors();
  const auto resources = file->resources.find(found.front()->name);
  return CompiledKernel{file, name, std::move(*program),
                        resources == file->resources.end() ? nullptr : &resources->second};
}

int line_in_file(const ptx::Module& module, const ptx::SourceLine& source,
                 const std::string& file_name) {
  const auto matches = [&](int file) {
    const auto found = module.files.find(file);
    return file != 0 && found != module.files.end() && same_file(found->second, file_name);
  };
  if (matches(source.file)) return source.line;
  if (matches(source.call_file)) return source.call_line;
  return 0;
}

bool compiler_knows(const models::GpuProfile& gpu) {
  return gpu.capability >= models::ComputeCapability{7, 5};
}

std::string architecture_for(const models::GpuProfile& gpu) {
  if (!compiler_knows(gpu)) return "sm_75";
  return "sm_" + std::to_string(gpu.capability.major * 10 + gpu.capability.minor);
}

}  // namespace warpshop::lab
