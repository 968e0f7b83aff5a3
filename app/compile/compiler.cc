#include "compile/compiler.h"

#include <chrono>
#include <filesystem>

#include "core/files.h"
#include "hints.h"
#include "nvrtc_library.h"
#include "places.h"

namespace warpshop::compile {
namespace {

namespace fs = std::filesystem;
using Library = Compiler::Library;

// Destroys the program on every way out.
class Program {
 public:
  Program(const Library& library, const std::string& source, const std::string& name)
      : library_(library) {
    result_ =
        library.nvrtcCreateProgram(&program_, source.c_str(), name.c_str(), 0, nullptr, nullptr);
  }
  ~Program() {
    if (program_ != nullptr) library_.nvrtcDestroyProgram(&program_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  NvrtcResult compile(const std::vector<std::string>& options) {
    if (result_ != 0) return result_;
    std::vector<const char*> pointers;
    for (const std::string& option : options) pointers.push_back(option.c_str());
    return library_.nvrtcCompileProgram(program_, static_cast<int>(pointers.size()),
                                        pointers.data());
  }

  std::string log() const {
    std::string text = read(library_.nvrtcGetProgramLogSize, library_.nvrtcGetProgramLog);
    while (!text.empty() && text.back() == '\0') text.pop_back();
    return text;
  }
  std::string ptx() const {
    std::string text = read(library_.nvrtcGetPTXSize, library_.nvrtcGetPTX);
    while (!text.empty() && text.back() == '\0') text.pop_back();
    return text;
  }
  std::vector<uint8_t> cubin() const {
    const std::string bytes = read(library_.nvrtcGetCUBINSize, library_.nvrtcGetCUBIN);
    return {bytes.begin(), bytes.end()};
  }

 private:
  std::string read(NvrtcResult (*get_size)(NvrtcProgram, size_t*),
                   NvrtcResult (*get)(NvrtcProgram, char*)) const {
    size_t size = 0;
    if (program_ == nullptr || get_size(program_, &size) != 0 || size == 0) return {};
    std::string bytes(size, '\0');
    if (get(program_, bytes.data()) != 0) return {};
    return bytes;
  }

  const Library& library_;
  NvrtcProgram program_ = nullptr;
  NvrtcResult result_ = 0;
};

std::string text_of(const CompileInput& input) {
  if (input.trailer.empty()) return input.source;
  return input.source + "\n#line 1 \"" + std::string(kTrailerName) + "\"\n" + input.trailer;
}

fs::path prelude_dir() { return data_dir() / "assets" / "prelude"; }

std::vector<std::string> options_of(const CompileInput& input, const Library& library,
                                    const std::string& architecture) {
  std::vector<std::string> options = {"--gpu-architecture=" + architecture, "--std=c++17",
                                      "-lineinfo"};
  options.insert(options.end(), input.options.begin(), input.options.end());
  for (const std::string& dir : input.include_dirs) options.push_back("--include-path=" + dir);
  if (input.prelude) {
    options.push_back("--pre-include=" + (prelude_dir() / "warpshop.h").string());
  }
  // The C headers that students include by habit; NVRTC has what they declare, but not the files.
  options.push_back("--include-path=" + (prelude_dir() / "c").string());
  for (const fs::path& dir : library.include_dirs) {
    options.push_back("--include-path=" + dir.string());
  }
  return options;
}

// The back end names a line of the PTX. The PTX alone compiles: its .loc lines tell the student's
// line.
std::string ptx_of_failed(const Library& library, const CompileInput& input,
                          const std::string& text, const std::string& file_name) {
  std::string architecture = input.architecture;
  if (!architecture.starts_with("sm_")) return {};
  architecture.replace(0, 3, "compute_");
  Program program(library, text, file_name);
  return program.compile(options_of(input, library, architecture)) == 0 ? program.ptx()
                                                                        : std::string();
}

bool names_ptx_line(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.place.file == kPtxName) return true;
  }
  return false;
}

}  // namespace

Result<Compiler> Compiler::load() {
  auto library = load_nvrtc();
  if (!library.ok()) return library.errors();
  return Compiler(std::move(*library));
}

Result<CompileOutput> Compiler::compile(const CompileInput& input) const {
  const auto start = std::chrono::steady_clock::now();
  const std::string file_name = input.file_name.empty() ? "kernel.cu" : input.file_name;
  const std::string text = text_of(input);
  if (input.source.find('\0') != std::string::npos) {
    return make_error_at({file_name}, "compile", sentence("the text holds a NUL byte: is it a text file?"));
  }
  const fs::path prelude = prelude_dir() / "warpshop.h";
  if (std::error_code error; input.prelude && !fs::exists(prelude, error)) {
    return make_error_at({prelude.string()}, "compile",
                         sentence("the program's own header is missing: its data folder is not complete"),
                         sentence("install the program again; if WARPSHOP_DATA is set, let it name the "
                                  "folder that holds assets, labs and kernels"));
  }
  Program program(*library_, text, file_name);
  const NvrtcResult result = program.compile(options_of(input, *library_, input.architecture));
  Diagnostics diagnostics =
      diagnostics_from_log(program.log(), end_of_source(input.source, file_name));
  if (result != 0) {
    if (names_ptx_line(diagnostics)) {
      place_by_ptx(ptx_of_failed(*library_, input, text, file_name), file_name, diagnostics);
    }
    place_by_kernel(input.source, file_name, diagnostics);
    add_hints(input.source, !library_->include_dirs.empty(), diagnostics);
    if (!has_errors(diagnostics)) {
      diagnostics.push_back(
          make_error_at({file_name}, "compile",
                        sentence("NVRTC failed: {why}", {{"why", library_->nvrtcGetErrorString(result)}})));
    }
    return diagnostics;
  }
  add_hints(input.source, !library_->include_dirs.empty(), diagnostics);

  CompileOutput output;
  output.ptx = with_plain_file_names(program.ptx(), file_name);
  output.cubin = program.cubin();
  output.warnings = std::move(diagnostics);
  if (!output.cubin.empty()) {  // there is none for compute_NN
    auto kernels = read_kernel_resources(output.cubin);
    if (!kernels.ok()) return kernels.errors();
    output.kernels = std::move(*kernels);
  }
  output.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return output;
}

void Compiler::warm_up() const {
  CompileInput input;
  input.source = "__global__ void warm_up() {}";
  input.file_name = "warm_up.cu";
  input.prelude = false;
  (void)compile(input);
}

std::string Compiler::library_path() const { return library_->path; }

std::string Compiler::version() const {
  return std::to_string(library_->major) + "." + std::to_string(library_->minor);
}

std::string Compiler::include_path() const {
  return library_->include_dirs.empty() ? std::string() : library_->include_dirs.front().string();
}

}  // namespace warpshop::compile
