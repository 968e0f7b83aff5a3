// Prepares a whole CUDA program's file for the device compiler: drops host code and keeps device
// code on its original lines.
//
// NVRTC compiles only device code, but a program's file has more: main(), functions that allocate,
// copy and launch, host headers. device_source() parses the file's declarations (without expanding
// macros or evaluating conditionals), blanks those that cannot run on the GPU, and inlines the
// program's own headers, treated the same way, so that line numbers stay valid. docs/cli.md, "A
// program's file", gives the rules.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostic.h"

namespace warpshop::compile {

struct SourceParameter {
  std::string type;   // "const float*"
  std::string name;   // empty if unnamed
  SourcePlace place;  // of the whole parameter
};

// A kernel launch in host code: the text between <<< and >>>.
struct SourceLaunch {
  std::string configuration;  // "(n + 255) / 256, 256"
  SourcePlace place;
};

struct SourceKernel {
  std::string name;   // "scale"
  std::string scope;  // its namespaces: "", "detail::"
  SourcePlace place;  // of its name
  std::vector<SourceParameter> parameters;
  bool is_defined = true;  // false: only declared here; another file has its body
  bool is_template = false;
  std::vector<std::string> template_parameters;  // their names: "T", "TILE"
  std::vector<std::string> instances;  // of a template, as launched or instantiated in the file:
                                       // "scale<16>"
  std::vector<SourceLaunch> launches;

  std::string signature() const;  // "detail::scale(const float* in, int n)"
  // The parameters of an instance: of "stencil<float>", T is float. As written if it has no
  // template arguments.
  std::vector<SourceParameter> parameters_of(std::string_view instance) const;
};

// A macro whose text defines a kernel, or the beginning of one: `#define KERNEL(name) __global__
// void name(float* p)`. Macros are not expanded here, so its kernels are unknown.
struct KernelMacro {
  std::string name;
  SourcePlace place;  // of its #define
};

// The `__global__` functions of a source and their launches, in order of first declaration. A
// kernel that is declared and later defined appears once.
std::vector<SourceKernel> kernels_of(std::string_view source, const std::string& file_name);

// Parses the parameter list that opens at `open`; `code` must not contain comments.
std::vector<SourceParameter> parameters_at(std::string_view code, size_t open,
                                           const std::string& file_name);

// A part of the file that is not compiled.
struct LeftOut {
  enum class Why : uint8_t {
    kHostFunction,      // neither __global__ nor __device__
    kHostVariable,      // likewise
    kTextureReference,  // a global texture<…>, which CUDA 12 removed
    kHostHeader,        // a header of a host library
    kMissingHeader,     // not found anywhere
    kLaunchesKernels,   // device code that launches kernels: dynamic parallelism
    kNotForGpu,         // kept at first, but it does not compile and has no device annotation
  };
  Why why = Why::kHostFunction;
  std::string name;  // "main", "iostream"
  SourcePlace place;
  int last_line = 0;
  Diagnostic diagnostic() const;  // a note; a warning for a missing header
};

// Where to look for headers, in the compiler's order.
struct HeaderPath {
  std::filesystem::path folder;                  // the file's own folder
  std::vector<std::filesystem::path> program;    // the program's own: their host code is left out
                                                 // as well
  std::vector<std::filesystem::path> libraries;  // device libraries: included unchanged
};

struct DeviceSource {
  // A declaration that may be host-only, because nothing in it says otherwise.
  struct Doubtful {
    size_t at = 0;  // offset in text
    size_t length = 0;
    LeftOut left_out;
  };
  std::string text;  // for the compiler; #line directives name the original files and lines
  std::vector<LeftOut> left_out;
  std::vector<Doubtful> doubtful;
  std::vector<SourceKernel> kernels;       // from all files
  std::vector<KernelMacro> kernel_macros;  // likewise
};

// Accepts any text. What it cannot parse is kept, so that the compiler reports it.
DeviceSource device_source(std::string_view source, const std::string& file_name,
                           const HeaderPath& path);

// Drops the doubtful declarations in which the compiler found errors. True if there were any.
bool leave_out_refused(DeviceSource& source, const Diagnostics& errors);

}  // namespace warpshop::compile
