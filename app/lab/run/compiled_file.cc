#include "run/compiled_file.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "compile/kernel_name.h"
#include "core/spelling.h"
#include "ptx/parser.h"

namespace warpshop::lab {
namespace {

// The names of the file's kernels, with their parameters where known.
std::string kernel_list(const CompiledFile& file) {
  std::string out;
  const auto add = [&out](const std::string& text) { out += (out.empty() ? "" : "; ") + text; };
  for (const compile::SourceKernel& kernel : file.kernels) {
    if (!kernel.is_defined) continue;
    if (!kernel.is_template || kernel.instances.empty()) add(kernel.signature());
    for (const std::string& instance : kernel.instances) add(instance);
  }
  if (!out.empty()) return out;
  for (const ptx::Function& function : file.module->functions) {
    if (!function.is_entry || function.name.starts_with("warpshop_")) continue;
    const std::string name = compile::kernel_name(function.name).name;
    if (!name.starts_with("warpshop_")) out += (out.empty() ? "" : ", ") + name;
  }
  return out;
}

Sentence help_with_template(const compile::SourceKernel& kernel, const std::string& name) {
  if (name.find('<') != std::string::npos) {
    return sentence(
        "the compiler could not make it: write types and numbers between < and >, since it sees no "
        "constant that is defined inside a function");
  }
  if (kernel.instances.empty()) {
    return sentence("'{name}' is a template: give its arguments as well, as in {name}<float>",
                    {{"name", kernel.name}});
  }
  std::string instances;
  for (const std::string& instance : kernel.instances)
    instances += (instances.empty() ? "" : "; ") + instance;
  return sentence("'{name}' is a template: give its arguments as well; the file has {names}",
                  {{"name", kernel.name}, {"names", instances}});
}

// Explains a kernel that the source has and the compiled code lacks.
std::optional<Diagnostic> not_compiled(const CompiledFile& file, const std::string& name) {
  const std::string wanted = compile::plain_name(name);
  const compile::SourceKernel* found = nullptr;
  for (const compile::SourceKernel& kernel : file.kernels) {
    if (kernel.name == wanted && (found == nullptr || kernel.is_defined)) found = &kernel;
  }
  if (found == nullptr) return std::nullopt;
  if (!found->is_defined) {
    return make_error_at(
        found->place, "kernel",
        sentence("the kernel '{name}' is only declared here: its body is in another file",
                 {{"name", name}}),
        sentence("run the file that has its body, or include that file here"));
  }
  if (found->is_template) {
    return make_error_at(found->place, "kernel",
                         sentence("there is no kernel '{name}' in this file", {{"name", name}}),
                         help_with_template(*found, name));
  }
  for (const compile::LeftOut& part : file.left_out) {
    if (part.name != wanted || part.why != compile::LeftOut::Why::kLaunchesKernels) continue;
    Diagnostic out = part.diagnostic();
    out.severity = Severity::kError;
    out.kind = "kernel";
    out.help = sentence("launch kernels from the host only");
    return out;
  }
  if (name != wanted && name != found->scope + wanted) return std::nullopt;
  return make_error_at(found->place, "kernel",
                       sentence("the kernel '{name}' is not compiled: a condition such as #if "
                                "leaves it out",
                                {{"name", name}}),
                       sentence("define what the condition asks for, with the compiler option "
                                "-DNAME=VALUE"));
}

Diagnostic no_kernel(const CompiledFile& file, const std::string& name) {
  if (std::optional<Diagnostic> why = not_compiled(file, name)) return *std::move(why);
  const std::string list = kernel_list(file);
  const std::string wanted = compile::plain_name(name);
  Sentence help = list.empty()
                      ? sentence("the file must define __global__ void {name}(…)", {{"name", name}})
                      : sentence("the file's kernels are: {names}", {{"names", list}});
  const auto suggest = [&](const std::string& other) {
    if (is_near(other, wanted))
      help = sentence("did you mean '{name}'?", {{"name", other}}).then(std::move(help));
  };
  std::set<std::string> known;
  for (const ptx::Function& function : file.module->functions) {
    if (function.is_entry)
      known.insert(compile::plain_name(compile::kernel_name(function.name).name));
  }
  std::for_each(known.begin(), known.end(), suggest);
  return make_error_at({file.file_name}, "kernel",
                       sentence("there is no kernel '{name}' in this file", {{"name", name}}),
                       help);
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
  complete->source = input.source;
  complete->warnings.insert(complete->warnings.begin(), output->warnings.begin(),
                            output->warnings.end());
  complete->resources = std::move(output->kernels);
  complete->cubin = std::move(output->cubin);
  complete->instances = std::move(output->instances);
  complete->left_out = std::move(output->left_out);
  complete->kernels = std::move(output->source_kernels);
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
  const auto instance = file->instances.find(compile::instance_of(name));
  std::vector<const ptx::Function*> found, exact;
  for (const ptx::Function& function : file->module->functions) {
    if (!function.is_entry) continue;
    const compile::KernelName known_as = compile::kernel_name(function.name);
    const bool made = instance != file->instances.end() && instance->second == function.name;
    if (function.name == name || made || compile::is_called_exactly(known_as, name))
      exact.push_back(&function);
    if (compile::is_called(known_as, name)) found.push_back(&function);
  }
  if (!exact.empty()) found = exact;
  if (found.empty()) return no_kernel(*file, name);
  if (found.size() > 1) {
    std::string names;
    for (const ptx::Function* function : found) {
      const compile::KernelName known_as = compile::kernel_name(function->name);
      names += (names.empty() ? "" : ", ") + known_as.name + known_as.parameters;
    }
    return make_error_at(
        {file->file_name}, "kernel",
        sentence("there are {count} kernels named '{name}' in this file",
                 {{"count", found.size()}, {"name", name}}),
        sentence("give each a name of its own, or say which: {names}", {{"names", names}}));
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
